/** Certificates that the bank refuses by their fingerprint, regardless of their owner and issuer. */
import type { RealTime } from '../lib/clock.js';
import type { Queries } from '../store/db.js';
import { allProven } from '../store/proven.js';
import { RegistryError } from './registry.js';
import { bumpVersion } from './version.js';

const FINGERPRINT = /^[0-9a-f]{64}$/;

/** As `tpp certificates` shows it, or as openssl does: with colons, in capitals. */
export const fingerprintOf = (text: string): string => {
  const plain = text.replace(/^.*=/, '').replace(/[:\s]/g, '').toLowerCase();
  if (!FINGERPRINT.test(plain))
    throw new RegistryError(
      'the fingerprint must be SHA-256, 64 hexadecimal digits: openssl x509 -in file -noout -fingerprint -sha256',
    );
  return plain;
};

const BLOCK = `insert into blocked_certificates (fingerprint, reason, blocked_at) values (?, ?, ?)
  on conflict (fingerprint) do update set reason = coalesce(excluded.reason, blocked_certificates.reason)`;

/** Acts on every node within five seconds. Call within a transaction. */
export const blockCertificate = async (
  tx: Queries,
  fingerprint: string,
  reason: string | undefined,
  nowMs: RealTime,
): Promise<void> => {
  await bumpVersion(tx);
  await tx.run(BLOCK, [fingerprint, reason ?? null, nowMs]);
};

export const unblockCertificate = async (tx: Queries, fingerprint: string): Promise<void> => {
  await bumpVersion(tx);
  const gone = await tx.run('delete from blocked_certificates where fingerprint = ?', [fingerprint]);
  if (gone === 0) throw new RegistryError(`the certificate ${fingerprint} is not blocked`);
};

export const blockedFingerprints = async (db: Queries): Promise<ReadonlySet<string>> => {
  const rows = await allProven<{ fingerprint: string }>(db, 'select fingerprint from blocked_certificates');
  return new Set(rows.map(({ fingerprint }) => fingerprint));
};
