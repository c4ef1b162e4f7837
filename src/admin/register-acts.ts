/** Acts by a snapshot of the EBA's register. */
import { basename } from 'node:path';
import { actByRegister, putRegister, type RegisterAct } from '../tpp/eba/stored-register.js';
import { compareWithRegister, type RegisterReport, readRegister } from './check-register.js';
import { OperatorActs } from './operator-acts.js';

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

export class RegisterActs extends OperatorActs {
  /** If it is applied, the snapshot is kept for registrations too. Each third party is a transaction with its row in the audit log. */
  async checkRegister({ path, country, isApplied }: RegisterWish): Promise<RegisterReport> {
    const entities = await readRegister(path, country);
    const findings = compareWithRegister(await this.tpps(), entities, country);
    const report = { entities: entities.length, findings };
    if (!isApplied) return report;
    const facts = { country, entities: entities.length };
    await this.change(['register.apply', facts], `register:${basename(path)}`, (tx) =>
      putRegister(tx, entities),
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
}
