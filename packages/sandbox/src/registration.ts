/** Registers the demo third parties, as the bank's operators register real ones. Call within a transaction. */
import { type Db, derivedId, type Queries } from 'trapeza/base';
import { bumpVersion, createApplication, createSubscription, createTpp } from 'trapeza/extend';
import {
  applicationsAt,
  type DemoApplication,
  demoApplications,
  isToldAt,
  RETURN,
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

const READ = 'select redirect_uris, webhook_url from applications where client_id = ?';
const MOVE = 'update applications set redirect_uris = ?, webhook_url = ? where client_id = ?';

/** The walkthrough lives on this service alone. Of the others the address here comes first, and what else was registered stays. */
const wantedAt = (
  baseUrl: string,
  { clientId, redirectUri }: DemoApplication,
  known: Addresses,
): Addresses => {
  if (clientId === WALKTHROUGH) {
    const { webhookUrl } = walkthroughAddresses(baseUrl);
    return {
      redirect_uris: JSON.stringify([redirectUri]),
      webhook_url: isToldAt(baseUrl) ? webhookUrl : null,
    };
  }
  const others = (JSON.parse(known.redirect_uris) as string[]).filter(
    (each) => !each.endsWith(`${RETURN}/${clientId}`),
  );
  return { ...known, redirect_uris: JSON.stringify([redirectUri, ...others]) };
};

const isSettled = async (db: Queries, baseUrl: string, application: DemoApplication): Promise<boolean> => {
  const known = await db.one<Addresses>(READ, [application.clientId]);
  if (!known) return application.clientId !== WALKTHROUGH;
  const wanted = wantedAt(baseUrl, application, known);
  return known.redirect_uris === wanted.redirect_uris && known.webhook_url === wanted.webhook_url;
};

const settle = async (
  tx: Queries,
  baseUrl: string,
  application: DemoApplication,
  nowMs: number,
): Promise<void> => {
  if (await isSettled(tx, baseUrl, application)) return;
  // A store that was seeded before there was a walkthrough gets it now.
  const missing = demoApplications.find(({ clientId }) => clientId === application.clientId);
  if (missing && !(await tx.one(READ, [missing.clientId]))) await registerApplication(tx, missing, nowMs);
  const known = await tx.one<Addresses>(READ, [application.clientId]);
  if (!known) return;
  const wanted = wantedAt(baseUrl, application, known);
  await bumpVersion(tx);
  await tx.run(MOVE, [wanted.redirect_uris, wanted.webhook_url, application.clientId]);
};

/** Call within a transaction. */
export const placeApplications = async (tx: Queries, baseUrl: string, nowMs: number): Promise<void> => {
  for (const application of applicationsAt(baseUrl)) await settle(tx, baseUrl, application, nowMs);
};

/**
 * Puts the addresses of the demo applications where the service is, once that is known; of several processes that do so,
 * one writes. They are on this service, so they may be http wherever the service itself is.
 */
export const settleApplications = async (db: Db, baseUrl: string, nowMs: number): Promise<void> => {
  const settled = await Promise.all(applicationsAt(baseUrl).map((each) => isSettled(db, baseUrl, each)));
  if (settled.includes(false)) await db.exclusive((tx) => placeApplications(tx, baseUrl, nowMs));
};
