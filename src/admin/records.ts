/** What the bank's operators see: third parties, consents, payments, notifications, calls. */

import type { Context } from '../acts/act.js';
import { type AuditFilter, latestAudit } from '../audit/read.js';
import { findAsked } from '../consent/asked.js';
import { statusAt } from '../consent/lifecycle.js';
import { useOf } from '../consent/uses.js';
import { historyOf } from '../consent/watch.js';
import { listBacklog, listDeliveries } from '../events/backlog.js';
import { readMaintenance } from '../gate/closure.js';
import type { ClientId, ConsentId } from '../model/ids.js';
import { readRequests, readUsage, requestPositions } from '../observe/request-log/records.js';
import type { Db } from '../store/db.js';
import { listCertificates } from '../tpp/certificates.js';
import { listApplications, listKeys, listQuotas, listTpps } from '../tpp/listing.js';
import { type ConsentLine, type ConsentsOf, listConsents, notesOf, ownerOf } from './consents.js';
import { DerivedMethods } from './derived.js';
import { listOpenOrders, type PaymentsWanted, paymentsOfPeriod } from './payments.js';
import { search } from './search.js';

export class Records extends DerivedMethods {
  readonly #parts: Context;

  constructor(parts: Context) {
    super(parts);
    this.#parts = parts;
  }

  protected get db(): Db {
    return this.#parts.db;
  }

  /** By X-Request-ID, consent, payment, third party or person. */
  search(text: string) {
    return search(this.#parts.db, text);
  }

  /** The newest rows of the audit log. */
  audit(filter: AuditFilter, limit: number) {
    return latestAudit(this.#parts.db, filter, limit);
  }

  /** One consent with its history and what the bank has noted. */
  async consent(id: ConsentId) {
    const { db, bankTime } = this.#parts;
    const psuId = await ownerOf(db, id);
    if (psuId === undefined) return undefined;
    const asked = await findAsked(db, id, psuId);
    if (!asked) return undefined;
    const [history, notes, use] = await Promise.all([
      historyOf(db, id, psuId),
      notesOf(db, id),
      useOf(db, id, psuId, asked.clientId),
    ]);
    return { psuId, asked, status: statusAt(asked, await bankTime()), use, history, notes };
  }

  /** What a person has allowed, or who may see an account; newest first, also those that are over. */
  async consents(wanted: ConsentsOf): Promise<readonly ConsentLine[]> {
    const { db, bankTime } = this.#parts;
    return listConsents(db, wanted, await bankTime());
  }

  /** The last events of an application and what became of their deliveries, newest first. */
  deliveries(clientId: ClientId) {
    return listDeliveries(this.#parts.db, clientId);
  }

  /** Keeps the text of a list for a preview and publishes nothing. Returns its id. */
  async draftAtms(feed: string, country: string | undefined, by: string): Promise<string> {
    const { db, clock } = this.#parts;
    const { saveDraft } = await import('../atms/drafts.js');
    return db.transaction((tx) => saveDraft(tx, { feed, country, by }, clock.now()));
  }

  async atmDraft(id: string) {
    const { db, clock } = this.#parts;
    const { findDraft } = await import('../atms/drafts.js');
    return findDraft(db, id, clock.now());
  }

  /** Undefined until a list was published. */
  async publishedAtms() {
    const { currentAtms } = await import('../atms/publication.js');
    return currentAtms(this.#parts.db);
  }

  /** Whether the interface is closed; for a node that starts with a closing of this name. */
  maintenance(name?: string) {
    return readMaintenance(this.#parts.db, name);
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

  /** All orders of a period, settled ones too, page by page. */
  payments(wanted: PaymentsWanted) {
    return paymentsOfPeriod(this.#parts.db, wanted);
  }
}
