/**
 * Moments that are stored for all nodes: until when a row is claimed, or from when it is due. One that lies further ahead than it can be set
 * was written by a clock that was wrong, and is over. SQL says `(at <= ? or at > ?)`, with the two values of `overAt`.
 */
import { SECOND } from '../lib/clock.js';

/** Nodes know the time of the store only to within their round trips; a claim that another node has just made is not over. */
const SLACK_MS = 10 * SECOND;

/** `most`: how far ahead such a moment can be set. */
export const overAt = (now: number, most: number): readonly [number, number] => [now, now + most + SLACK_MS];

export const isOver = (at: number, now: number, most: number): boolean => {
  const [past, far] = overAt(now, most);
  return at <= past || at > far;
};
