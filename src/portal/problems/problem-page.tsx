/** One problem: the page that the `type` of an error body leads to. */
import { STATUS_CODES } from 'node:http';
import { headersOfProblem, problemExample, slugsOf } from '../../http/problem-schema.js';
import { advices } from '../../problem/advice.js';
import { type ProblemKind, type ProblemSlug, problems } from '../../problem/problem.js';
import { Badge, RetryBadge } from '../../web/components/badge.js';
import { Callout, Summary } from '../../web/components/blocks.js';
import { CodeBlock, jsonText } from '../../web/components/code-block.js';
import type { ShellProps } from '../../web/components/shell.js';
import type { Frame } from '../../web/frame.js';

interface Props {
  readonly frame: Frame;
  readonly slug: ProblemSlug;
}

const Facts = ({ frame, slug }: Props) => {
  const { status, code, advice, exception, extensions = [] }: ProblemKind = problems[slug];
  const headers = headersOfProblem(slug);
  return (
    <Summary
      facts={[
        {
          name: 'Status',
          value: (
            <a href={frame.href(`/problems#status-${status}`)}>
              {status} {STATUS_CODES[status]}
            </a>
          ),
        },
        { name: 'Type', value: <code>{slug}</code> },
        { name: 'Code', value: <code>{code}</code> },
        { name: 'Retry', value: <RetryBadge retryable={advices[advice].isRetryable} /> },
        {
          name: 'Advice',
          value: (
            <>
              <code>{advice}</code>
              {exception && (
                <>
                  , but <code>{exception.advice}</code> if {exception.when}
                </>
              )}
            </>
          ),
        },
        ...(extensions.length > 0
          ? [
              {
                name: 'Extensions',
                value: extensions.map((name, index) => (
                  <span key={name}>
                    {index > 0 && ', '}
                    <a href={frame.href(`/problems#extension-${name}`)}>
                      <code>{name}</code>
                    </a>
                  </span>
                )),
              },
            ]
          : []),
        ...(headers.length > 0 ? [{ name: 'Comes with', value: <code>{headers.join(', ')}</code> }] : []),
      ]}
    />
  );
};

const Relatives = ({ frame, slug }: Props) => {
  const { status } = problems[slug];
  const others = slugsOf(status).filter((other) => other !== slug);
  if (others.length === 0) return null;
  return (
    <aside class="card" aria-labelledby="relatives">
      <h2 id="relatives">Other problems with status {status}</h2>
      <ul class="area-calls">
        {others.map((other) => (
          <li key={other}>
            <a href={frame.href(`/problems/${other}`)}>
              <span class="name">{problems[other].title}</span>
            </a>
          </li>
        ))}
      </ul>
    </aside>
  );
};

export const problemPage = ({ frame, slug }: Props): ShellProps => {
  const { title, status, when, remedy, advice } = problems[slug];
  return {
    frame,
    title,
    description: `${when} ${remedy}`,
    path: `/problems/${slug}`,
    children: (
      <div class="problem">
        <div class="stack-wide">
          <div>
            <nav class="trail" aria-label="Back">
              <a href={frame.href('/problems')}>← All problems</a>
            </nav>
            <div class="page-head">
              <p class="badges">
                <Badge meaning="quiet">{status}</Badge>
              </p>
              <h1>{title}</h1>
              <p class="lead">{when}</p>
            </div>
            <Callout meaning="accent" heading="What to do">
              <p>{remedy}</p>
              <p>
                In code: {advices[advice].text}{' '}
                <a href={frame.href(`/problems#advice-${advice}`)}>All advice</a>
              </p>
            </Callout>
          </div>
          <Facts frame={frame} slug={slug} />
          <section class="stack" aria-labelledby="example">
            <h2 id="example">What the answer looks like</h2>
            <CodeBlock name="application/problem+json" code={jsonText(problemExample(slug, frame.baseUrl))} />
            {frame.additions?.scenarios !== undefined && (
              <p>
                To meet it on demand, send <code>Sandbox-Scenario: {slug}</code> with a call.{' '}
                <a href={frame.href(frame.additions.scenarios.path)}>All scenarios</a>
              </p>
            )}
          </section>
        </div>{' '}
        <Relatives frame={frame} slug={slug} />
      </div>
    ),
  };
};
