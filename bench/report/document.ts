/** The figures in a document: everything between two markers is written from a result, the text around them is left alone. */
import type { Result } from './result.js';
import { asMarkdown, conditionsText, tablesOf } from './tables.js';

const BEGIN = '<!-- figures: written by npm run bench -- --doc -->';
const END = '<!-- end of figures -->';

const ENOUGH = { rounds: 3, seconds: 3 };

/** Whoever reads figures must know whether they were meant as such. */
const trialNote = ({ operations }: Result): string[] =>
  operations && (operations.rounds < ENOUGH.rounds || operations.seconds < ENOUGH.seconds)
    ? ['These are of a short trial: they show the form, not the speed.', '']
    : [];

export const writeFigures = (document: string, result: Result, picture: string): string => {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the document has no "${BEGIN}" before "${END}"`);
  const figures = [
    BEGIN,
    '',
    `![Throughput of each operation as a part of its floor](${picture})`,
    '',
    conditionsText(result),
    '',
    ...trialNote(result),
    ...tablesOf(result).map(asMarkdown),
  ].join('\n');
  return `${document.slice(0, begin)}${figures}${document.slice(end)}`;
};
