/** The landing page: what this service is, what it offers, and where to go next. */
import type { PageAnswer } from '../../http/pages.js';
import { logo } from '../../web/assets/index.js';
import { MethodBadge } from '../../web/components/badge.js';
import { htmlPage } from '../../web/components/shell.js';
import type { Frame } from '../../web/frame.js';
import { type AreaView, operationPath } from '../areas.js';

export interface HomeProps {
  readonly frame: Frame;
  readonly areas: readonly AreaView[];
  readonly hasPage: (path: string) => boolean;
}

const SENTENCE =
  'Registered third parties confirm funds and follow consents and payments here, always with the account holder’s approval, and find every ATM.';

const Opening = ({ frame }: Pick<HomeProps, 'frame'>) => (
  <div class="opening">
    <div class="width-page">
      <img src={frame.href(logo.path)} width="168" height="168" alt="" />
      <div class="words">
        <h1>The bank’s PSD2 interface</h1>
        <p class="lead">{SENTENCE}</p>
        <p class="actions">
          <a class="button" href={frame.href('/docs')}>
            Read the reference
          </a>
          {frame.additions?.links.map(({ path, title }) => (
            <a key={path} class="button second" href={frame.href(path)}>
              {title}
            </a>
          ))}
        </p>
      </div>
    </div>
  </div>
);

const AreaCard = ({ frame, area }: { readonly frame: Frame; readonly area: AreaView }) => (
  <li class="card">
    <p class="quiet small">{area.audience}</p>
    <h3>
      <a href={frame.href(area.path)}>{area.title}</a>
    </h3>
    <p>{area.purpose}</p>
    <ul class="area-calls">
      {area.operations.map((operation) => (
        <li key={operation.id}>
          <a href={frame.href(operationPath(area, operation))}>
            <MethodBadge method={operation.method} />
            <span class="name">{operation.summary}</span>
          </a>
        </li>
      ))}
    </ul>
  </li>
);

const BeforeFirstCall = ({ frame }: { readonly frame: Frame }) => (
  <section class="stack" aria-labelledby="first-call">
    <h2 id="first-call">Before your first call</h2>
    <ol class="steps">
      <li>
        <p>Be registered with the bank, in the role of the area you want to call.</p>
      </li>
      <li>
        <p>Receive the subscription key of your application.</p>
      </li>
      <li>
        <p>
          Let the account holder approve, and exchange the authorization code for an access token.{' '}
          <a href={frame.href('/docs#credentials')}>More about credentials</a>
        </p>
      </li>
      <li>
        <p>
          <a href={frame.href('/docs/signatures')}>Sign your requests</a> with your certificate, where the
          bank wants it.
        </p>
      </li>
    </ol>
  </section>
);

const places = [
  { path: '/docs', name: 'Reference', text: 'Every operation with its fields, rules and examples.' },
  { path: '/problems', name: 'Problems', text: 'Every error: what happened and what to do.' },
  { path: '/docs/changes', name: 'Changes', text: 'What has changed, and how changes are announced.' },
  { path: '/openapi.json', name: 'OpenAPI', text: 'The interface as a document for your tools.' },
] as const;

const ForAccountHolders = ({ frame }: { readonly frame: Frame }) => (
  <section class="callout" aria-labelledby="account-holders">
    <h2 id="account-holders">Do you have an account with the bank?</h2>
    <p>
      <a href={frame.href('/dashboard')}>Your permissions</a>: see which apps may use your accounts and what
      they asked for, and withdraw a permission.{' '}
      <a href={`${frame.href('/dashboard')}?lang=el`} lang="el" hreflang="el">
        Οι άδειές σας
      </a>
    </p>
  </section>
);

const WhereNext = ({ frame }: { readonly frame: Frame }) => (
  <section class="stack" aria-labelledby="next">
    <h2 id="next">Where to go next</h2>
    <ul class="card-grid">
      {places.map(({ path, name, text }) => (
        <li key={path}>
          <a class="card card-link" href={frame.href(path)}>
            <strong>{name}</strong>
            <p class="quiet">{text}</p>
          </a>
        </li>
      ))}
    </ul>
  </section>
);

export const homePage = ({ frame, areas, hasPage }: HomeProps): PageAnswer =>
  htmlPage({
    frame,
    title: 'Trapeza: the bank’s PSD2 interface',
    description: SENTENCE,
    path: '/',
    opening: <Opening frame={frame} />,
    children: (
      <div class="stack-wide">
        <section class="stack" aria-labelledby="areas">
          <h2 id="areas">What it offers</h2>
          <ul class="card-grid pairs">
            {areas
              .filter(({ demand }) => demand !== undefined)
              .map((area) => (
                <AreaCard key={area.id} frame={frame} area={area} />
              ))}
          </ul>
        </section>
        {frame.additions?.firstSteps?.(frame) ?? <BeforeFirstCall frame={frame} />}
        <WhereNext frame={frame} />
        {hasPage('/dashboard') && <ForAccountHolders frame={frame} />}
        <p class="quiet small">
          Trapeza (<span lang="el">τράπεζα</span>) is Greek for table: the money changers’ bench, and so the
          bank.
        </p>
      </div>
    ),
  });
