/** Applications that developers register for themselves. They can do all that the demo applications can, and a reset leaves them. */

import {
  type ClientId,
  type Db,
  fieldFault,
  fieldProblem,
  newId,
  type Operation,
  operation,
  Problem,
  type Queries,
  type RealTime,
  type Role,
} from 'trapeza/base';
import {
  createApplication,
  createSubscription,
  createTpp,
  normalTarget,
  redirectFault,
  redirectUrisColumn,
  removeTpp,
  setAddresses,
  targetFault,
} from 'trapeza/extend';
import { type Static, Type } from 'typebox';
import { type DemoApplication, demoApplications, everyRole, returnAddress } from './applications.js';
import { sandboxArea } from './area.js';

/** Everything but its keys and secret, of which the store has only hashes. */
export type KnownApplication = Pick<
  DemoApplication,
  'clientId' | 'name' | 'tppName' | 'registration' | 'roles' | 'redirectUri'
>;

const FIND = `
  select a.client_id as "clientId", a.name, a.redirect_uris as "redirectUris", t.name as "tppName", t.registration, t.roles
  from applications a join tpps t on t.id = a.tpp_id where a.client_id = ?`;

interface Row extends Pick<KnownApplication, 'clientId' | 'name' | 'tppName' | 'registration'> {
  readonly roles: string;
  readonly redirectUris: string;
}

const findStored = async (db: Queries, clientId: ClientId): Promise<KnownApplication | undefined> => {
  const row = await db.one<Row>(FIND, [clientId]);
  if (!row) return undefined;
  const [redirectUri = ''] = redirectUrisColumn.read(row.redirectUris);
  return { ...row, roles: row.roles.split(' ') as Role[], redirectUri };
};

/** A demo application by id or name, the first one if none is named; or any other of this store by id. */
export const findApplication = async (db: Queries, wanted?: string): Promise<KnownApplication> => {
  const demo = demoApplications.find(
    ({ clientId, name }) => wanted === undefined || clientId === wanted || name === wanted,
  );
  const found = demo ?? (await findStored(db, wanted ?? ''));
  if (found) return found;
  const message = 'must be a clientId from /sandbox/credentials or POST /sandbox/applications';
  throw fieldProblem('application', fieldFault('not-found', message));
};

/** As a page can show it: in the place of what only its developer has, the name of a variable for the shell. */
export const returningApplication = async (
  db: Queries,
  clientId: ClientId,
): Promise<DemoApplication | undefined> => {
  const found = await findStored(db, clientId);
  return found && { ...found, clientSecret: '$SECRET', subscriptionKey: '$KEY', secondaryKey: '$KEY' };
};

const strict = { additionalProperties: false } as const;
const text = (description: string) => Type.String({ description });
const address = Type.String({ minLength: 1, maxLength: 2048 });
const NAME_LENGTH = 70;

const Wish = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: NAME_LENGTH,
      pattern: '\\S',
      description: 'As account holders see it.',
    }),
    redirectUris: Type.Optional(
      Type.Array(address, {
        minItems: 1,
        maxItems: 10,
        description:
          'Where account holders come back to: https, or http on your own machine. Absent: a page of the sandbox that shows the next call.',
      }),
    ),
    webhook: Type.Optional(
      Type.String({ maxLength: 2048, description: 'Where status changes are sent, if anywhere.' }),
    ),
    roles: Type.Optional(
      Type.Array(Type.Unsafe<Role>({ type: 'string', enum: [...everyRole] }), {
        minItems: 1,
        uniqueItems: true,
        description: 'What the third party is authorised for; all of them, if absent.',
      }),
    ),
  },
  strict,
);

export const Made = Type.Object(
  {
    clientId: text('For OAuth, and for the other controls of the sandbox.'),
    clientSecret: text('For OAuth.'),
    subscriptionKey: text('The value of Ocp-Apim-Subscription-Key.'),
    secondaryKey: text('Another one, so that a key can be replaced without a break.'),
    registration: text('The authorisation number of the third party, as its certificates have it.'),
    redirectUris: Type.Array(Type.String()),
    roles: Type.Array(Type.String()),
  },
  { title: 'OwnApplication', ...strict },
);

/** So many third parties of developers; then the oldest one that has no consent and no events of its own makes room. */
const MOST = 1000;
const DEVELOPERS = 'PSDGR-BOG-DEV';

export const madeExample: Static<typeof Made> = {
  clientId: '3f0a7c1e-5d0b-4f5e-8a43-5b6f0d1c2e77',
  clientSecret: 'n1Yh0r5mCkz4uQ2vXb7tLd9eWg3sPa6f',
  subscriptionKey: '4bQm8rVt2kXz7pYc1nWd5sGh9jLf3eRa',
  secondaryKey: '9tHs2vKc6mXp1zRq4wYb8nDf5gLj7eUa',
  registration: `${DEVELOPERS}7A1F0C52`,
  redirectUris: ['http://127.0.0.1:3000/callback'],
  roles: [...everyRole],
};

const COUNT = `select count(*) as count from tpps where registration like '${DEVELOPERS}%'`;
const UNUSED = `
  select t.id from tpps t where t.registration like '${DEVELOPERS}%' and not exists (
    select 1 from applications a where a.tpp_id = t.id and (
      exists (select 1 from consents c where c.client_id = a.client_id)
      or exists (select 1 from event_positions p where p.client_id = a.client_id and p.last > (
        select count(*) from events e where e.client_id = a.client_id and e.announcement_id is not null))))
  order by t.created_at, t.id limit 1`;

const makeRoom = async (tx: Queries): Promise<void> => {
  const held = await tx.one<{ count: number }>(COUNT);
  if (Number(held?.count) < MOST) return;
  const unused = await tx.one<{ id: string }>(UNUSED);
  if (!unused)
    throw new Problem('state-conflict', {
      detail: `This sandbox holds ${MOST} applications of developers, and all of them are in use: use one of the demo applications, or a sandbox of your own.`,
    });
  await removeTpp(tx, unused.id);
};

const demandAddress = (field: string, fault: string | undefined): void => {
  if (fault !== undefined) throw fieldProblem(field, fieldFault('format', fault, { format: 'uri' }));
};

export interface Registering {
  readonly db: Db;
  readonly site: { readonly baseUrl: string };
  readonly reach: { readonly allowsLoopback: boolean };
  readonly now: () => RealTime;
}

export type MadeApplication = Static<typeof Made>;

export const registerFor = async (
  { db, site, reach, now }: Registering,
  wish: Static<typeof Wish>,
): Promise<{ readonly tppId: string; readonly made: MadeApplication }> => {
  const clientId = newId();
  const { name, webhook, roles = everyRole, redirectUris = [returnAddress(site.baseUrl, clientId)] } = wish;
  if (wish.redirectUris) for (const each of redirectUris) demandAddress('redirectUris', redirectFault(each));
  if (webhook !== undefined) demandAddress('webhook', targetFault(webhook, reach.allowsLoopback));
  const registration = `${DEVELOPERS}${newId().slice(0, 8).toUpperCase()}`;
  return db.exclusive(async (tx) => {
    await makeRoom(tx);
    const tppId = await createTpp(tx, { name, registration, roles }, now());
    const { clientSecret } = await createApplication(tx, { clientId, tppId, name, redirectUris: [] }, now());
    const webhookUrl = webhook === undefined ? null : normalTarget(webhook);
    await setAddresses(tx, clientId, { redirectUris, webhookUrl });
    const { keys } = await createSubscription(tx, { clientId }, now());
    const [subscriptionKey = '', secondaryKey = ''] = keys.map(({ key }) => key);
    const credentials = { clientId, clientSecret, subscriptionKey, secondaryKey, registration };
    return { tppId, made: { ...credentials, redirectUris, roles: [...roles] } };
  });
};

export const registerOwnApplication = (parts: Registering): Operation =>
  operation({
    area: sandboxArea,
    headers: [],
    query: [],
    params: [],
    problems: ['state-conflict'],
    repeat: 'ignored',
    id: 'createSandboxApplication',
    method: 'POST',
    path: '/sandbox/applications',
    summary: 'Register an application of your own',
    description:
      'It can do all that the demo applications can: tokens, consents, payments, certificates, notifications. Its secret and keys are shown only this once. A reset removes its consents and payments and leaves the application.',
    body: Wish,
    bodyExample: { name: 'My first app', redirectUris: ['http://127.0.0.1:3000/callback'] },
    success: {
      status: 201,
      description: 'The application.',
      schema: Made,
      example: madeExample,
    },
    async handle({ body }) {
      return { status: 201, body: (await registerFor(parts, body)).made };
    },
  });
