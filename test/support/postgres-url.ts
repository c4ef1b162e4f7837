/** Where PostgreSQL is. The first test that asks has the run start it. */
import { inject } from 'vitest';
import { hasPostgres } from './engines.js';
import type { Place } from './places.js';

const known = new Map<Place, string>();

export const postgresUrl = async (place: Place = 'memory'): Promise<string> => {
  const found = known.get(place);
  if (found !== undefined) return found;
  if (!hasPostgres) throw new Error('TEST_ENGINES=sqlite leaves PostgreSQL out: ask hasPostgres first');
  const answer = await fetch(`${inject('postgresDoor')}/${place}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  known.set(place, text);
  return text;
};
