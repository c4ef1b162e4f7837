/** Acts by a snapshot of the EBA's register. */
import { basename } from 'node:path';
import { blockCertificate, fingerprintOf, unblockCertificate } from '../tpp/blocked-certificates.js';
import { actByRegister, putRegister, type RegisterAct } from '../tpp/eba/stored-register.js';
import { compareWithRegister, type RegisterReport, readRegister } from './check-register.js';
import { StoreActs } from './store-acts.js';

export interface RegisterWish {
  readonly path: string;
  /** Of the bank: services are authorised for each country. */
  readonly country: string;
  /** Else nothing is written. */
  readonly isApplied: boolean;
}

const nameOf = (act: RegisterAct) => {
  if ('withdrawFor' in act) return 'tpp.withdraw';
  return 'restore' in act ? 'tpp.resume' : 'tpp.roles';
};

export class RegisterActs extends StoreActs {
  /** If it is applied, the snapshot is kept for registrations too. Each third party is a transaction with its row in the audit log. */
  async checkRegister({ path, country, isApplied }: RegisterWish): Promise<RegisterReport> {
    const entities = await readRegister(path, country);
    const findings = compareWithRegister(await this.tpps(), entities, country);
    const report = { entities: entities.length, findings };
    if (!isApplied) return report;
    const facts = { country, entities: entities.length };
    await this.change(['register.apply', facts], `register:${basename(path)}`, (tx, now) =>
      putRegister(tx, entities, now),
    );
    for (const { id, finding, act } of findings)
      if (act)
        await this.make(
          [nameOf(act), { register: finding }],
          (tx) => actByRegister(tx, id, act),
          (isDone) => (isDone ? `tpp:${id}` : undefined),
        );
    return report;
  }

  /** Its SHA-256 fingerprint, with or without colons. Returns it in its usual form. */
  async blockCertificate(fingerprint: string): Promise<string> {
    const known = fingerprintOf(fingerprint);
    const reason = this.reason;
    await this.change('certificate.block', `certificate:${known}`, (tx, now) =>
      blockCertificate(tx, known, reason, now),
    );
    return known;
  }

  async unblockCertificate(fingerprint: string): Promise<string> {
    const known = fingerprintOf(fingerprint);
    await this.change('certificate.unblock', `certificate:${known}`, (tx) => unblockCertificate(tx, known));
    return known;
  }
}
