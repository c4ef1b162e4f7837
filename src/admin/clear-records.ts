/** Empties the service: all consents, payments and what belongs to them. Third parties, signing keys, revocations and ATMs stay. */
import { clearConsents } from '../consent/retention.js';
import { clearEvents } from '../events/retention.js';
import { clearRequestIds } from '../gate/request-ids.js';
import { clearOauthRecords } from '../oauth/records.js';
import { clearOrders } from '../payment/orders.js';
import { clearSessions } from '../psu/sessions.js';
import type { Queries } from '../store/db.js';
import { clearRecentTimes } from '../store/recent-times.js';

/** In the order of their references. Call within a transaction. */
export const clearRecords = async (tx: Queries): Promise<void> => {
  await clearOauthRecords(tx);
  await clearSessions(tx);
  await clearRecentTimes(tx);
  await clearEvents(tx);
  await clearRequestIds(tx);
  await clearOrders(tx);
  await clearConsents(tx);
};
