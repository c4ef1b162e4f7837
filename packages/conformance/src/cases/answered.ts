/** Sketches of cases that several operations have: an answer has the right status, and is JSON. */
import type { Bank } from '../bank/bank.js';
import type { Answer } from '../bank/http.js';
import { type Clause, document, type Sketch } from '../case.js';
import { demandStatus, isJsonType, mediaTypeOf } from '../shapes.js';
import { demand } from '../verdict.js';

type Ask = (bank: Bank) => Promise<Answer>;

/** Ends with the statuses that are right. */
export type Asking = readonly [name: string, title: string, clause: Clause, ask: Ask, ...allowed: number[]];

export const asking = ([name, title, clause, ask, ...allowed]: Asking): Sketch => [
  name,
  title,
  clause,
  async (bank) => demandStatus(await ask(bank), ...allowed),
];

export const answered = (what: string, section: string, ask: Ask): Sketch =>
  asking(['status', `${what} answered with 200`, document(`${section} (success 200)`), ask, 200]);

export const inJson = (ask: Ask): Sketch => [
  'media-type',
  'the answer is JSON and says so',
  document('What the service does (JSON)'),
  async (bank) => {
    const answer = await ask(bank);
    demand(isJsonType(answer), 'a JSON media type', mediaTypeOf(answer) || 'no Content-Type');
  },
];
