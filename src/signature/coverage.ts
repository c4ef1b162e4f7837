/** What a signature must cover, and how old it may be, by policy. */
import { MINUTE, type RealTime, SECOND } from '../lib/clock.js';
import type { SignaturePolicy } from '../model/signature-policy.js';
import { type Claim, headerOf, SignatureFault, type SignedRequest } from './claim.js';
import { digestFault, digestNames } from './digest.js';

/** Signed if sent, in every policy. */
const ifSent = ['psu-id', 'psu-corporate-id', 'date', 'tpp-redirect-uri'] as const;

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

const digestOf = ({ scheme, covered }: Claim): string[] => {
  if (covered.includes('digest')) return [];
  if (scheme === 'cavage') return ['digest'];
  return covered.includes('content-digest') ? [] : ['content-digest'];
};

/** What a policy demands; `effective` are the headers with an effect that the operation takes, in lower case. */
export interface Demand {
  readonly policy: SignaturePolicy;
  readonly effective: readonly string[];
}

const isSent = (request: SignedRequest) => (name: string) => headerOf(request, name) !== undefined;

const missingIn = (claim: Claim, request: SignedRequest, { policy, effective }: Demand): string[] => {
  const isStrict = policy === 'strict';
  const sent = new Set<string>([...ifSent, ...(isStrict ? effective : [])].filter(isSent(request)));
  const missing = [
    ...digestOf(claim),
    ...['x-request-id', ...sent].filter((name) => !claim.covered.includes(name)),
  ];
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
