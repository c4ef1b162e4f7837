/** Registers the demo third parties, as the bank's operators register real ones. Call within a transaction. */

import { isDeepStrictEqual } from 'node:util';
import { type ClientId, type Db, derivedId, type Queries, type RealTime } from 'trapeza/base';
import {
  type Addresses,
  createApplication,
  createSubscription,
  createTpp,
  redirectUrisColumn,
  removeTpp,
  setAddresses,
} from 'trapeza/extend';
import {
  applicationsAt,
  type DemoApplication,
  demoApplications,
  hasWebhookAt,
  RETURN,
  WALKTHROUGH,
  walkthroughAddresses,
} from './applications.js';

const tppIdOf = ({ registration }: DemoApplication): string => derivedId(`tpp:${registration}`);

/** What was changed of the demo third parties is gone with them; those of developers stay. */
export const removeDemoTpps = async (tx: Queries): Promise<void> => {
  for (const application of demoApplications) await removeTpp(tx, tppIdOf(application));
};

export const registerApplication = async (
  tx: Queries,
  application: DemoApplication,
  nowMs: RealTime,
): Promise<void> => {
  const { tppName, registration, roles, clientId, redirectUri, clientSecret: secret } = application;
  const tpp = { id: tppIdOf(application), name: tppName, registration, roles };
  const tppId = await createTpp(tx, tpp, nowMs);
  const registered = { clientId, tppId, name: application.name, redirectUris: [redirectUri], secret };
  await createApplication(tx, registered, nowMs);
  const keys = { primary: application.subscriptionKey, secondary: application.secondaryKey };
  await createSubscription(tx, { id: derivedId(`subscription:${clientId}`), clientId, keys }, nowMs);
};

const READ =
  'select redirect_uris as "redirectUris", webhook_url as "webhookUrl" from applications where client_id = ?';

const addressesOf = async (db: Queries, clientId: ClientId): Promise<Addresses | undefined> => {
  const row = await db.one<{ redirectUris: string; webhookUrl: string | null }>(READ, [clientId]);
  return row && { ...row, redirectUris: redirectUrisColumn.read(row.redirectUris) };
};

/** The walkthrough lives on this service alone. Of the others the address here comes first, and what else was registered stays. */
const wantedAt = (
  baseUrl: string,
  { clientId, redirectUri }: DemoApplication,
  known: Addresses,
): Addresses => {
  if (clientId === WALKTHROUGH) {
    const { webhookUrl } = walkthroughAddresses(baseUrl);
    return { redirectUris: [redirectUri], webhookUrl: hasWebhookAt(baseUrl) ? webhookUrl : null };
  }
  const others = known.redirectUris.filter((each) => !each.endsWith(`${RETURN}/${clientId}`));
  return { ...known, redirectUris: [redirectUri, ...others] };
};

const isSettled = async (db: Queries, baseUrl: string, application: DemoApplication): Promise<boolean> => {
  const known = await addressesOf(db, application.clientId);
  if (!known) return application.clientId !== WALKTHROUGH;
  return isDeepStrictEqual(known, wantedAt(baseUrl, application, known));
};

const settle = async (
  tx: Queries,
  baseUrl: string,
  application: DemoApplication,
  nowMs: RealTime,
): Promise<void> => {
  const { clientId } = application;
  if (await isSettled(tx, baseUrl, application)) return;
  // A store that was seeded before there was a walkthrough gets it now.
  const missing = demoApplications.find((each) => each.clientId === clientId);
  if (missing && !(await addressesOf(tx, clientId))) await registerApplication(tx, missing, nowMs);
  const known = await addressesOf(tx, clientId);
  if (known) await setAddresses(tx, clientId, wantedAt(baseUrl, application, known));
};

/** Call within a transaction. */
export const placeApplications = async (tx: Queries, baseUrl: string, nowMs: RealTime): Promise<void> => {
  for (const application of applicationsAt(baseUrl)) await settle(tx, baseUrl, application, nowMs);
};

/**
 * Sets the addresses of the demo applications to this service, once its address is known; of several processes one writes. The
 * addresses may be http if the service itself is.
 */
export const settleApplications = async (db: Db, baseUrl: string, nowMs: RealTime): Promise<void> => {
  const settled = await Promise.all(applicationsAt(baseUrl).map((each) => isSettled(db, baseUrl, each)));
  if (settled.includes(false)) await db.exclusive((tx) => placeApplications(tx, baseUrl, nowMs));
};
