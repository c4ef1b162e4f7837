/**
 * Submission: one transaction uses up the consent, writes the order and enters it into the books. The guarded update of the
 * consent decides every race; the second caller finds it submitted.
 */

import type { BankAccount } from '../bank/bank.js';
import type { Requester } from '../bank/consent-note.js';
import type { PaymentProgress } from '../bank/payments.js';
import { claimForSubmission } from '../consent/consents.js';
import { consentNotValid } from '../consent/not-valid.js';
import { standingAt } from '../consent/reason.js';
import { lockEventPosition } from '../events/outbox.js';
import type { BankTime } from '../lib/clock.js';
import type { Caller } from '../model/caller.js';
import type { ConsentId } from '../model/ids.js';
import { Problem } from '../problem/problem.js';
import type { Queries } from '../store/db.js';
import type { OrderBooks } from './order-books.js';
import { findOrder, insertOrder, moveNewOrder } from './orders.js';
import { type PaymentOrder, paymentIdOf } from './record.js';
import { findStaged, instructionOf, payerOf, type StagedPayment } from './staged.js';

/** Who asks about which payment, and when. */
export interface Asking {
  readonly consentId: ConsentId;
  readonly caller: Caller;
  readonly at: BankTime;
  /** Where the order of the consent is read. */
  readonly orderHref: string;
}

/** Throws unless the payment can still be submitted. */
export const checkOpen = async (
  db: Queries,
  { consent }: StagedPayment,
  { consentId, caller, at, orderHref: href }: Asking,
): Promise<void> => {
  if (consent.submittedAt !== null) {
    const order = await findOrder(db, consentId, caller);
    throw new Problem('payment-already-submitted', {
      extensions: { payment: { ...(order ? { paymentId: order.id } : {}), href } },
    });
  }
  const standing = standingAt(consent, at);
  if (standing.status !== 'Valid') throw consentNotValid(standing, 'The payment consent');
};

/** As `checkOpen`, for the state that this transaction sees. */
const readOpen = async (tx: Queries, asking: Asking): Promise<never> => {
  const staged = await findStaged(tx, asking.consentId, asking.caller);
  if (!staged) throw new Problem('resource-not-found');
  await checkOpen(tx, staged, asking);
  throw new Problem('state-conflict', { detail: 'The consent was changed at the same moment.' });
};

const NO_PAYER: PaymentProgress = {
  status: 'RJCT',
  reason: { code: 'AC02', text: 'The account of the payer cannot be used.' },
};

export interface Submission extends Asking {
  /** The accounts that the account holder has now. */
  readonly held: readonly BankAccount[];
  readonly requester: Requester;
}

export const submitPayment = async (
  tx: Queries,
  books: OrderBooks,
  submission: Submission,
): Promise<PaymentOrder> => {
  const { consentId, caller, held, at, requester } = submission;
  // Before any row is locked: the events of this transaction come at its end.
  await lockEventPosition(tx, caller.clientId);
  if (!(await claimForSubmission(tx, consentId, caller, at))) return readOpen(tx, submission);
  // Read after the claim: from here on it does not change any more.
  const staged = await findStaged(tx, consentId, caller);
  if (!staged) throw new Problem('resource-not-found');
  const order = await insertOrder(tx, { id: paymentIdOf(staged.consent.id), consentId, caller, at });
  const payer = payerOf(staged, held);
  if (payer) return books.enter(tx, order, instructionOf(staged, { id: order.id, payer, at, requester }));
  return moveNewOrder(tx, order, NO_PAYER, at);
};
