/** The start: three flows to choose from, each in the ways that the service offers. */
import { Badge, Callout, type Frame, type PageAnswer } from 'trapeza/pages';
import { demoPage } from './page.js';
import { WALKS, walkPath } from './places.js';
import { statusMeaning } from './status.js';
import type { StartView } from './view.js';

interface StartProps {
  readonly frame: Frame;
  readonly view: StartView;
}

const SENTENCE =
  'A third party you can watch: it asks for your permission, sends you to the bank’s site, and uses what you approved there. It shows every request, answer and redirect, each with the command to repeat it.';

const FlowCard = ({ frame, flow }: { readonly frame: Frame; readonly flow: StartView['flows'][number] }) => (
  <li class="card flow-card">
    <p class="quiet small">{flow.audience}</p>
    <h3 id={`flow-${flow.id}`}>{flow.title}</h3>
    <p class="grow">{flow.words}</p>
    <form method="post" action={frame.href(WALKS)}>
      <input type="hidden" name="flow" value={flow.id} />
      <ul class="plain ways">
        {flow.ways.map((way, index) => (
          <li key={way.id}>
            <button
              type="submit"
              class={index === 0 ? 'button' : 'button second'}
              name="way"
              value={way.id}
              aria-label={`${flow.title}: ${way.name.toLowerCase()}`}
            >
              {way.name}
            </button>
            <span class="hint">{way.words}</span>
          </li>
        ))}
      </ul>
    </form>
  </li>
);

const Mine = ({ frame, mine }: { readonly frame: Frame; readonly mine: StartView['mine'] }) =>
  mine.length === 0 ? null : (
    <section class="stack" aria-labelledby="mine">
      <h2 id="mine">Begun in this browser</h2>
      <ul class="plain mine">
        {mine.map(({ id, title, way, consent }) => (
          <li key={id}>
            <a href={frame.href(walkPath(id))}>
              {title}, {way.toLowerCase()}
            </a>
            {consent !== undefined && <Badge meaning={statusMeaning(consent)}>{consent}</Badge>}
          </li>
        ))}
      </ul>
    </section>
  );

const Unreachable = ({ frame }: { readonly frame: Frame }) => (
  <Callout meaning="bad" heading="The service cannot be reached from here">
    <p>
      The demo third party calls the service at its public address, {frame.baseUrl}, and got no answer. Check
      the setting <code>BASE_URL</code>: the address must also lead here from the machine of the service
      itself.
    </p>
  </Callout>
);

export const startPage = ({ frame, view }: StartProps): PageAnswer =>
  demoPage({
    frame,
    title: 'The demo third party',
    description: SENTENCE,
    children: (
      <>
        <div class="page-head">
          <h1>Pharos, the demo third party</h1>
          <p class="lead">{SENTENCE}</p>
        </div>
        <div class="stack-wide">
          {!view.isReachable && <Unreachable frame={frame} />}
          <section class="stack" aria-labelledby="flows">
            <h2 id="flows">Choose a role</h2>
            <ul class="card-grid flow-cards">
              {view.flows.map((flow) => (
                <FlowCard key={flow.id} frame={frame} flow={flow} />
              ))}
            </ul>
          </section>
          <Mine frame={frame} mine={view.mine} />
          <section class="stack" aria-labelledby="rules">
            <h2 id="rules">How it works</h2>
            <p>
              Pharos is registered like any other application, as <code>demo-walkthrough</code> among{' '}
              <a href={frame.href('/sandbox/credentials')}>the demo credentials</a>, and uses only the public
              interface: what it can do, your application can do. You act as the account holder.
            </p>
          </section>
        </div>
      </>
    ),
  });
