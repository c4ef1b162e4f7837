/** The catalogue of problems: what code reads is stable, unambiguous and complete. */
import { describe, expect, it } from 'vitest';
import { advices } from '../../src/problem/advice.js';
import { Problem, type ProblemKind, problems } from '../../src/problem/problem.js';

const kinds: readonly (readonly [string, ProblemKind])[] = Object.entries(problems);

/** Berlin Group has one code for every malformed part of a request. */
const malformed = [
  'malformed-http',
  'duplicate-header',
  'invalid-header',
  'invalid-query',
  'invalid-json',
  'validation-failed',
];

/** Message codes of Berlin Group that mean exactly this; every other code is the slug in capitals. */
const berlinGroup: Readonly<Record<string, string>> = {
  ...Object.fromEntries(malformed.map((slug) => [slug, 'FORMAT_ERROR'])),
  'resource-not-found': 'RESOURCE_UNKNOWN',
  'method-not-allowed': 'SERVICE_INVALID',
  'not-acceptable': 'REQUESTED_FORMATS_INVALID',
  'token-of-another-application': 'TOKEN_UNKNOWN',
  'signature-required': 'SIGNATURE_MISSING',
  'access-blocked': 'SERVICE_BLOCKED',
  'role-not-permitted': 'ROLE_INVALID',
  'consent-required': 'CONSENT_UNKNOWN',
  'consent-not-valid': 'CONSENT_INVALID',
  'internal-error': 'INTERNAL_SERVER_ERROR',
};

describe('codes', () => {
  it.each(kinds)('%s has a code of its own, or the one of Berlin Group', (slug, { code }) => {
    expect(code).toBe(berlinGroup[slug] ?? slug.toUpperCase().replaceAll('-', '_'));
    const same = kinds.filter((each) => each[1].code === code).map(([name]) => name);
    expect(same).toEqual(code === 'FORMAT_ERROR' ? malformed : [slug]);
  });
});

describe('advice', () => {
  it('is given by some problem, each of it', () => {
    const given = kinds.flatMap(([, { advice, exception }]) => [advice, exception?.advice ?? advice]);
    expect([...new Set(given)].toSorted()).toEqual(Object.keys(advices).toSorted());
  });

  it.each(kinds)(
    '%s: repeating helps only if nothing in the request is wrong',
    (slug, { status, advice }) => {
      const mayPass = status === 408 || status === 429 || status >= 500 || slug === 'request-in-progress';
      if (advices[advice].isRetryable) expect(mayPass).toBe(true);
      if (status === 408 || status >= 500) expect(advice).toBe('repeat');
    },
  );

  it('of a throw wins over that of the catalogue, and whether to retry follows from it', () => {
    const used = new Problem('access-exceeded', { advice: 'new-consent' });
    expect([used.advice, used.isRetryable, used.code]).toEqual(['new-consent', false, 'ACCESS_EXCEEDED']);
    const waiting = new Problem('access-exceeded');
    expect([waiting.advice, waiting.isRetryable]).toEqual(['wait', true]);
  });
});
