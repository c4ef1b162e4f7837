/** The demo credentials for people: who can log in and what each is good for, keys to copy, and the consents there are. */

import type { ClientId } from 'trapeza/base';
import { Badge, CodeBlock, type Frame, htmlPage, MarkedText, type PageAnswer, Records } from 'trapeza/pages';
import type { DemoAccount, DemoPsu } from '../bank/people.js';
import { statusMeaning } from './tpp/status.js';

export interface CredentialsView {
  readonly applications: readonly {
    readonly name: string;
    readonly clientId: ClientId;
    readonly clientSecret: string;
    readonly redirectUri: string;
    readonly subscriptionKey: string;
    readonly roles: readonly string[];
  }[];
  readonly psus: readonly DemoPsu[];
  readonly consents: readonly {
    readonly type: string;
    readonly id: string;
    readonly status: string;
    readonly application: string;
    readonly psu: string;
    readonly account: string | null;
  }[];
}

const SENTENCE =
  'Public, the same on every machine, and good for this sandbox alone: people to log in as, applications with their keys, and consents in every state.';

/** More would make the page heavy; the JSON has all. */
const MAX_CONSENTS = 120;

export const grouped = (text: string): string => text.replace(/(.{4})(?=.)/g, '$1 ');

const Account = ({ account }: { readonly account: DemoAccount }) => {
  const { iban, bban, msisdn, currency, cardNumber, status } = account;
  return (
    <li>
      <span class="number">{iban === null ? `BBAN ${bban}` : grouped(iban)}</span> {currency}
      {status !== 'enabled' && (
        <>
          {' '}
          <Badge meaning="bad">{status}</Badge>
        </>
      )}
      {cardNumber !== null && <span class="quiet small block">Card {grouped(cardNumber)}</span>}
      {msisdn !== null && <span class="quiet small block">Phone {msisdn}</span>}
    </li>
  );
};

const People = ({ psus }: Pick<CredentialsView, 'psus'>) => (
  <section class="stack" aria-labelledby="people">
    <h2 id="people">People</h2>
    <p>
      Log in as one of them, on the approval pages and on the dashboard. One-time codes are shown on the page.
    </p>
    <Records
      caption="People of the demo bank"
      shape="people"
      columns={['Person', 'User name and password', 'Good for', 'Accounts']}
      rows={psus.map(({ username, password, name, isLocked, about, accounts }) => ({
        key: username,
        cells: [
          <span key="name" lang="el">
            {name}
          </span>,
          <>
            <code class="block">{username}</code>
            <code class="block">{password}</code>
            {isLocked && (
              <span class="block">
                <Badge meaning="bad">cannot log in</Badge>
              </span>
            )}
          </>,
          about.en,
          accounts.length === 0 ? (
            'none'
          ) : (
            <ul key="accounts" class="plain">
              {accounts.map((account) => (
                <Account key={account.id} account={account} />
              ))}
            </ul>
          ),
        ],
      }))}
    />
  </section>
);

const areas: Readonly<Record<string, string>> = {
  PSP_IC: 'funds',
  PSP_AI: 'accounts',
  PSP_PI: 'payments',
};

const settingsOf = (application: CredentialsView['applications'][number]): string =>
  [
    `KEY='${application.subscriptionKey}'`,
    `CLIENT_ID='${application.clientId}'`,
    `CLIENT_SECRET='${application.clientSecret}'`,
    `REDIRECT_URI='${application.redirectUri}'`,
  ].join('\n');

const Applications = ({ applications }: Pick<CredentialsView, 'applications'>) => (
  <section class="stack" aria-labelledby="applications">
    <h2 id="applications">Applications</h2>
    <p>
      The subscription key goes into <code>Ocp-Apim-Subscription-Key</code>; the client id and the secret are
      for the authorization server.
    </p>
    <ul class="card-grid pairs">
      {applications.map((application) => (
        <li key={application.clientId} class="stack">
          <div class="with-link">
            <h3>{application.name}</h3>
            <span class="badges">
              {application.roles.map((role) => (
                <Badge key={role} meaning="accent">
                  {areas[role] ?? role}
                </Badge>
              ))}
            </span>
          </div>
          <CodeBlock name="For your shell" code={settingsOf(application)} />
        </li>
      ))}
    </ul>
  </section>
);

const order = ['Valid', 'Received'];
const rank = (status: string): number => (order.indexOf(status) + order.length + 1) % (order.length + 1);

const Consents = ({ consents }: Pick<CredentialsView, 'consents'>) => {
  const sorted = consents.toSorted((one, other) => rank(one.status) - rank(other.status));
  const left = sorted.length - MAX_CONSENTS;
  return (
    <section class="stack" aria-labelledby="consents">
      <h2 id="consents">Consents</h2>
      <Records
        caption="Consents of the demo bank"
        shape="consents"
        columns={['Consent', 'Status', 'Application', 'Person', 'Account']}
        rows={sorted.slice(0, MAX_CONSENTS).map(({ type, id, status, application, psu, account }) => ({
          key: id,
          cells: [
            <>
              {type} <code class="block small">{id}</code>
            </>,
            <Badge key="status" meaning={statusMeaning(status)}>
              {status}
            </Badge>,
            <code key="application">{application}</code>,
            psu,
            account === null ? 'not chosen yet' : <span class="number">{grouped(account)}</span>,
          ],
        }))}
      />
      {left > 0 && <p class="quiet">{`${left} more are in the JSON.`}</p>}
    </section>
  );
};

export const credentialsPage = (frame: Frame, view: CredentialsView): PageAnswer => ({
  ...htmlPage({
    frame,
    title: 'Demo credentials',
    description: SENTENCE,
    path: '/sandbox/credentials',
    children: (
      <>
        <div class="page-head">
          <h1>Demo credentials</h1>
          <p class="lead">
            <MarkedText text={SENTENCE} />
          </p>
        </div>
        <div class="stack-wide">
          <People psus={view.psus} />
          <Applications applications={view.applications} />
          <Consents consents={view.consents} />
          <section class="stack" aria-labelledby="programs">
            <h2 id="programs">For programs</h2>
            <p>The same address gives JSON to everything that does not ask for a page.</p>
            <CodeBlock name="Terminal" code={`curl -s ${frame.baseUrl}/sandbox/credentials`} />
          </section>
        </div>
      </>
    ),
  }),
  isPersonal: true,
});
