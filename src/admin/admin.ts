/** What the bank's operators do. The command line, embedders and tests all use these acts; each is one transaction with its audit row. */

import { basename } from 'node:path';
import type { By } from '../acts/role.js';
import { checkRegister, type RegisterWish } from '../tpp/eba/apply-register.js';
import type { RegisterReport } from '../tpp/eba/check-register.js';
import type { ActParts } from './act-methods.js';
import type { CutOverParts, CutOverReport, CutOverWish } from './cut-over/cut-over.js';
import { ProposalActs } from './proposal-acts.js';

export type AdminParts = ActParts;

export type WantedApplication = Parameters<Admin['createApplication']>[0];

export class Admin extends ProposalActs {
  readonly #parts: AdminParts;

  constructor(parts: AdminParts) {
    super(parts);
    this.#parts = parts;
  }

  /** The same acts in the name of a person, for a reason; the audit log keeps both. */
  as(by: By): Admin {
    return new Admin({ ...this.#parts, by });
  }

  /** From another gateway, in batches: each is a transaction with its row in the audit log. Its readers are loaded only here. */
  async cutOver(wish: CutOverWish): Promise<CutOverReport> {
    const { db, bankTime } = this.#parts;
    const { runCutOver } = await import('./cut-over/cut-over.js');
    const write: CutOverParts['write'] = (details, work) =>
      this.change(['import.apply', details], `import:${basename(wish.path)}`, work);
    return runCutOver({ db, bankNow: await bankTime(), write }, wish);
  }

  /** Each third party is a transaction with its row in the audit log. */
  checkRegister(wish: RegisterWish): Promise<RegisterReport> {
    return checkRegister(this.#parts, wish);
  }
}
