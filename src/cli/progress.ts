/** How far long work is, on the error stream: a bar with the time left on a terminal, in a log a line now and then. */
import { type Clock, MINUTE, SECOND, systemClock } from '../lib/clock.js';

export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export type Progress = (done: number, total: number) => void;

const WIDTH = 24;
const BAR_EVERY_MS = 100;
/** Enough for a log. */
const LINE_EVERY_MS = 10 * SECOND;

const timeText = (ms: number): string =>
  ms < MINUTE ? `${Math.ceil(ms / SECOND)} s` : `${Math.ceil(ms / MINUTE)} min`;

/** `noun` is what is counted: records, cases. */
export const createProgress = (
  noun: string,
  stream: ProgressStream = process.stderr,
  clock: Pick<Clock, 'elapsed'> = systemClock,
): Progress => {
  const begin = clock.elapsed();
  let shownAt = stream.isTTY ? Number.NEGATIVE_INFINITY : begin;
  return (done, total) => {
    const now = clock.elapsed();
    const isEnd = done >= total;
    const isDue = now - shownAt >= (stream.isTTY ? BAR_EVERY_MS : LINE_EVERY_MS);
    if (stream.isTTY ? !isDue && !isEnd : !isDue) return;
    shownAt = now;
    const count = `${done} of ${total} ${noun}`;
    const left = done > 0 && !isEnd ? `, ${timeText(((now - begin) / done) * (total - done))} left` : '';
    if (!stream.isTTY) {
      stream.write(`${count}${left}\n`);
      return;
    }
    const full = Math.round((WIDTH * done) / Math.max(total, 1));
    // Clears what is left of a longer line.
    stream.write(
      `\r[${'█'.repeat(full)}${' '.repeat(WIDTH - full)}] ${count}${left}\u001b[K${isEnd ? '\n' : ''}`,
    );
  };
};
