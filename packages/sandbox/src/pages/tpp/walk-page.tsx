/** One walk: where it stands, what can be done now, and everything that has gone over the wire, the latest first. */
import { Badge, type Frame, type PageAnswer } from 'trapeza/pages';
import { Now } from './now.js';
import { demoPage } from './page.js';
import { START, walkPath } from './places.js';
import { Call, Redirect, Webhook } from './records.js';
import { statusMeaning } from './status.js';
import type { StepView, WalkView } from './view.js';

interface WalkProps {
  readonly frame: Frame;
  readonly view: WalkView;
}

const stateWords = { done: 'done', now: 'now', next: 'to come' } as const;

const StepLine = ({ steps }: { readonly steps: readonly StepView[] }) => (
  <ol class="step-line" aria-label="Steps">
    {steps.map(({ title, state }) => (
      <li key={title} class={state} aria-current={state === 'now' ? 'step' : undefined}>
        <span>
          {title} <span class="unseen">({stateWords[state]})</span>
        </span>
      </li>
    ))}
  </ol>
);

const News = ({ frame, view }: WalkProps) => {
  if (!view.tellsByWebhook || !view.consent) return null;
  return (
    <section class="stack" aria-labelledby="news">
      <div class="with-link">
        <h2 id="news">What the bank has sent</h2>
        <a href={`${frame.href(walkPath(view.id))}#news`}>Refresh</a>
      </div>
      {view.webhooks.length === 0 ? (
        <p class="quiet">
          Nothing yet. The bank sends every change of the consent as a signed webhook; that takes a moment.
        </p>
      ) : (
        view.webhooks.map((webhook, index) => (
          <Webhook key={webhook.receivedAt} webhook={webhook} isOpen={index === 0} />
        ))
      )}
    </section>
  );
};

interface LogProps {
  readonly frame: Frame;
  readonly id: string;
  readonly heading: string;
  readonly words?: string;
  readonly records: WalkView['records'];
  readonly isOpen: boolean;
}

const Log = ({ frame, id, heading, words, records, isOpen }: LogProps) =>
  records.length === 0 ? null : (
    <section class="stack" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {words !== undefined && <p class="quiet">{words}</p>}
      {records
        .toReversed()
        .map((record) =>
          record.kind === 'call' ? (
            <Call key={record.number} frame={frame} record={record} isOpen={isOpen} />
          ) : (
            <Redirect key={record.number} frame={frame} record={record} isOpen={isOpen} />
          ),
        )}
    </section>
  );

/** The answer to the button that was just pressed comes first. */
const Records = ({ frame, view }: WalkProps) => {
  const isLatest = ({ turn }: WalkView['records'][number]): boolean => turn === view.latestTurn;
  const latest = view.records.filter(isLatest);
  const earlier = view.records.filter((record) => !isLatest(record));
  return (
    <>
      <Log
        frame={frame}
        id="latest"
        heading="Latest requests and answers"
        words="Newest first. Credentials are shortened."
        records={latest}
        isOpen={true}
      />
      <News frame={frame} view={view} />
      <Log frame={frame} id="earlier" heading="Earlier" records={earlier} isOpen={false} />
    </>
  );
};

export const walkPage = ({ frame, view }: WalkProps): PageAnswer =>
  demoPage({
    frame,
    title: `${view.title}: ${view.now.heading}`,
    description: `${view.title}, ${view.way.toLowerCase()}.`,
    children: (
      <>
        <div class="page-head">
          <p class="trail">
            <a href={frame.href(START)}>All flows</a>
          </p>
          <h1>{view.title}</h1>
          <p class="badges">
            <Badge meaning="accent">{view.way}</Badge>
            {view.consent && (
              <Badge meaning={statusMeaning(view.consent.status)}>Consent: {view.consent.status}</Badge>
            )}
          </p>
        </div>
        <div class="walk">
          <StepLine steps={view.steps} />
          <div class="walk-main">
            <Now frame={frame} view={view} />
            <Records frame={frame} view={view} />
          </div>
        </div>
      </>
    ),
  });
