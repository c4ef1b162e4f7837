/** The report for programs. */
import { countsOf, type Report } from './summary.js';

export const jsonReport = ({ url, at, results }: Report): string =>
  `${JSON.stringify({ url, at, summary: countsOf(results), results }, null, 2)}\n`;
