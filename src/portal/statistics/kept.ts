/** What is dear to work out and hardly changes, worked out now and then for each name. */
import type { Clock } from '../../lib/clock.js';

export const kept = <T>(
  clock: Clock,
  forMs: number,
  make: (name: string) => Promise<T>,
): ((name: string) => Promise<T>) => {
  const known = new Map<string, { readonly at: number; readonly value: Promise<T> }>();
  return (name) => {
    const last = known.get(name);
    if (last && clock.elapsed() - last.at < forMs) return last.value;
    const value = make(name);
    known.set(name, { at: clock.elapsed(), value });
    value.catch(() => known.delete(name));
    return value;
  };
};
