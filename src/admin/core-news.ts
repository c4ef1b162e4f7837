/**
 * What the core tells without being asked. News is a reason to ask, not an answer: the state of a payment and who holds an account
 * come from the core itself. Only the end of a consent is the bank's own decision. So a repetition changes nothing.
 */
import type { AuditLog } from '../audit/audit-log.js';
import type { BankAccount, HeldBank } from '../bank/bank.js';
import { News, type NewsItem, type NewsResult } from '../bank/http/contract/news.js';
import { breachFinder } from '../http/validate.js';
import { attemptEach } from '../lib/attempt-each.js';
import type { BankTime, Clock } from '../lib/clock.js';
import type { AccountId, ConsentId, PsuId } from '../model/ids.js';
import { errorFields, type Log, levelOf } from '../observe/log.js';
import { askOrderNow } from '../payment/remote/outbox.js';
import type { Db } from '../store/db.js';
import { endByBank } from './consents.js';

export interface CoreNewsParts {
  readonly db: Db;
  readonly bank: Pick<HeldBank, 'accountsOf' | 'forget'>;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly bankTime: () => Promise<BankTime>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** Asks the core about orders that are due. */
  readonly drain: () => void;
}

const OPEN = `from consents c where c.status in ('Received', 'Valid')
  and c.id in (select consent_id from consent_accounts where account_id = ?)`;
/** A page of them: an account of a company may have any number. */
const PERSONS = `select distinct c.psu_id as "psuId" ${OPEN} and c.psu_id > ? order by c.psu_id limit 100`;
/** Those that would open nothing more. */
const FOR_THIS_ALONE = `select c.id ${OPEN} and c.psu_id = ? and not exists (
  select 1 from consent_accounts a where a.consent_id = c.id and (a.account_id is null or a.account_id <> ?))`;

const breachIn = breachFinder(News);

const holds = (accounts: readonly BankAccount[], accountId: AccountId): boolean =>
  accounts.some(({ id, status }) => id === accountId && status !== 'closed');

export class CoreNews {
  readonly #parts: CoreNewsParts;

  constructor(parts: CoreNewsParts) {
    this.#parts = parts;
  }

  /** Undefined if the body is no news. */
  async receive(body: unknown): Promise<{ readonly results: readonly object[] } | undefined> {
    if (breachIn(body)) return undefined;
    const { log } = this.#parts;
    const results: object[] = [];
    for (const item of (body as { readonly news: readonly NewsItem[] }).news) {
      const { id, kind } = item;
      const result = await this.#act(item).catch((error: unknown): NewsResult => {
        log[levelOf(error)]({ ...errorFields(error), newsId: id }, 'news from the core');
        return 'failed';
      });
      log.info({ newsId: id, kind, result }, 'news from the core');
      results.push({ id, result });
    }
    return { results };
  }

  #act(item: NewsItem): Promise<NewsResult> {
    switch (item.kind) {
      case 'payment-changed':
        return this.#askPayment(item.paymentId);
      case 'account-closed':
        return this.#closed(item.accountId);
      case 'holder-removed':
        return this.#left(item.psuId, item.accountId);
      case 'consent-ended':
        return this.#end(item.consentId, item.reason);
    }
  }

  async #askPayment(paymentId: string): Promise<NewsResult> {
    const { db, bankTime, drain } = this.#parts;
    if (!(await askOrderNow(db, paymentId, await bankTime()))) return 'nothing';
    drain();
    return 'done';
  }

  async #end(id: ConsentId, why: string): Promise<NewsResult> {
    const { db, bankTime, clock, audit } = this.#parts;
    const at = await bankTime();
    const by = 'core';
    return db.transaction(async (tx) => {
      if ((await endByBank(tx, id, { by, why }, at)) !== 'ended') return 'nothing';
      const act = { actor: by, act: 'consent.end', subject: `consent:${id}`, reason: why } as const;
      await audit.append(tx, act, clock.now());
      return 'done';
    });
  }

  async #closed(accountId: AccountId): Promise<NewsResult> {
    const { db } = this.#parts;
    const results = new Set<NewsResult>();
    const faults: unknown[] = [];
    for (let after = '' as PsuId | undefined; after !== undefined; ) {
      const persons: { psuId: PsuId }[] = await db.all<{ psuId: PsuId }>(PERSONS, [accountId, after]);
      const failed = await attemptEach(persons, async ({ psuId }) =>
        results.add(await this.#left(psuId, accountId)),
      );
      faults.push(...failed);
      after = persons.at(-1)?.psuId;
    }
    // The core sends it again: what is ended by then stays ended.
    if (faults.length > 0) throw faults[0];
    if (results.has('unconfirmed')) return 'unconfirmed';
    return results.has('done') ? 'done' : 'nothing';
  }

  async #left(psuId: PsuId, accountId: AccountId): Promise<NewsResult> {
    const { db, bank } = this.#parts;
    bank.forget?.(psuId);
    const alone = await db.all<{ id: ConsentId }>(FOR_THIS_ALONE, [accountId, psuId, accountId]);
    if (holds(await bank.accountsOf(psuId, { accountId }), accountId)) return 'unconfirmed';
    for (const { id } of alone) await this.#end(id, 'the account is closed to this person');
    return 'done';
  }
}
