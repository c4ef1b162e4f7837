/** After the load: a third party asks for each of its consents and payments once more. */
import type { Asked } from './caller.js';
import { WrongAnswer } from './journal.js';
import { found, kinds, type Order, orderPath, possibleStatuses } from './known.js';
import type { ThirdParty } from './third-party.js';

export const readAll = async ({ caller, consents, payments }: ThirdParty): Promise<void> => {
  // What is wrong is in the journal: the others are asked for all the same.
  const noted = async (asked: Asked): Promise<void> => {
    try {
      await caller.insist(asked);
    } catch (error) {
      if (!(error instanceof WrongAnswer)) throw error;
    }
  };
  for (const consent of consents) {
    const allowed = possibleStatuses(consent, payments);
    await noted({
      operation: 'consent after all',
      path: `${kinds[consent.kind].path}/${consent.id}`,
      fault: found<{ consentStatus: string }>(allowed.join(' or '), ({ consentStatus }) =>
        allowed.includes(consentStatus),
      ),
    });
  }
  for (const { consentId, paymentId } of payments)
    await noted({
      operation: 'payment after all',
      path: orderPath(consentId),
      fault: found<Order>(paymentId, (order) => order.paymentId === paymentId),
    });
};
