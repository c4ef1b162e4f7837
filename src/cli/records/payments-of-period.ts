/** `trapeza payments list`: every payment of a period, settled ones too, to hold against the books of the core. */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { PaymentOfPeriod } from '../../admin/payments.js';
import { noteRead } from '../../admin/readings.js';
import { endOfDay, startOfDay } from '../../lib/day.js';
import { inChunks, jsonList } from '../../lib/format/json-stream.js';
import { instantText, isDate, parseInstant } from '../../lib/instant.js';
import { fromMinor } from '../../model/amount.js';
import type { ClientId } from '../../model/ids.js';
import { type OrderStatus, orderStatuses } from '../../payment/record.js';
import { CommandError, type JsonFlag, namesIn, parsedBy, print, printTable } from '../output.js';
import { type ReasonFlag, withAdmin, withReason } from '../store.js';

const readMoment = (text: string): string => {
  if (!isDate(text) && parseInstant(text) === undefined)
    throw new Error('a date such as 2026-11-17, or a moment such as 2026-11-17T16:40:00Z');
  return text;
};

const readStatuses = (text: string): readonly OrderStatus[] =>
  namesIn(text).map((name) => {
    const found = orderStatuses.find((each) => each === name);
    if (!found) throw new Error(`one or more of ${orderStatuses.join(', ')}, separated by commas`);
    return found;
  });

const lineOf = ({ currency, amountMinor, submittedAt, changedAt, ...row }: PaymentOfPeriod): object => ({
  id: row.id,
  consentId: row.consentId,
  clientId: row.clientId,
  amount: fromMinor(amountMinor, currency),
  currency,
  status: row.status,
  reason: row.reasonCode,
  submitted: instantText(submittedAt),
  changed: instantText(changedAt),
  unresolvedSince: row.unresolvedAt === null ? null : instantText(row.unresolvedAt),
});

interface PeriodFlags extends JsonFlag, ReasonFlag {
  readonly from: string;
  readonly to: string;
  readonly status?: readonly OrderStatus[];
  readonly application?: ClientId;
}

async function* each<T>(pages: AsyncIterable<readonly T[]>): AsyncGenerator<T, void, undefined> {
  for await (const page of pages) yield* page;
}

async function* map<T, R>(rows: AsyncIterable<T>, made: (row: T) => R): AsyncGenerator<R, void, undefined> {
  for await (const row of rows) yield made(row);
}

const list = (flags: PeriodFlags): Promise<void> =>
  withAdmin(async (admin, { timeZone }, _db, context) => {
    const { status: statuses, application: clientId } = flags;
    const from = parseInstant(flags.from) ?? startOfDay(flags.from, timeZone);
    const to = parseInstant(flags.to) ?? endOfDay(flags.to, timeZone);
    if (to <= from) throw new CommandError('--to lies before --from');
    await noteRead(context, 'payment.list', `payments:${instantText(from)}/${instantText(to)}`);
    const pages = admin.payments({ from, to, statuses, clientId });
    if (flags.json) {
      const text = jsonList(map(each(pages), lineOf));
      await pipeline(Readable.from(inChunks(text)), process.stdout, { end: false });
      return print('');
    }
    let isEmpty = true;
    for await (const page of pages) {
      printTable(page.map(lineOf), '');
      isEmpty = false;
    }
    if (isEmpty) print('No payment was submitted in this period.');
  }, flags);

export const registerPaymentsOfPeriod = (payments: Command): void => {
  withReason(payments.command('list'))
    .description('list every payment that was submitted in a period, settled ones too, with its status now')
    .requiredOption(
      '--from <moment>',
      'a date in the time zone of the bank, or a moment',
      parsedBy(readMoment),
    )
    .requiredOption(
      '--to <moment>',
      'a date, which is in it, or a moment, which is not',
      parsedBy(readMoment),
    )
    .option('--status <list>', 'of these statuses, separated by commas', parsedBy(readStatuses))
    .option('--application <clientId>', 'of this application')
    .option('--json', 'print JSON')
    .action(list);
};
