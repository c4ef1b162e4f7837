/** After the load: a third party asks for each of its consents and payments once more. */
import { found, kinds, type Order, orderPath, possibleStatuses } from './known.js';
import type { ThirdParty } from './third-party.js';

export const readAll = async ({ caller, consents, payments }: ThirdParty): Promise<void> => {
  for (const consent of consents) {
    const allowed = possibleStatuses(consent, payments);
    await caller.insist({
      operation: 'consent after all',
      path: `${kinds[consent.kind].path}/${consent.id}`,
      fault: found<{ consentStatus: string }>(allowed.join(' or '), ({ consentStatus }) =>
        allowed.includes(consentStatus),
      ),
    });
  }
  for (const { consentId, paymentId } of payments)
    await caller.insist({
      operation: 'payment after all',
      path: orderPath(consentId),
      fault: found<Order>(paymentId, (order) => order.paymentId === paymentId),
    });
};
