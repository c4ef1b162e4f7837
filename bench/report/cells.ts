/** A table of the report, and how its cells are written. */
import type { Effort } from './result.js';

export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en');
export const two = (value: number): string => value.toFixed(2);
export const ms = (value: number | undefined): string =>
  value === undefined ? '' : value.toFixed(value < 10 ? 2 : 0);

export const effort = ({ rounds, seconds, connections, takenAt }: Effort): string =>
  `${rounds} × ${seconds} s, ${connections} connections, ${takenAt.slice(0, 10)}`;
