/** What the bank's operators do. The command line, embedders and tests all use these acts; each is one transaction with its audit row. */

import { basename } from 'node:path';
import { demandSecond, inputColumn, type Proposal } from '../acts/proposals.js';
import type { By } from '../acts/role.js';
import { runAct } from '../acts/run-act.js';
import {
  retryAllUnresolved,
  retryUnresolved,
  type Settlement,
  sentAgain,
  settleByHand,
} from '../payment/remote/unresolved.js';
import { flag, jsonColumn, members, text } from '../store/json-column.js';
import { storeTime } from '../store/server-time.js';
import { checkRegister, type RegisterWish } from '../tpp/eba/apply-register.js';
import type { RegisterReport } from '../tpp/eba/check-register.js';
import type { ActParts } from './act-methods.js';
import type { CutOverParts, CutOverReport, CutOverWish } from './cut-over/cut-over.js';
import { actNamed } from './derived.js';
import { ProposalActs } from './proposal-acts.js';

export type AdminParts = ActParts;

const settlementColumn = jsonColumn<{ readonly settlement: Settlement }>(
  'proposals.input',
  members({ settlement: members({ by: text, isForced: flag, outcome: members({ status: text }) }) }),
);

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

  /** The core is asked again about one unresolved payment, or about all. Returns about how many. */
  async retryPayments(id?: string): Promise<number> {
    const moment = await this.#moment();
    return this.change('payment.retry', `payment:${id ?? 'all'}`, async (tx) => {
      if (id === undefined) return retryAllUnresolved(tx, moment);
      await retryUnresolved(tx, id, moment);
      return 1;
    });
  }

  /** Writes down what became of a payment, once people have found out. */
  async settlePayment(id: string, settlement: Settlement): Promise<void> {
    const subject = `payment:${id}`;
    await demandSecond(this.#parts, { act: 'payment.settle', subject, input: { id, settlement } });
    const moment = await this.#moment();
    const isSettled = await this.make(
      ['payment.settle', { ...settlement }],
      (tx) => settleByHand(tx, id, settlement, moment),
      (isDone) => (isDone ? `payment:${id}` : undefined),
    );
    if (!isSettled) throw sentAgain(id);
  }

  protected async carryOut(proposal: Proposal): Promise<void> {
    const parts = { ...this.#parts, isConfirmed: true };
    const found = actNamed(proposal.act);
    const { id, ...input } = inputColumn.read(proposal.input);
    if (found) await runAct(parts, found, id, input);
    else {
      const { settlement } = settlementColumn.read(proposal.input);
      await new Admin(parts).settlePayment(id, settlement);
    }
  }

  async #moment() {
    const { db, clock, bankTime } = this.#parts;
    return { now: await storeTime(db, clock), bankNow: await bankTime() };
  }
}
