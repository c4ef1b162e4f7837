/** Registers the demo third parties, as the bank's operators register real ones. Call within a transaction. */
import { derivedId } from '../lib/id.js';
import type { Db, Queries } from '../store/db.js';
import { createApplication, createSubscription, createTpp } from '../tpp/registry.js';
import { bumpVersion } from '../tpp/version.js';
import {
  type DemoApplication,
  demoApplications,
  isToldAt,
  WALKTHROUGH,
  walkthroughAddresses,
} from './applications.js';

export const registerApplication = async (
  tx: Queries,
  application: DemoApplication,
  nowMs: number,
): Promise<void> => {
  const { tppName, registration, roles, clientId, redirectUri, clientSecret: secret } = application;
  const tpp = { id: derivedId(`tpp:${registration}`), name: tppName, registration, roles };
  const tppId = await createTpp(tx, tpp, nowMs);
  const registered = { clientId, tppId, name: application.name, redirectUris: [redirectUri], secret };
  await createApplication(tx, registered, nowMs);
  const keys = { primary: application.subscriptionKey, secondary: application.secondaryKey };
  await createSubscription(tx, { id: derivedId(`subscription:${clientId}`), clientId, keys }, nowMs);
};

interface Addresses {
  readonly redirect_uris: string;
  readonly webhook_url: string | null;
}

const addressesAt = (baseUrl: string): Addresses => {
  const { redirectUri, webhookUrl } = walkthroughAddresses(baseUrl);
  return {
    redirect_uris: JSON.stringify([redirectUri]),
    webhook_url: isToldAt(baseUrl) ? webhookUrl : null,
  };
};

const READ = 'select redirect_uris, webhook_url from applications where client_id = ?';
const MOVE = 'update applications set redirect_uris = ?, webhook_url = ? where client_id = ?';

/** A store that was seeded before there was a walkthrough gets it now. */
export const placeWalkthrough = async (tx: Queries, baseUrl: string, nowMs: number): Promise<void> => {
  const application = demoApplications.find(({ clientId }) => clientId === WALKTHROUGH);
  if (application && !(await tx.one(READ, [WALKTHROUGH]))) await registerApplication(tx, application, nowMs);
  const { redirect_uris: redirectUris, webhook_url: webhookUrl } = addressesAt(baseUrl);
  await bumpVersion(tx);
  await tx.run(MOVE, [redirectUris, webhookUrl, WALKTHROUGH]);
};

/** Puts the walkthrough where the service is, once that is known; of several processes that do so, one writes. */
export const settleWalkthrough = async (db: Db, baseUrl: string, nowMs: number): Promise<void> => {
  const wanted = addressesAt(baseUrl);
  const isSettled = (row: Addresses | undefined): boolean =>
    row?.redirect_uris === wanted.redirect_uris && row.webhook_url === wanted.webhook_url;
  if (isSettled(await db.one<Addresses>(READ, [WALKTHROUGH]))) return;
  await db.exclusive(async (tx) => {
    if (isSettled(await tx.one<Addresses>(READ, [WALKTHROUGH]))) return;
    await placeWalkthrough(tx, baseUrl, nowMs);
  });
};
