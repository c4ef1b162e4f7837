/** The catalogue of scenarios: every name for `Sandbox-Scenario` with its outcome, and which person shows which case. */

import { likelyProblems, type Operation, problems } from 'trapeza/base';
import {
  CodeBlock,
  type Frame,
  htmlPage,
  MarkedText,
  type Page,
  type PageAnswer,
  Records,
  twinOf,
} from 'trapeza/pages';
import type { DemoPsu } from '../bank/people.js';
import { preparation } from '../preparation.js';
import { coreFaults, lostAnswers, orderWishes, refusals } from '../scenarios/catalogue.js';
import { SCENARIOS } from '../scenarios/rehearsal.js';

export interface ScenariosPageParts {
  readonly frame: () => Frame;
  /** Those of the interface. */
  readonly operations: readonly Operation[];
  readonly people: readonly DemoPsu[];
  /** Absent in front of a core, whose orders go their own ways. */
  readonly hasOrders: boolean;
}

const TITLE = 'Scenarios';
const SENTENCE =
  'Every outcome that your program must handle, on demand: one header gives one call a named outcome, the same each time.';

const orderTexts: Readonly<Record<string, string>> = {
  RCVD: 'Received, and nothing more yet.',
  PDNG: 'Waits for another signature.',
  ACTC: 'Found correct.',
  ACSP: 'On its way.',
  ACSC: 'Settled at once.',
  CANC: 'Cancelled by the bank. Nothing is booked.',
};
const KEPT = ' It stays so for a day of the bank’s time, then it is settled.';

const orderText = (status: string): string =>
  `${orderTexts[status]}${status === 'ACSC' || status === 'CANC' ? '' : KEPT}`;

const call = (baseUrl: string, scenario: string): string =>
  `${preparation(baseUrl, '')}\n${[
    'curl -i $BASE/psd2/v1/opendata/atm',
    '-H "Ocp-Apim-Subscription-Key: $SUBSCRIPTION_KEY"',
    '-H "Authorization: Bearer $TOKEN"',
    '-H "X-Request-ID: $(id)"',
    `-H 'Sandbox-Scenario: ${scenario}'`,
  ].join(' ')}`;

/** Where a caller is likely to meet it. */
const FEW = 4;
const placesOf = (slug: (typeof refusals)[number], operations: readonly Operation[]): string => {
  const found = operations.filter((operation) => likelyProblems(operation).includes(slug));
  if (found.length === 0 || found.length === operations.length) return 'every operation';
  if (found.length > FEW) return `${found.length} operations`;
  return found.map(({ summary }) => summary).join('; ');
};

interface ListProps {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly rows: readonly (readonly [string, string])[];
}

const List = ({ id, title, text, rows }: ListProps) => (
  <section class="stack" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    <p>
      <MarkedText text={text} />
    </p>
    <Records
      caption={title}
      shape="pairs"
      columns={['Scenario', 'Outcome']}
      rows={rows.map(([name, outcome]) => ({ key: name, cells: [<code key={name}>{name}</code>, outcome] }))}
    />
  </section>
);

const Refusals = ({
  frame,
  operations,
}: {
  readonly frame: Frame;
  readonly operations: readonly Operation[];
}) => (
  <section class="stack" aria-labelledby="refusals">
    <h2 id="refusals">Refusals</h2>
    <p>
      The name of a problem is a scenario of every operation. The request must be right and have a valid key
      and token; the answer is that of the real problem, with its headers. Nothing is read or changed, and the
      call counts for the quota.
    </p>
    <Records
      caption="Refusals"
      shape="equal"
      columns={['Scenario', 'Status and code', 'What happened', 'Likely at']}
      rows={refusals.map((slug) => ({
        key: slug,
        cells: [
          <a key={slug} href={frame.href(`/problems/${slug}`)}>
            <code>{slug}</code>
          </a>,
          <>
            {problems[slug].status} <code class="block small">{problems[slug].code}</code>
          </>,
          problems[slug].when,
          placesOf(slug, operations),
        ],
      }))}
    />
  </section>
);

const Orders = () => (
  <List
    id="orders"
    title="Orders"
    text="For `POST /pis/psd2/v1/{consentId}/payment` alone: what becomes of the payment. One that the bank cannot carry out, because the money is not there, is still rejected. Move the time with `PUT /sandbox/clock`."
    rows={[...orderWishes].map(([name, wish]) => [
      name,
      wish.status === 'RJCT'
        ? `Rejected with ${wish.reason.code}: ${wish.reason.text} Nothing is booked.`
        : orderText(wish.status),
    ])}
  />
);

const People = ({ frame, people }: { readonly frame: Frame; readonly people: readonly DemoPsu[] }) => (
  <section class="stack" aria-labelledby="people">
    <h2 id="people">Which test user for which case</h2>
    <p>
      Passwords and accounts are among <a href={frame.href('/sandbox/credentials')}>the demo credentials</a>.
      Each of them approves, refuses or withdraws without a browser too:{' '}
      <code>POST /sandbox/consents/{'{id}'}/decision</code> with <code>approve</code>, <code>reject</code> or{' '}
      <code>revoke</code>.
    </p>
    <Records
      caption="People"
      shape="pairs"
      columns={['User name', 'Good for']}
      rows={people.map(({ username, about }) => ({
        key: username,
        cells: [<code key={username}>{username}</code>, about.en],
      }))}
    />
  </section>
);

/** The page, and its twin in Markdown. */
export const scenariosPages = (parts: ScenariosPageParts): readonly Page[] => {
  const hasTwin = (path: string): boolean => /^\/(docs|problems)\//.test(path);
  return [
    { method: 'GET', path: SCENARIOS, render: () => scenariosPage(parts, parts.frame()) },
    {
      method: 'GET',
      path: `${SCENARIOS}.md`,
      render: () => {
        const frame = parts.frame();
        return twinOf(String(scenariosPage(parts, frame).body), frame, hasTwin);
      },
    },
  ];
};

const scenariosPage = ({ operations, people, hasOrders }: ScenariosPageParts, frame: Frame): PageAnswer =>
  htmlPage({
    frame,
    title: TITLE,
    description: SENTENCE,
    path: SCENARIOS,
    children: (
      <>
        <div class="page-head">
          <h1>{TITLE}</h1>
          <p class="lead">{SENTENCE}</p>
        </div>
        <div class="stack-wide">
          <section class="stack" aria-labelledby="try">
            <h2 id="try">Try one</h2>
            <p>
              Send <code>Sandbox-Scenario</code> with a name of this page. An unknown name is answered with
              400 and the nearest one. Only the sandbox knows the header.
            </p>
            <CodeBlock name="Terminal" code={call(frame.baseUrl, 'quota-exceeded')} />
          </section>
          <Refusals frame={frame} operations={operations} />
          <List
            id="core"
            title="The core"
            text="At every operation. The fault happens where the core is asked, before anything is written."
            rows={Object.entries(coreFaults)}
          />
          <List
            id="answers"
            title="Lost answers"
            text="At every operation. Send the request again with the same `X-Request-ID` and without the header: the answer is the stored one, and nothing happens twice."
            rows={Object.entries(lostAnswers)}
          />
          {hasOrders && <Orders />}
          <People frame={frame} people={people} />
        </div>
      </>
    ),
  });
