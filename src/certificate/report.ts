/** What was looked at in a certificate, in order, and how each look ended. */
import type { Reason } from './reasons.js';

export type CheckName =
  | 'block'
  | 'validity'
  | 'key'
  | 'chain'
  | 'statement'
  | 'use'
  | 'organisation'
  | 'role'
  | 'revocation';

export interface CertificateCheck {
  readonly name: CheckName;
  readonly verdict: 'passed' | 'failed' | 'unknown' | 'skipped';
  /** One sentence for developers, without personal data. */
  readonly detail: string;
  /** Set if the check failed. */
  readonly reason?: Reason;
}

export interface CertificateReport {
  readonly checks: readonly CertificateCheck[];
  /** Of the first check that failed; undefined if the certificate is accepted. */
  readonly reason: Reason | undefined;
}

export const reportOf = (checks: readonly CertificateCheck[]): CertificateReport => ({
  checks,
  reason: checks.find(({ verdict }) => verdict === 'failed')?.reason,
});
