/** What the bank's operators do. The command line, embedders and tests all use these acts; each is one transaction with its audit row. */

import { basename } from 'node:path';
import { demandSecond, inputColumn, type Proposal } from '../acts/proposals.js';
import { type By, SYSTEM } from '../acts/role.js';
import { runAct } from '../acts/run-act.js';
import type { Certificate } from '../certificate/certificate.js';
import { redeliver, retryBacklog } from '../events/backlog.js';
import type { ClientId, ConsentId } from '../model/ids.js';
import type { SignaturePolicy } from '../model/signature-policy.js';
import type { SigningAlgorithm, SigningKeys } from '../oauth/signing-keys.js';
import {
  retryAllUnresolved,
  retryUnresolved,
  type Settlement,
  sentAgain,
  settleByHand,
} from '../payment/remote/unresolved.js';
import type { Queries } from '../store/db.js';
import { flag, jsonColumn, members, text } from '../store/json-column.js';
import { extensionOf } from '../store/migrate.js';
import { storeTime } from '../store/server-time.js';
import { registerHolder } from '../tpp/certificates.js';
import { checkRegister, type RegisterWish } from '../tpp/eba/apply-register.js';
import type { RegisterReport } from '../tpp/eba/check-register.js';
import { endApplication, renameApplication } from '../tpp/own-changes.js';
import { approveRegistration } from '../tpp/registration.js';
import {
  createApplication,
  createSubscription,
  createTpp,
  type NewApplication,
  type NewSubscription,
  type NewTpp,
  RegistryError,
  setSignaturePolicy,
  setUnattended,
} from '../tpp/registry.js';
import { type Security, type SecurityWish, setSecurity } from '../tpp/security.js';
import { hostOf, setWebhook } from '../tpp/webhook.js';
import type { ActParts } from './act-methods.js';
import { type BankOutcome, type EndByBank, endByBank } from './consents.js';
import type { CutOverParts, CutOverReport, CutOverWish } from './cut-over/cut-over.js';
import { actNamed } from './derived.js';
import { ProposalActs } from './proposal-acts.js';

export type AdminParts = ActParts;

const settlementColumn = jsonColumn<{ readonly settlement: Settlement }>(
  'proposals.input',
  members({ settlement: members({ by: text, isForced: flag, outcome: members({ status: text }) }) }),
);

export interface WantedApplication extends NewApplication, SecurityWish {
  readonly webhook?: string | undefined;
}

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

  /** The id of the new third party. */
  createTpp(tpp: NewTpp): Promise<string> {
    const { registration, roles } = tpp;
    return this.make(
      ['tpp.create', { registration, roles }],
      (tx, now) => createTpp(tx, tpp, now),
      (id) => `tpp:${id}`,
    );
  }

  /** Registers the third party of a certificate, or keeps one more certificate of it. Verify it before. */
  registerCertificate(certificate: Certificate, wanted: Parameters<typeof registerHolder>[2] = {}) {
    const { fingerprint } = certificate;
    return this.make(
      ['tpp.register', { fingerprint }],
      (tx, now) => registerHolder(tx, certificate, wanted, now),
      ({ id }) => `tpp:${id}`,
    );
  }

  /** Undefined: as the bank says for everybody. */
  setSignaturePolicy(tppId: string, policy: SignaturePolicy | undefined): Promise<void> {
    return this.change(['tpp.policy', { policy: policy ?? 'default' }], `tpp:${tppId}`, (tx) =>
      setSignaturePolicy(tx, tppId, policy),
    );
  }

  /** Reads a day without the account holder. Undefined: as the bank says for everybody. */
  setUnattended(tppId: string, perDay: number | undefined): Promise<void> {
    return this.change(['tpp.unattended', { perDay: perDay ?? 'default' }], `tpp:${tppId}`, (tx) =>
      setUnattended(tx, tppId, perDay),
    );
  }

  /** Opens the interface to what waits: all applications of a third party, or one. How many. */
  approve(id: string): Promise<number> {
    return this.make(
      'registration.approve',
      (tx) => approveRegistration(tx, id),
      (count) => (count > 0 ? `registration:${id}` : undefined),
    );
  }

  /** The client id and the secret, which is shown only now. */
  createApplication({ webhook, binding, profile, ...application }: WantedApplication) {
    const { tppId, redirectUris } = application;
    return this.make(
      ['application.create', { tppId, redirectUris, webhook: hostOf(webhook), binding, profile }],
      async (tx, now) => {
        const made = await createApplication(tx, application, now);
        if (webhook !== undefined) await this.#setWebhook(tx, made.clientId, webhook);
        await this.#setSecurity(tx, made.clientId, { binding, profile });
        return made;
      },
      ({ clientId }) => `application:${clientId}`,
    );
  }

  renameApplication(clientId: ClientId, name: string): Promise<void> {
    return this.change(['application.rename', { name }], `application:${clientId}`, (tx) =>
      renameApplication(tx, clientId, name),
    );
  }

  endApplication(clientId: ClientId): Promise<void> {
    return this.change('application.end', `application:${clientId}`, (tx, now) =>
      endApplication(tx, clientId, now),
    );
  }

  /** Null takes it away: the events stay in the feed. */
  setWebhook(clientId: ClientId, url: string | null): Promise<void> {
    return this.change(['application.webhook', { host: hostOf(url) }], `application:${clientId}`, (tx) =>
      this.#setWebhook(tx, clientId, url),
    );
  }

  /** A test system may send to itself. */
  async #setWebhook(tx: Queries, clientId: ClientId, url: string | null): Promise<void> {
    await setWebhook(tx, clientId, url, (await extensionOf(tx)) !== undefined);
  }

  setSecurity(clientId: ClientId, wish: SecurityWish): Promise<Security> {
    return this.change(['application.security', { ...wish }], `application:${clientId}`, (tx) =>
      this.#setSecurity(tx, clientId, wish),
    );
  }

  async #setSecurity(tx: Queries, clientId: ClientId, wish: SecurityWish): Promise<Security> {
    const security = await setSecurity(tx, clientId, wish);
    if (this.#parts.config.fapi2Only === 'on' && security.profile !== 'fapi2')
      throw new RegistryError(
        'every application must be in the profile fapi2 (TRAPEZA_FAPI2_ONLY): give --profile fapi2 with --binding dpop or --binding certificate',
      );
    return security;
  }

  /** A subscription with its two keys, which are shown only now. */
  createSubscription(wanted: NewSubscription) {
    const { clientId, products, quotaPerMinute, quotaPerDay } = wanted;
    return this.make(
      ['key.create', { clientId, products, quotaPerMinute, quotaPerDay }],
      (tx, now) => createSubscription(tx, wanted, now),
      ({ subscriptionId }) => `subscription:${subscriptionId}`,
    );
  }

  /** Publishes the next key; it is used a little later. */
  rollSigningKey(keys: SigningKeys, algorithm: SigningAlgorithm) {
    return keys.roll(algorithm, (tx, kid) =>
      this.record(tx, ['signing-key.roll', { algorithm }], `signing-key:${kid}`, this.#parts.clock.now()),
    );
  }

  /** The third party and the account holder see that the bank ended it. */
  async endConsent(id: ConsentId, act: EndByBank): Promise<BankOutcome> {
    const at = await this.#parts.bankTime();
    return this.as({ actor: SYSTEM.actor, ...this.#parts.by, reason: act.why }).make(
      ['consent.end', { by: act.by }],
      (tx) => endByBank(tx, id, act, at),
      (outcome) => (outcome === 'ended' ? `consent:${id}` : undefined),
    );
  }

  /** Sends everything again that has not reached this application. Returns how many notifications. */
  retryNotifications(clientId: ClientId): Promise<number> {
    return this.change('events.retry', `application:${clientId}`, (tx) => retryBacklog(tx, clientId));
  }

  /** Sends one event to the present address again. False if the application has no such event, or no address. */
  redeliver(clientId: ClientId, eventId: string): Promise<boolean> {
    return this.make(
      ['events.redeliver', { eventId }],
      (tx) => redeliver(tx, clientId, eventId),
      (isDue) => (isDue ? `application:${clientId}` : undefined),
    );
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
