/** Where PostgreSQL is. The first test that asks has the run start it. */
import { inject } from 'vitest';
import { hasPostgres } from './engines.js';

let known: string | undefined;

export const postgresUrl = async (): Promise<string> => {
  if (known !== undefined) return known;
  if (!hasPostgres) throw new Error('TEST_ENGINES=sqlite leaves PostgreSQL out: ask hasPostgres first');
  const answer = await fetch(inject('postgresDoor'));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  known = text;
  return text;
};
