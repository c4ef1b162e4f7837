/** A payment that the core has and the store has forgotten: its order is entered again, under the id that its consent gives it. */
import type { PaymentProgress } from '../bank/payments.js';
import { claimForSubmission } from '../consent/consents.js';
import { lockEventPosition } from '../events/outbox.js';
import type { BankTime } from '../lib/clock.js';
import type { Caller } from '../model/caller.js';
import type { ConsentId } from '../model/ids.js';
import type { Queries } from '../store/db.js';
import { insertOrder, moveOrder } from './orders.js';
import { paymentIdOf } from './record.js';
import { noteSent } from './remote/outbox.js';

export interface Forgotten {
  readonly consentId: ConsentId;
  readonly caller: Caller;
  /** What the core says of it. */
  readonly progress: PaymentProgress;
  readonly at: BankTime;
}

/** Call within a transaction. False if it was submitted again meanwhile, or its consent has ended. */
export const reenterPayment = async (
  tx: Queries,
  { consentId, caller, progress, at }: Forgotten,
): Promise<boolean> => {
  await lockEventPosition(tx, caller.clientId);
  if (!(await claimForSubmission(tx, consentId, caller, at))) return false;
  const order = await insertOrder(tx, { id: paymentIdOf(consentId), consentId, caller, at });
  // The dispatcher asks about it, and never sends it.
  await noteSent(tx, order.id, at);
  await moveOrder(tx, order, progress, at);
  return true;
};
