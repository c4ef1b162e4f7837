/** The bounded cache. */
import { describe, expect, it } from 'vitest';
import { LruCache } from '../../src/lib/lru-cache.js';

describe('a cache of ten', () => {
  it('never holds more than ten, and forgets the oldest', () => {
    const cache = new LruCache<number>(10);
    for (let key = 0; key < 1000; key += 1) cache.set(`${key}`, key);
    const held = Array.from({ length: 1000 }, (_, key) => cache.get(`${key}`)).filter(
      (each) => each !== undefined,
    );
    expect(held.length).toBeLessThanOrEqual(10);
    expect(cache.get('999')).toBe(999);
    expect(cache.get('0')).toBeUndefined();
  });

  it('keeps what is asked for often', () => {
    const cache = new LruCache<string>(10);
    cache.set('often', 'here');
    for (let key = 0; key < 1000; key += 1) {
      cache.set(`${key}`, 'once');
      expect(cache.get('often')).toBe('here');
    }
  });

  it('counts by weight, also of what is replaced or deleted', () => {
    const cache = new LruCache<number>(10, (weight) => weight);
    cache.set('a', 4);
    cache.set('a', 1);
    cache.delete('a');
    expect(cache.get('a')).toBeUndefined();
    cache.set('b', 4);
    cache.set('c', 4);
    // Both halves are full: the next one pushes the oldest out.
    cache.set('d', 5);
    cache.set('e', 5);
    expect([cache.get('b'), cache.get('c')]).toEqual([undefined, undefined]);
    expect([cache.get('d'), cache.get('e')]).toEqual([5, 5]);
  });
});
