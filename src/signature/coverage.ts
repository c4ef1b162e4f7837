/** What a signature must cover, and how old it may be, by policy. */
import { MINUTE, type RealTime, SECOND } from '../lib/clock.js';
import type { SignaturePolicy } from '../model/signature-policy.js';
import { type Claim, headerOf, type Scheme, SignatureFault, type SignedRequest } from './claim.js';
import { digestFault, digestNames } from './digest.js';

/** Signed in every policy. The documentation of the headers is made of this list and the next one. */
export const leastCovered = {
  cavage: ['digest', 'x-request-id'],
  rfc9421: ['content-digest', 'x-request-id'],
} as const satisfies Record<Scheme, readonly string[]>;

/** Signed if sent, in every policy. */
export const coveredIfSent = ['psu-id', 'psu-corporate-id', 'date', 'tpp-redirect-uri'] as const;

const targetOf = ({ scheme, covered }: Claim, { target }: SignedRequest): string[] => {
  const has = (name: string): boolean => covered.includes(name);
  if (scheme === 'cavage') return has('(request-target)') ? [] : ['(request-target)'];
  const isNamed =
    has('@target-uri') ||
    has('@request-target') ||
    (has('@path') && (has('@query') || !target.includes('?')));
  return [...(has('@method') ? [] : ['@method']), ...(isNamed ? [] : ['@target-uri'])];
};

const hasTime = ({ scheme, covered, created }: Claim): boolean =>
  covered.includes('date') || (scheme === 'cavage' ? covered.includes('(created)') : created !== undefined);

/** Digest stands for Content-Digest too. */
const isCovered = ({ covered }: Claim, name: string): boolean =>
  covered.includes(name) || (name === 'content-digest' && covered.includes('digest'));

/** What a policy demands; `effective` are the headers with an effect that the operation takes, in lower case. */
export interface Demand {
  readonly policy: SignaturePolicy;
  readonly effective: readonly string[];
}

const isSent = (request: SignedRequest) => (name: string) => headerOf(request, name) !== undefined;

const missingIn = (claim: Claim, request: SignedRequest, { policy, effective }: Demand): string[] => {
  const isStrict = policy === 'strict';
  const sent = new Set<string>([...coveredIfSent, ...(isStrict ? effective : [])].filter(isSent(request)));
  const missing = [...leastCovered[claim.scheme], ...sent].filter((name) => !isCovered(claim, name));
  if (!isStrict) return missing;
  missing.push(...targetOf(claim, request));
  if (!hasTime(claim)) missing.push(claim.scheme === 'cavage' ? '(created)' : 'created');
  return missing;
};

export const checkCoverage = (claim: Claim, request: SignedRequest, demand: Demand): void => {
  const missing = missingIn(claim, request, demand);
  if (missing.length > 0) throw new SignatureFault(`The signature does not cover ${missing.join(', ')}.`);
  for (const name of digestNames) {
    const fault = claim.covered.includes(name) ? digestFault(request.headers, name) : undefined;
    if (fault) throw new SignatureFault(fault);
  }
};

const WINDOW_MS = 5 * MINUTE;
const AHEAD_MS = 10 * SECOND;

/** The times that the signature itself names. */
export const checkTimes = ({ created, expires }: Claim, nowMs: RealTime): void => {
  if (created !== undefined && created * 1000 > nowMs + AHEAD_MS)
    throw new SignatureFault('The signature was created in the future.');
  if (created !== undefined && created * 1000 < nowMs - WINDOW_MS)
    throw new SignatureFault('The signature was created more than five minutes ago.');
  if (expires !== undefined && expires * 1000 <= nowMs)
    throw new SignatureFault('The signature has expired.');
};

const DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The Date header: always signed if it is sent. */
export const checkDate = (request: SignedRequest, nowMs: RealTime): void => {
  const date = headerOf(request, 'date');
  if (date === undefined) return;
  const time = DATE.test(date) ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(time))
    throw new SignatureFault('Date must be written like Sun, 15 Nov 2026 09:30:00 GMT.', { header: 'Date' });
  if (Math.abs(time - nowMs) > WINDOW_MS)
    throw new SignatureFault("Date is more than five minutes from the bank's time.", { header: 'Date' });
};
