/** What a check has found: a line for people, an object for scripts. */
import { Help } from 'commander';

export interface Finding {
  readonly check: string;
  readonly verdict: 'ok' | 'warning' | 'failed';
  readonly detail: string;
}

export const finding = (check: string, verdict: Finding['verdict'], detail: string): Finding => ({
  check,
  verdict,
  detail,
});

/** The width of a terminal that tells none. */
const WIDTH = 80;

export const lineOf = ({ check, verdict, detail }: Finding): string => {
  const head = `${verdict.padEnd(8)} ${check.padEnd(14)} `;
  const wrapped = new Help().boxWrap(detail, (process.stdout.columns ?? WIDTH) - head.length);
  return head + wrapped.replaceAll('\n', `\n${' '.repeat(head.length)}`);
};
