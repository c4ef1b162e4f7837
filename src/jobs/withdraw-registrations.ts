/** Withdraws third parties that registered themselves and whose certificates have all expired or been revoked. */
import type { AuditLog } from '../audit/audit-log.js';
import { readCertificateFile } from '../certificate/certificate.js';
import type { CertificateVerifier } from '../certificate/verifier.js';
import { type Clock, DAY, HOUR } from '../lib/clock.js';
import { errorFields, type Log } from '../observe/log.js';
import type { Db } from '../store/db.js';
import {
  certificatesToCheck,
  type KeptCertificate,
  markChecked,
  tppsWithoutCertificate,
  withdrawTpp,
} from '../tpp/withdrawal.js';
import type { Job } from './jobs.js';
import { sumOfEach } from './slices.js';

export interface WithdrawalParts {
  readonly db: Db;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly certificates: Pick<CertificateVerifier, 'verify'>;
}

/** Everything but a revocation may pass: an issuer that is not trusted for a while, a source that does not answer. */
const isRevoked = async (
  { certificates, log }: WithdrawalParts,
  { use, pem, fingerprint }: KeptCertificate,
): Promise<boolean> => {
  try {
    const { certificate } = readCertificateFile(Buffer.from(pem));
    return (await certificates.verify(certificate, { use })).reason === 'revoked';
  } catch (error) {
    // Kept by an earlier version, which read it. Looked at again in a day.
    log.warn(
      { certificate: fingerprint.slice(0, 16), ...errorFields(error) },
      'certificate cannot be checked',
    );
    return false;
  }
};

const withdraw = ({ db, clock, audit }: WithdrawalParts, id: string, reason: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await withdrawTpp(tx, id, reason))) return false;
    await audit.append(
      tx,
      { actor: 'system', act: 'tpp.withdraw', subject: `tpp:${id}`, reason },
      clock.now(),
    );
    return true;
  });

export const withdrawRegistrations = (parts: WithdrawalParts): Job => {
  const { db, clock, log } = parts;
  return {
    name: 'withdraw registrations',
    everyMs: HOUR,
    async step() {
      const now = clock.now();
      const due = await certificatesToCheck(db, now, now - DAY);
      const checked = await sumOfEach(due, async (each) => {
        await markChecked(db, each, await isRevoked(parts, each), now);
        return 1;
      });
      const bare = await tppsWithoutCertificate(db, now);
      const withdrawn = await sumOfEach(bare, async ({ id, registration, reason }) => {
        if (!(await withdraw(parts, id, reason))) return 0;
        log.warn({ tppId: id, registration, reason }, 'third party withdrawn');
        return 1;
      });
      return checked + withdrawn;
    },
  };
};
