/** All problems, grouped by the status they are answered with. */
import { STATUS_CODES } from 'node:http';
import { errorStatuses } from '../../http/operation.js';
import { slugsOf } from '../../http/problem-schema.js';
import { type Advice, advices } from '../../problem/advice.js';
import { extensionMeanings, extensionNames } from '../../problem/extensions.js';
import { fieldCodes } from '../../problem/field.js';
import { type ProblemKind, problems, problemsWith } from '../../problem/problem.js';
import { RetryBadge } from '../../web/components/badge.js';
import { Records } from '../../web/components/records.js';
import type { ShellProps } from '../../web/components/shell.js';
import { Prose } from '../../web/components/text.js';
import type { Frame } from '../../web/frame.js';

const AdviceLink = ({ advice }: { readonly advice: Advice }) => (
  <a href={`#advice-${advice}`}>{advices[advice].title}</a>
);

const ProblemAdvice = ({ kind: { advice, exception } }: { readonly kind: ProblemKind }) => (
  <>
    <AdviceLink advice={advice} />
    {exception && (
      <p>
        <AdviceLink advice={exception.advice} /> if {exception.when}.
      </p>
    )}
  </>
);

/** What code reads in `extensions.error.advice`, each with all that there is to do. */
const Advices = () => (
  <section class="problem-group" id="advice" aria-labelledby="advice-title">
    <h2 id="advice-title">What a client does</h2>
    <p>
      <Prose text="Code reads `extensions.error`: the `code` of the problem, `retryable` (then there is a `Retry-After`), and one of these as `advice`. A client that knows only the advice gets to success, or stops at the right place. The last segment of `type` names the problem and never changes; the address before it is the bank's." />
    </p>
    <Records
      caption="Advice for clients"
      shape="problems"
      columns={['Advice', 'What to do', 'Retry']}
      rows={(Object.keys(advices) as Advice[]).map((advice) => ({
        key: advice,
        cells: [
          <code key="name" id={`advice-${advice}`}>
            {advice}
          </code>,
          advices[advice].text,
          <RetryBadge key="retry" retryable={advices[advice].isRetryable} />,
        ],
      }))}
    />
  </section>
);

/** What code reads in `extensions.errors`. */
const FieldCodes = () => (
  <section class="problem-group" id="members" aria-labelledby="members-title">
    <h2 id="members-title">What is wrong with a member</h2>
    <p>
      <Prose text="A 400 names members, headers and parameters in `errors`, with sentences for people. `extensions.errors` has the same names and in the same order a `code` for each sentence, with the facts that a form needs to say it in its own words." />
    </p>
    <Records
      caption="Codes of members"
      shape="pairs"
      columns={['Code', 'Meaning']}
      rows={Object.entries(fieldCodes).map(([code, meaning]) => ({
        key: code,
        cells: [<code key="code">{code}</code>, <Prose key="meaning" text={meaning} />],
      }))}
    />
  </section>
);

/** What code reads in the other members of `extensions`. */
const Extensions = ({ frame }: { readonly frame: Frame }) => (
  <section class="problem-group" id="extensions" aria-labelledby="extensions-title">
    <h2 id="extensions-title">What else extensions have</h2>
    <p>
      <Prose text="Beside `error` and `errors`, some problems have facts of their own." />
    </p>
    <Records
      caption="Members of extensions"
      shape="problems"
      columns={['Member', 'What it has', 'Problems']}
      rows={extensionNames.map((name) => ({
        key: name,
        cells: [
          <code key="name" id={`extension-${name}`}>
            {name}
          </code>,
          <Prose key="meaning" text={extensionMeanings[name]} />,
          <ul class="plain" key="problems">
            {problemsWith(name).map((slug) => (
              <li key={slug}>
                <a href={frame.href(`/problems/${slug}`)}>{problems[slug].title}</a>
              </li>
            ))}
          </ul>,
        ],
      }))}
    />
  </section>
);

const StatusGroup = ({ frame, status }: { readonly frame: Frame; readonly status: number }) => (
  <section class="problem-group" id={`status-${status}`} aria-labelledby={`status-${status}-title`}>
    <h2 id={`status-${status}-title`}>
      {status} {STATUS_CODES[status]}
    </h2>
    <Records
      caption={`Problems with status ${status}`}
      shape="problems"
      columns={['Problem', 'What happened', 'What to do']}
      rows={slugsOf(status).map((slug) => ({
        key: slug,
        cells: [
          <>
            <a href={frame.href(`/problems/${slug}`)}>{problems[slug].title}</a>
            <br />
            <code>{slug}</code>
          </>,
          problems[slug].when,
          <ProblemAdvice key="advice" kind={problems[slug]} />,
        ],
      }))}
    />
  </section>
);

export const problemListPage = (frame: Frame): ShellProps => ({
  frame,
  title: 'Problems',
  description: 'Every error this service answers with: what happened and what to do.',
  path: '/problems',
  children: (
    <>
      <div class="page-head">
        <h1>Problems</h1>
        <p class="lead">
          Every error has a <code>type</code> that leads to one of these pages. Nothing else is ever answered.
        </p>
        <nav aria-label="Statuses">
          <ul class="statuses">
            {errorStatuses.map((status) => (
              <li key={status}>
                <a href={`#status-${status}`}>{status}</a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div class="stack-wide">
        <Advices />
        {errorStatuses.map((status) => (
          <StatusGroup key={status} frame={frame} status={status} />
        ))}
        <FieldCodes />
        <Extensions frame={frame} />
      </div>
    </>
  ),
});
