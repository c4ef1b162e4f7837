/** The sandbox's own operations: credentials, tokens, clock, reset. In production these paths do not exist. */

import { type ClientId, type Operation, operation, type PsuId, type Reply } from 'trapeza/base';
import { type ConsentKind, type ConsentStatus, consentStatuses, statusAt } from 'trapeza/extend';
import { type Static, Type } from 'typebox';
import { applicationsAt, type DemoApplication, demoApplications } from './applications.js';
import { sandboxArea } from './area.js';
import { type DemoPsu, demoPsus } from './bank/people.js';
import { type ClockParts, moveClock, readClock } from './clock-controls.js';
import { createToken, type TokenParts } from './token-control.js';

type DemoConsents = Static<typeof CredentialsSchema>['consents'];

interface DemoCredentials {
  readonly applications: readonly DemoApplication[];
  readonly psus: readonly DemoPsu[];
  readonly consents: DemoConsents;
}

export interface ControlParts extends ClockParts, TokenParts {
  readonly site: { readonly baseUrl: string };
  readonly reset: (isLate: () => boolean) => Promise<void>;
  /** The credentials as a page, for browsers. */
  readonly credentialsPage: (credentials: DemoCredentials) => Reply;
}

const HTML = 'text/html';

const open = { area: sandboxArea, headers: [], query: [], params: [], repeat: 'ignored' } as const;
const text = Type.String();
const nullable = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const strict = { additionalProperties: false } as const;

const CredentialsSchema = Type.Object(
  {
    baseUrl: text,
    applications: Type.Array(
      Type.Object(
        {
          name: text,
          clientId: text,
          clientSecret: text,
          redirectUri: text,
          subscriptionKey: text,
          roles: Type.Array(text),
        },
        strict,
      ),
    ),
    psus: Type.Array(
      Type.Object(
        {
          username: text,
          password: text,
          name: text,
          canLogIn: Type.Boolean({
            description: 'False if the bank has locked the login; `about` says why.',
          }),
          about: Type.String({ description: 'What the person is there to show.' }),
          accounts: Type.Array(
            Type.Object(
              {
                iban: nullable,
                bban: nullable,
                msisdn: nullable,
                currency: text,
                cardNumber: nullable,
                status: text,
              },
              strict,
            ),
          ),
        },
        strict,
      ),
    ),
    consents: Type.Array(
      Type.Object(
        {
          type: text,
          id: text,
          status: Type.Unsafe<string>({ type: 'string', enum: [...consentStatuses] }),
          application: text,
          psu: text,
          account: nullable,
        },
        strict,
      ),
    ),
  },
  strict,
);

interface ConsentRow {
  readonly id: string;
  readonly kind: ConsentKind;
  readonly client_id: ClientId;
  readonly psu_id: PsuId;
  readonly status: ConsentStatus;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly account: string | null;
}

const CONSENTS = `
  select c.id, c.kind, c.client_id, c.psu_id, c.status, c.created_at, c.expires_at, coalesce(a.iban, a.bban, a.msisdn) as account
  from consents c left join consent_accounts a on a.consent_id = c.id and a.position = 0
  order by c.created_at, c.id limit 1000`;

const byKind = (a: ConsentRow, b: ConsentRow): number => (a.kind < b.kind ? -1 : Number(a.kind > b.kind));

const listConsents = async (
  { db, clock }: ControlParts,
  people: readonly DemoPsu[],
): Promise<DemoConsents> => {
  const [now, rows] = await Promise.all([clock.now(), db.all<ConsentRow>(CONSENTS)]);
  const names = new Map(people.map(({ id, username }) => [id, username]));
  // Those of the demo people are of no use to a bank with people of its own.
  const known = rows.filter(({ psu_id }) => names.has(psu_id));
  return known.toSorted(byKind).map((row) => ({
    type: row.kind,
    id: row.id,
    status: statusAt({ status: row.status, createdAt: row.created_at, expiresAt: row.expires_at }, now),
    application: row.client_id,
    psu: names.get(row.psu_id) ?? row.psu_id,
    account: row.account,
  }));
};

/** The first of each list. */
const credentialsExample = {
  baseUrl: 'https://bank.example',
  applications: demoApplications
    .slice(0, 1)
    .map(({ tppName: _tpp, registration: _number, secondaryKey: _key, ...shown }) => shown),
  psus: demoPsus.slice(0, 1).map(({ username, password, name, about, accounts }) => ({
    username,
    password,
    name,
    canLogIn: true,
    about: about.en,
    accounts: accounts.slice(0, 1).map(({ iban, currency, cardNumber, status }) => ({
      iban,
      bban: null,
      msisdn: null,
      currency,
      cardNumber,
      status,
    })),
  })),
  consents: [],
};

const getCredentials = (parts: ControlParts): Operation =>
  operation({
    ...open,
    id: 'getSandboxCredentials',
    method: 'GET',
    path: '/sandbox/credentials',
    summary: 'Read the demo credentials',
    description:
      'Demo applications with their keys, account holders with their accounts, and the consents there are. The user ioanna and her account are blocked by the bank: with her the login is refused although the password is right.',
    success: {
      status: 200,
      description: 'The credentials.',
      schema: CredentialsSchema,
      example: credentialsExample,
    },
    otherMedia: [HTML],
    async handle({ mediaType }) {
      // A core that is no test system has none of the demo people, and its own consents stay private.
      const isTest = await parts.testSystem.isTest();
      const people = isTest ? await parts.people() : [];
      const shown = {
        baseUrl: parts.site.baseUrl,
        applications: applicationsAt(parts.site.baseUrl),
        psus: people,
        consents: isTest ? await listConsents(parts, people) : [],
      };
      const psus = shown.psus.map((psu) => ({ ...psu, canLogIn: !psu.isLocked, about: psu.about.en }));
      const reply =
        mediaType === HTML ? parts.credentialsPage(shown) : { status: 200, body: { ...shown, psus } };
      return { ...reply, headers: { ...reply.headers, Vary: 'Accept' } };
    },
  });

const reset = (parts: ControlParts): Operation =>
  operation({
    ...open,
    id: 'resetSandbox',
    method: 'POST',
    path: '/sandbox/reset',
    summary: 'Back to the seeded state',
    description:
      'Removes everything that was created except the applications of developers, turns the clock back and starts the demo bank anew.',
    success: { status: 204, description: 'Done.' },
    async handle(call) {
      await parts.reset(() => call.isLate());
      return { status: 204 };
    },
  });

/** Those that begin something come first in the reference, those that end everything last. */
export const createControls = (
  parts: ControlParts,
  others: readonly Operation[] = [],
): readonly Operation[] => [
  ...[getCredentials, createToken].map((control) => control(parts)),
  ...others,
  ...[readClock, moveClock, reset].map((control) => control(parts)),
];
