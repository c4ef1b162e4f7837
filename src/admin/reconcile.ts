/**
 * What the core knows and the store has forgotten: payments that it was sent, and ends of consents. Each permission that the store holds for
 * valid is asked about.
 */
import type { Bank } from '../bank/bank.js';
import { knownConsent } from '../bank/consent-note.js';
import { stateForBank } from '../consent/for-bank.js';
import { isFinal } from '../consent/lifecycle.js';
import type { ConsentKind, ConsentStatus } from '../consent/record.js';
import type { BankTime } from '../lib/clock.js';
import type { ClientId, ConsentId, PsuId } from '../model/ids.js';
import { paymentIdOf } from '../payment/record.js';
import { reenterPayment } from '../payment/reenter.js';
import type { Db, Queries } from '../store/db.js';
import { endByBank } from './consents.js';

interface Row {
  readonly id: ConsentId;
  readonly kind: ConsentKind;
  readonly clientId: ClientId;
  readonly psuId: PsuId;
  readonly expiresAt: BankTime | null;
}

const PAGE = 100;
/** Of the questions to the core. */
const AT_ONCE = 4;
const VALID = `
  select id, kind, client_id as "clientId", psu_id as "psuId", expires_at as "expiresAt"
  from consents where status = 'Valid' and submitted_at is null and id > ? order by id limit ?`;

export interface Reconciled {
  /** Valid permissions that the core was asked about. */
  asked: number;
  /** Ids of payments that are known again. */
  readonly payments: string[];
  /** Consents whose end the core knows, and that have ended here now. */
  readonly ended: ConsentId[];
  /** Consents of which the core has a later state, and does not say which. */
  readonly ahead: ConsentId[];
  /** Those that the core gave no answer about. */
  readonly unknown: ConsentId[];
}

export interface ReconcileParts {
  readonly db: Db;
  readonly bank: Pick<Bank, 'payments' | 'wantsConsents' | 'consentChanged'>;
  readonly bankTime: () => Promise<BankTime>;
  /** A transaction, with its row in the audit log if the work was done. */
  readonly write: (
    act: 'payment.reenter' | 'consent.end',
    subject: string,
    work: (tx: Queries) => Promise<boolean>,
  ) => Promise<boolean>;
}

const BY = { by: 'the core', why: 'the core knows that it has ended' } as const;

const askPayment = async (
  { bank, bankTime, write }: ReconcileParts,
  consent: Row,
  found: Reconciled,
): Promise<void> => {
  const { payments } = bank;
  if (consent.kind !== 'PaymentInitiation' || payments?.kind !== 'remote') return;
  const { id, clientId, psuId, expiresAt } = consent;
  const paymentId = paymentIdOf(id);
  const progress = await payments.find(paymentId);
  if (!progress) return;
  // It was submitted while it could be.
  const at = Math.min(await bankTime(), expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt - 1);
  const forgotten = { consentId: id, caller: { clientId, psuId }, progress, at };
  if (await write('payment.reenter', `payment:${paymentId}`, (tx) => reenterPayment(tx, forgotten)))
    found.payments.push(paymentId);
};

const askConsent = async (parts: ReconcileParts, { id, clientId }: Row, found: Reconciled): Promise<void> => {
  const { db, bank, bankTime, write } = parts;
  const state = await stateForBank(db, id, clientId);
  const known = state && knownConsent(await bank.consentChanged?.(state));
  if (!state || !known || known.revision <= state.revision) return;
  if (known.status === undefined) found.ahead.push(id);
  else if (isFinal(known.status as ConsentStatus)) {
    const at = await bankTime();
    const end = async (tx: Queries): Promise<boolean> => (await endByBank(tx, id, BY, at)) === 'ended';
    if (await write('consent.end', `consent:${id}`, end)) found.ended.push(id);
  }
};

export const reconcile = async (parts: ReconcileParts): Promise<Reconciled> => {
  const { db, bank } = parts;
  const found: Reconciled = { asked: 0, payments: [], ended: [], ahead: [], unknown: [] };
  const isTold = (await bank.wantsConsents?.()) ?? false;
  const ask = async (consent: Row): Promise<void> => {
    found.asked += 1;
    try {
      await askPayment(parts, consent, found);
      if (isTold) await askConsent(parts, consent, found);
    } catch {
      found.unknown.push(consent.id);
    }
  };
  let after = '';
  for (;;) {
    const page = await db.all<Row>(VALID, [after, PAGE]);
    const last = page.at(-1);
    if (!last) return found;
    after = last.id;
    while (page.length > 0) await Promise.all(page.splice(0, AT_ONCE).map(ask));
  }
};
