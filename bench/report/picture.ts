/** The picture: each operation as a part of its floor, with its target. Drawn by hand as SVG, so it needs nothing. */
import type { OperationRow, Result } from './result.js';
import { engineNames, ratioTargets, titles } from './targets.js';

const WIDTH = 760;
const LEFT = 290;
const RIGHT = 120;
const TOP = 64;
const BAR = 18;
const STEP = 26;
const FOOT = 36;
const span = WIDTH - LEFT - RIGHT;
const colours = {
  sqlite: '#1f5f8b',
  postgres: '#7aa6c2',
  remote: '#4f8a5b',
  text: '#1d2733',
  line: '#c9d2da',
  target: '#b3261e',
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${x}" y="${y}" fill="${colours.text}"${more}>${escaped(content)}</text>`;

const at = (ratio: number): number => LEFT + Math.round(Math.min(1, Math.max(0, ratio)) * span);

const bar = (row: OperationRow, index: number): string => {
  const y = TOP + index * STEP;
  const target = row.workers > 1 ? undefined : ratioTargets[row.kind][row.engine];
  const name = `${titles[row.kind]}, ${engineNames[row.engine]}${row.workers > 1 ? ` × ${row.workers}` : ''}`;
  const figure = `${row.ratio.toFixed(2)}  (${Math.round(row.perSecond).toLocaleString('en')}/s)`;
  return [
    text(LEFT - 10, y + 13, name, ' text-anchor="end"'),
    `<rect x="${LEFT}" y="${y}" width="${at(row.ratio) - LEFT}" height="${BAR}" fill="${colours[row.engine]}"/>`,
    target === undefined
      ? ''
      : `<line x1="${at(target)}" y1="${y - 3}" x2="${at(target)}" y2="${y + BAR + 3}" stroke="${colours.target}" stroke-width="3"/>`,
    text(at(Math.max(row.ratio, target ?? 0)) + 8, y + 13, figure),
  ].join('');
};

const grid = (height: number): string =>
  [0, 0.25, 0.5, 0.75, 1]
    .map(
      (part) =>
        `<line x1="${at(part)}" y1="${TOP - 8}" x2="${at(part)}" y2="${height - FOOT + 4}" stroke="${colours.line}"/>` +
        text(at(part), height - FOOT + 20, String(part), ' text-anchor="middle"'),
    )
    .join('\n');

export const pictureOf = ({ operations }: Result): string => {
  const rows = operations?.rows ?? [];
  const height = TOP + rows.length * STEP + FOOT;
  const title = 'Throughput as a part of what bare node:http does on the same core';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="13">`,
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    text(16, 26, title, ' font-size="16" font-weight="600"'),
    text(
      16,
      46,
      'The red mark is the target; every check is on, every answer about funds is recorded durably.',
    ),
    grid(height),
    ...rows.map(bar),
    '</svg>',
    '',
  ].join('\n');
};
