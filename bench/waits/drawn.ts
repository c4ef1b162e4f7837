/** The picture of the waits: one bar for each load, as long as a request takes. */
import { text } from '../report/picture.js';

export const phases = ['way and parsing', 'turn', 'own work', 'batch', 'store', 'group', 'flush'] as const;
type Phase = (typeof phases)[number];

export interface WaitRow {
  readonly title: string;
  readonly perSecond: number;
  /** Milliseconds of one request on the average. */
  readonly spent: Readonly<Record<Phase, number>>;
}

const WIDTH = 860;
const LEFT = 300;
const RIGHT = 90;
const TOP = 78;
const BAR = 16;
const STEP = 22;
const colours = ['#c9d2da', '#8a97a5', '#1d2733', '#d9a441', '#7aa6c2', '#c96f3b', '#1f5f8b'];

export const drawn = (rows: readonly WaitRow[]): string => {
  const totals = rows.map(({ spent }) => phases.reduce((sum, phase) => sum + spent[phase], 0));
  const scale = (WIDTH - LEFT - RIGHT) / Math.max(...totals);
  const height = TOP + rows.length * STEP + 16;
  const bars = rows.map(({ title, spent }, index) => {
    const y = TOP + index * STEP;
    let x = LEFT;
    const pieces = phases.map((phase, at) => {
      const width = spent[phase] * scale;
      const piece = `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" fill="${colours[at]}"/>`;
      x += width;
      return piece;
    });
    const total = `${(totals[index] ?? 0).toFixed(2)} ms`;
    return [text(LEFT - 8, y + 12, title, ' text-anchor="end"'), ...pieces, text(x + 6, y + 12, total)].join(
      '',
    );
  });
  const legend = phases.map(
    (phase, at) =>
      `<rect x="${16 + at * 118}" y="44" width="12" height="12" fill="${colours[at]}"/>${text(33 + at * 118, 55, phase)}`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="12">`,
    '<title>Where the time of a request is spent</title>',
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    text(
      16,
      26,
      'Where the time of a request is spent, at 10, 50 and 90 % of the capacity',
      ' font-size="16" font-weight="600"',
    ),
    ...legend,
    ...bars,
    '</svg>',
    '',
  ].join('\n');
};
