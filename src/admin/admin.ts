/** What the bank's operators do. The command line, embedders and tests all use these acts; each is one transaction. */

import type { Atm } from '../atms/atm.js';
import type { PublishOutcome } from '../atms/publication.js';
import type { Certificate } from '../certificate/certificate.js';
import { listBacklog, listDeliveries, redeliver, retryBacklog } from '../events/backlog.js';
import type { BankTime, Clock, RealTime } from '../lib/clock.js';
import type { ClientId, ConsentId } from '../model/ids.js';
import type { SignaturePolicy } from '../model/signature-policy.js';
import { readRequests, readUsage, requestPositions } from '../observe/request-log/records.js';
import { listOpenOrders } from '../payment/open-orders.js';
import {
  retryAllUnresolved,
  retryUnresolved,
  type Settlement,
  settleByHand,
} from '../payment/remote/unresolved.js';
import type { Db, Queries } from '../store/db.js';
import { extensionOf } from '../store/migrate.js';
import { blockCertificate, fingerprintOf, unblockCertificate } from '../tpp/blocked-certificates.js';
import { listCertificates, registerHolder } from '../tpp/certificates.js';
import { listApplications, listKeys, listQuotas, listTpps } from '../tpp/listing.js';
import { endApplication, renameApplication, rollSecret, setRedirectUris } from '../tpp/own-changes.js';
import {
  createApplication,
  createSubscription,
  createTpp,
  type NewApplication,
  type NewSubscription,
  type NewTpp,
  RegistryError,
  rollKey,
  type Slot,
  type Suspendable,
  setSignaturePolicy,
  setSuspended,
} from '../tpp/registry.js';
import { type Security, type SecurityWish, setSecurity } from '../tpp/security.js';
import { setWebhook } from '../tpp/webhook.js';
import {
  type BankOutcome,
  type ConsentLine,
  type ConsentsOf,
  type EndByBank,
  endByBank,
  listConsents,
} from './consents.js';

export interface AdminParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly bankTime: () => Promise<BankTime>;
  readonly config: { readonly fapi2Only: 'on' | 'off' };
}

export interface WantedApplication extends NewApplication, SecurityWish {
  readonly webhook?: string | undefined;
}

export class Admin {
  readonly #parts: AdminParts;

  constructor(parts: AdminParts) {
    this.#parts = parts;
  }

  #change<T>(change: (tx: Queries, now: RealTime) => Promise<T>): Promise<T> {
    const { db, clock } = this.#parts;
    return db.transaction((tx) => change(tx, clock.now()));
  }

  /** The id of the new third party. */
  createTpp(tpp: NewTpp): Promise<string> {
    return this.#change((tx, now) => createTpp(tx, tpp, now));
  }

  /** Registers the third party of a certificate, or keeps one more certificate of it. Verify it before. */
  registerCertificate(certificate: Certificate, wanted: Parameters<typeof registerHolder>[2] = {}) {
    return this.#change((tx, now) => registerHolder(tx, certificate, wanted, now));
  }

  /** Undefined: as the bank says for everybody. */
  setSignaturePolicy(tppId: string, policy: SignaturePolicy | undefined): Promise<void> {
    return this.#change((tx) => setSignaturePolicy(tx, tppId, policy));
  }

  /** Acts on every node within five seconds, as all changes of third parties do. */
  suspend(what: Suspendable, id: string): Promise<void> {
    return this.#change((tx) => setSuspended(tx, what, id, true));
  }

  resume(what: Suspendable, id: string): Promise<void> {
    return this.#change((tx) => setSuspended(tx, what, id, false));
  }

  /** The client id and the secret, which is shown only now. */
  createApplication({ webhook, binding, profile, ...application }: WantedApplication) {
    return this.#change(async (tx, now) => {
      const made = await createApplication(tx, application, now);
      if (webhook !== undefined) await this.#setWebhook(tx, made.clientId, webhook);
      await this.#setSecurity(tx, made.clientId, { binding, profile });
      return made;
    });
  }

  renameApplication(clientId: ClientId, name: string): Promise<void> {
    return this.#change((tx) => renameApplication(tx, clientId, name));
  }

  setRedirectUris(clientId: ClientId, uris: readonly string[]): Promise<void> {
    return this.#change((tx) => setRedirectUris(tx, clientId, uris));
  }

  /** The new client secret, which is shown only now. */
  rollSecret(clientId: ClientId): Promise<string> {
    return this.#change((tx) => rollSecret(tx, clientId));
  }

  endApplication(clientId: ClientId): Promise<void> {
    return this.#change((tx, now) => endApplication(tx, clientId, now));
  }

  /** Null takes it away: the events stay in the feed. */
  setWebhook(clientId: ClientId, url: string | null): Promise<void> {
    return this.#change((tx) => this.#setWebhook(tx, clientId, url));
  }

  /** A test system may send to itself. */
  async #setWebhook(tx: Queries, clientId: ClientId, url: string | null): Promise<void> {
    await setWebhook(tx, clientId, url, (await extensionOf(tx)) !== undefined);
  }

  setSecurity(clientId: ClientId, wish: SecurityWish): Promise<Security> {
    return this.#change((tx) => this.#setSecurity(tx, clientId, wish));
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
    return this.#change((tx, now) => createSubscription(tx, wanted, now));
  }

  rollKey(subscriptionId: string, slot: Slot) {
    return this.#change((tx, now) => rollKey(tx, subscriptionId, slot, now));
  }

  /** Its SHA-256 fingerprint, with or without colons. Returns it in its usual form. */
  async blockCertificate(fingerprint: string, reason?: string): Promise<string> {
    const known = fingerprintOf(fingerprint);
    await this.#change((tx, now) => blockCertificate(tx, known, reason, now));
    return known;
  }

  async unblockCertificate(fingerprint: string): Promise<string> {
    const known = fingerprintOf(fingerprint);
    await this.#change((tx) => unblockCertificate(tx, known));
    return known;
  }

  async publishAtms(atms: readonly Atm[]): Promise<PublishOutcome> {
    const { db, clock } = this.#parts;
    // Its schema is loaded by those who publish, not by every command.
    const { publishAtms } = await import('../atms/publication.js');
    return publishAtms(db, atms, clock.now());
  }

  /** What a person has allowed, or who may see an account; newest first, also those that are over. */
  async consents(wanted: ConsentsOf): Promise<readonly ConsentLine[]> {
    const { db, bankTime } = this.#parts;
    return listConsents(db, wanted, await bankTime());
  }

  /** The third party and the account holder see that the bank ended it. */
  async endConsent(id: ConsentId, act: EndByBank): Promise<BankOutcome> {
    const { db, bankTime } = this.#parts;
    const at = await bankTime();
    return db.transaction((tx) => endByBank(tx, id, act, at));
  }

  /** Sends everything again that has not reached this application. Returns how many notifications. */
  retryNotifications(clientId: ClientId): Promise<number> {
    return retryBacklog(this.#parts.db, clientId);
  }

  /** The last events of an application and what became of their deliveries, newest first. */
  deliveries(clientId: ClientId) {
    return listDeliveries(this.#parts.db, clientId);
  }

  /** Sends one event to the present address again. False if the application has no such event, or no address. */
  redeliver(clientId: ClientId, eventId: string): Promise<boolean> {
    return redeliver(this.#parts.db, clientId, eventId);
  }

  /** The core is asked again about one unresolved payment, or about all. Returns about how many. */
  async retryPayments(id?: string): Promise<number> {
    const { db } = this.#parts;
    if (id === undefined) return retryAllUnresolved(db, await this.#moment());
    await retryUnresolved(db, id, await this.#moment());
    return 1;
  }

  /** Writes down what became of a payment, once people have found out. */
  async settlePayment(id: string, settlement: Settlement): Promise<void> {
    await settleByHand(this.#parts.db, id, settlement, await this.#moment());
  }

  async #moment() {
    const { clock, bankTime } = this.#parts;
    return { now: clock.now(), bankNow: await bankTime() };
  }

  /** Of all, or of the one with this id; so are the lists below. */
  tpps(tppId?: string) {
    return listTpps(this.#parts.db, tppId);
  }

  applications(tppId?: string) {
    return listApplications(this.#parts.db, tppId);
  }

  keys(tppId?: string) {
    return listKeys(this.#parts.db, tppId);
  }

  certificates(tppId?: string) {
    return listCertificates(this.#parts.db, tppId);
  }

  quotas(clientId: ClientId) {
    return listQuotas(this.#parts.db, clientId);
  }

  /** Applications with notifications that have not arrived. */
  pendingNotifications() {
    return listBacklog(this.#parts.db);
  }

  /** The last calls of an application, newest first, of those after a position. */
  requests(clientId: ClientId, after?: number) {
    return readRequests(this.#parts.db, clientId, after);
  }

  /** How far the log of each application has come. */
  requestPositions() {
    return requestPositions(this.#parts.db);
  }

  /** Its calls by day. */
  usage(clientId: ClientId) {
    return readUsage(this.#parts.db, clientId);
  }

  /** Orders that are not final, the oldest first. */
  openPayments(clientId?: ClientId) {
    return listOpenOrders(this.#parts.db, clientId);
  }
}
