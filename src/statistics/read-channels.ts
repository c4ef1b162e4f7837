/** The file in which a bank brings the availability of its own channels. Takes long for a large one: only threads and commands read it. */
import { readRows } from '../lib/format/csv-reader.js';
import { isDate } from '../lib/instant.js';
import type { ChannelDay } from './channels.js';

const HEAD = 'date,channel,uptimePercent';
const PERCENT = /^\d{1,3}(?:[.,]\d{1,4})?$/;
const MAX_NAME = 60;

const faultIn = ([day = '', channel = '', up = '', ...more]: readonly string[]): string | undefined => {
  if (more.length > 0) return 'it has more than three columns';
  if (!isDate(day)) return `"${day}" is not a date such as 2026-10-01`;
  if (channel === '' || channel.length > MAX_NAME)
    return `the channel has no name, or more than ${MAX_NAME} characters`;
  if (!PERCENT.test(up) || Number(pointed(up)) > 100) return `"${up}" is not a percentage from 0 to 100`;
  return undefined;
};

export type ReadChannels = { readonly days: readonly ChannelDay[] } | { readonly faults: readonly string[] };

/** A spreadsheet writes the decimals of its country: a comma in Greece. */
const pointed = (percent: string): string => percent.replace(',', '.');

/** Each line that is not understood is a fault; with one fault nothing is taken. */
export const parseChannels = (text: string): ReadChannels => {
  const rows = readRows(text);
  if ('brokenLine' in rows) return { faults: [`line ${rows.brokenLine}: it is not CSV: close the quotes`] };
  const [head, ...lines] = rows;
  if (head?.cells.join() !== HEAD) return { faults: [`line 1: the first line must be ${HEAD}`] };
  const filled = lines.filter(({ cells }) => cells.join('') !== '');
  const faults = filled.flatMap(({ cells, line }) => {
    const fault = faultIn(cells);
    return fault === undefined ? [] : [`line ${line}: ${fault}`];
  });
  const seen = new Set<string>();
  for (const { cells, line } of filled) {
    const key = `${cells[0]} ${cells[1]}`;
    if (seen.has(key)) faults.push(`line ${line}: ${key} stands in the file twice`);
    seen.add(key);
  }
  if (faults.length > 0) return { faults };
  return {
    days: filled.map(({ cells: [day = '', channel = '', up = ''] }) => ({
      day,
      channel,
      upPercent: Number(pointed(up)),
    })),
  };
};
