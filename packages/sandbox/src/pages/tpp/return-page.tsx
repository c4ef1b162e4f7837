/** Where people come back to from the bank, for the demo applications that have no site of their own. */

import { type ClientId, type Eventual, isUuid, Problem } from 'trapeza/base';
import {
  Badge,
  CodeBlock,
  everybody,
  type Fact,
  type Frame,
  type Meaning,
  type Page,
  type PageAnswer,
  type PageRequest,
  Summary,
} from 'trapeza/pages';
import { sitePage, type ThirdPartySite } from './page.js';
import { statusMeaning } from './status.js';

export interface ReturnParts {
  readonly frame: () => Frame;
  /** Undefined for an application that has no such page. */
  readonly applicationOf: (clientId: ClientId) => Promise<ReturningApplication | undefined>;
}

export interface ReturningApplication {
  readonly name: string;
  /** What the consent is now, and the call that comes next. */
  consent(id: string): Promise<{ readonly status: string; readonly nextCall: string } | undefined>;
  codeExchange(code: string): string;
}

interface Return {
  readonly title: string;
  readonly lead: string;
  readonly facts: readonly Fact[];
  readonly command?: string;
}

/** Only what cannot end a word in a shell is put into a command. */
const CODE = /^[\w-]{1,200}$/;

const shown = (name: string, value: string | undefined): readonly Fact[] =>
  value === undefined ? [] : [{ name, value: <code>{value.slice(0, 300)}</code> }];

const withCode = ({ name, codeExchange }: ReturningApplication, code: string): Return => ({
  title: `Back at ${name}: logged in`,
  lead: 'The bank sent an authorization code. It works once, within a minute; VERIFIER is what the code challenge was made from.',
  facts: shown('Code', code),
  ...(CODE.test(code) ? { command: codeExchange(code) } : {}),
});

const withError = (
  { name }: ReturningApplication,
  { error, error_description }: PageRequest['query'],
): Return => ({
  title: `Back at ${name}: not allowed`,
  lead:
    error === 'access_denied'
      ? 'The account holder did not agree. Nothing was granted.'
      : 'The bank did not accept the request. Nothing was granted.',
  facts: [...shown('Error', error), ...shown('Description', error_description)],
});

const outcomes: Readonly<Record<string, string>> = {
  Valid: 'approved',
  Received: 'not decided yet',
  Rejected: 'refused',
  RevokedByPsu: 'withdrawn',
  TerminatedByTpp: 'ended',
  Expired: 'expired',
};

const withConsent = async (
  application: ReturningApplication,
  id: string,
  result?: string,
): Promise<Return> => {
  const found = isUuid(id) ? await application.consent(id) : undefined;
  if (!found)
    return {
      title: `Back at ${application.name}`,
      lead: 'The application has no consent with this id.',
      facts: shown('Consent', id),
    };
  const meaning: Meaning = statusMeaning(found.status);
  return {
    title: `Back at ${application.name}: ${outcomes[found.status] ?? found.status}`,
    lead: 'What the address says is a hint. What counts is the status that the bank gives.',
    facts: [
      ...shown('Consent', id),
      ...shown('Result in the address', result),
      { name: 'Status at the bank', value: <Badge meaning={meaning}>{found.status}</Badge> },
    ],
    command: found.nextCall,
  };
};

const returnOf = (application: ReturningApplication, { query }: PageRequest): Eventual<Return> => {
  if (query.code !== undefined) return withCode(application, query.code);
  if (query.error !== undefined) return withError(application, query);
  if (query.consentId !== undefined) return withConsent(application, query.consentId, query.result);
  return {
    title: application.name,
    lead: 'People come back here from the bank when they have decided about a request of this application.',
    facts: [],
  };
};

const render = (
  frame: Frame,
  site: ThirdPartySite,
  path: string,
  made: Return,
  state: string | undefined,
): PageAnswer =>
  sitePage({
    frame,
    site,
    title: made.title,
    description: made.lead,
    path,
    // The console of this tab may have sent the visitor to the bank.
    keepsInTab: true,
    children: (
      <>
        <div class="page-head">
          <h1>{made.title}</h1>
          <p class="lead">{made.lead}</p>
        </div>
        <div class="stack-wide width-flow">
          {made.facts.length > 0 && <Summary facts={[...made.facts, ...shown('State', state)]} />}
          {made.command !== undefined && (
            <section class="stack" aria-labelledby="next">
              <h2 id="next">Next call</h2>
              <CodeBlock name="Terminal" code={made.command} />
            </section>
          )}
          <p>
            This page stands in for the site of a demo application. Your own application has its own address,
            which you register with the bank. See <a href={frame.href('/docs')}>the reference</a> and{' '}
            <a href={frame.href('/sandbox/credentials')}>the demo credentials</a>.
          </p>
        </div>
      </>
    ),
  });

export const createReturnPage = ({ frame, applicationOf }: ReturnParts, place: string): Page => ({
  method: 'GET',
  path: `${place}/:application`,
  audience: everybody,
  render: async (request) => {
    const clientId = request.params.application ?? '';
    const application = await applicationOf(clientId);
    if (!application) throw new Problem('route-not-found');
    const { name } = application;
    const site = { name, host: `${clientId}.example`, home: undefined, mark: name.slice(0, 1) };
    return render(frame(), site, place, await returnOf(application, request), request.query.state);
  },
});
