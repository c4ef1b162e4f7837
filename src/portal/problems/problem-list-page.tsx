/** All problems, grouped by the status they are answered with. */
import { STATUS_CODES } from 'node:http';
import { errorStatuses } from '../../http/operation.js';
import type { PageAnswer } from '../../http/pages.js';
import { slugsOf } from '../../http/problem-schema.js';
import { problems } from '../../problem/problem.js';
import { RetryBadge } from '../../web/components/badge.js';
import { Records } from '../../web/components/records.js';
import { htmlPage } from '../../web/components/shell.js';
import type { Frame } from '../../web/frame.js';

const StatusGroup = ({ frame, status }: { readonly frame: Frame; readonly status: number }) => (
  <section class="problem-group" id={`status-${status}`} aria-labelledby={`status-${status}-title`}>
    <h2 id={`status-${status}-title`}>
      {status} {STATUS_CODES[status]}
    </h2>
    <Records
      caption={`Problems with status ${status}`}
      shape="problems"
      columns={['Problem', 'What happened', 'Retry']}
      rows={slugsOf(status).map((slug) => ({
        key: slug,
        cells: [
          <a key="title" href={frame.href(`/problems/${slug}`)}>
            {problems[slug].title}
          </a>,
          problems[slug].when,
          <RetryBadge key="retry" retryable={problems[slug].retryable} />,
        ],
      }))}
    />
  </section>
);

export const problemListPage = (frame: Frame): PageAnswer =>
  htmlPage({
    frame,
    title: 'Problems',
    description: 'Every error this service answers with: what happened and what to do.',
    path: '/problems',
    children: (
      <>
        <div class="page-head">
          <h1>Problems</h1>
          <p class="lead">
            Every error has a <code>type</code> that leads to one of these pages. Nothing else is ever
            answered.
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
          {errorStatuses.map((status) => (
            <StatusGroup key={status} frame={frame} status={status} />
          ))}
        </div>
      </>
    ),
  });
