/** The RateLimit fields, as a caller reads them. */
import { describe, expect, it } from 'vitest';
import { exhaustedFields, rateLimitFields } from '../../src/lib/rate-limit.js';

const limit = { name: 'minute', quota: 600, windowSeconds: 60, resetMs: 12_001 };

describe('a quota', () => {
  it('says what is left and in how many whole seconds there is more', () => {
    expect(rateLimitFields({ ...limit, remaining: 7 })).toEqual({
      'RateLimit-Policy': '"minute";q=600;w=60',
      RateLimit: '"minute";r=7;t=13',
    });
  });

  it('that is used up also says when to come back, never at once', () => {
    expect(exhaustedFields({ ...limit, resetMs: 0 })).toEqual({
      'Retry-After': '1',
      'RateLimit-Policy': '"minute";q=600;w=60',
      RateLimit: '"minute";r=0;t=1',
    });
    expect(exhaustedFields(limit)['Retry-After']).toBe('13');
  });
});
