/** The text that a call's own text becomes on its way to an engine, made by the product itself. */
import { ReadBatcher } from '../../../src/store/postgres/read-batcher.js';
import { allProven } from '../../../src/store/proven.js';
import type { Call, Given } from './calls.js';

/** The count of its rows that a proven list brings with it. */
export const COUNT = 'rows#';

export const provenText = async (sql: string): Promise<string> => {
  let sent = '';
  const note = async (text: string) => {
    sent = text;
    return [{ [COUNT]: 0 }];
  };
  await allProven({ all: note as never, one: async () => undefined }, sql);
  return sent;
};

const anyValues = (given: Given): (string | number)[] =>
  given.map((kinds) => (kinds !== 'rest' && kinds.has('number') ? 1 : ''));

/** What PostgreSQL is sent if two of these reads come in one turn. */
export const batchedText = async (sql: string, given: Given): Promise<string> => {
  let sent = '';
  const batcher = new ReadBatcher(async (text) => {
    sent = text;
    return [];
  });
  await Promise.all([batcher.all(sql, anyValues(given)), batcher.all(sql, anyValues(given))]);
  return sent;
};

export const sentText = ({ isProven }: Call, text: string): Promise<string> | string =>
  isProven ? provenText(text) : text;
