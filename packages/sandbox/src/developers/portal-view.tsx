/** The pages of sign-up and login, as they look. */

import type { VNode } from 'preact';
import {
  Callout,
  CodeBlock,
  ConsoleLink,
  ErrorSummary,
  type Frame,
  flowPage,
  frameOf,
  htmlPage,
  type Language,
  type PageAnswer,
  type PageCookie,
  waitText,
} from 'trapeza/pages';
import { firstCallOf } from '../first-call.js';
import { Act, actionOf } from './act-form.js';
import { type PortalError, portalTexts } from './portal-texts.js';
import { PORTAL } from './sessions.js';
import { NAME, PASSPHRASE } from './sign-up-operation.js';
import type { SignedUp } from './tenancy.js';

export interface View {
  readonly frame: Frame;
  readonly lang: Language;
  readonly formToken: string;
  readonly cookies: readonly PageCookie[];
}

const page = (view: View, status: number, title: string, children: VNode): PageAnswer =>
  flowPage(
    { frame: view.frame, lang: view.lang, title, path: PORTAL, isForDevelopers: true, children },
    { status, cookies: view.cookies },
  );

/** With the scripts of the developer pages: code to copy, credentials for the console. */
const ownPage = (view: View, status: number, title: string, children: VNode): PageAnswer => ({
  ...htmlPage({
    frame: view.frame,
    lang: view.lang,
    title,
    description: portalTexts[view.lang].title,
    path: PORTAL,
    keepsInTab: true,
    children: <div class="flow">{children}</div>,
  }),
  status,
  isPersonal: true,
  cookies: view.cookies,
});

const Entry = ({
  view,
  act,
  name,
}: {
  readonly view: View;
  readonly act: 'sign-up' | 'login';
  readonly name: string;
}) => {
  const texts = portalTexts[view.lang];
  const isNew = act === 'sign-up';
  return (
    <form class="card stack" method="post" action={actionOf(view, act)} autocomplete="on">
      <h2>{isNew ? texts.signUp : texts.logIn}</h2>
      <div class="field">
        <label for={`${act}-name`}>{texts.name}</label>
        {isNew && (
          <p class="quiet small" id="name-hint">
            {texts.nameHint}
          </p>
        )}
        <input
          id={`${act}-name`}
          name="name"
          type="text"
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          maxLength={NAME.maxLength}
          required
          value={name}
          aria-describedby={isNew ? 'name-hint' : undefined}
        />
      </div>
      <div class="field">
        <label for={`${act}-passphrase`}>{texts.passphrase}</label>
        {isNew && (
          <p class="quiet small" id="passphrase-hint">
            {texts.passphraseHint}
          </p>
        )}
        <input
          id={`${act}-passphrase`}
          name="passphrase"
          type="password"
          autocomplete={isNew ? 'new-password' : 'current-password'}
          maxLength={PASSPHRASE.maxLength}
          required
          aria-describedby={isNew ? 'passphrase-hint' : undefined}
        />
      </div>
      <p class="actions">
        <button class="button" type="submit">
          {isNew ? texts.signUp : texts.logIn}
        </button>
      </p>
    </form>
  );
};

export interface Refused {
  readonly act: 'sign-up' | 'login';
  readonly error: PortalError;
  /** Until the next attempt. */
  readonly waitMs?: number;
  readonly name: string;
  readonly status: number;
}

const faultText = ({ lang }: View, { error, waitMs = 0 }: Refused): string => {
  const texts = portalTexts[lang];
  return error === 'wait' ? texts.wait(waitText(lang, waitMs)) : texts[error];
};

export const entryView = (view: View, refused?: Refused): PageAnswer => {
  const texts = portalTexts[view.lang];
  const field = refused?.error === 'badPassphrase' ? 'passphrase' : 'name';
  return page(
    view,
    refused?.status ?? 200,
    texts.title,
    <>
      <div class="page-head">
        <h1>{texts.title}</h1>
        <p class="lead">{texts.lead}</p>
      </div>
      {refused && (
        <ErrorSummary
          heading={texts.problem}
          errors={[{ field: `${refused.act}-${field}`, text: faultText(view, refused) }]}
        />
      )}
      <div class="sections">
        {(['sign-up', 'login'] as const).map((act) => (
          <Entry key={act} view={view} act={act} name={refused?.act === act ? refused.name : ''} />
        ))}
      </div>
    </>,
  );
};

const keysOf = ({ application }: SignedUp): string =>
  [
    `KEY='${application.subscriptionKey}'`,
    `SECOND_KEY='${application.secondaryKey}'`,
    `CLIENT_ID='${application.clientId}'`,
    `CLIENT_SECRET='${application.clientSecret}'`,
  ].join('\n');

export const readyView = (view: View, made: SignedUp): PageAnswer => {
  const texts = portalTexts[view.lang];
  const { baseUrl, application } = made;
  const { clientId, subscriptionKey, clientSecret } = application;
  return ownPage(
    view,
    201,
    texts.ready,
    <>
      <div class="page-head">
        <h1>{texts.ready}</h1>
        <p class="lead">{texts.readyLead}</p>
      </div>
      <div class="sections">
        <section class="stack" aria-labelledby="keys">
          <h2 id="keys">{texts.keys}</h2>
          <Callout meaning="notice" heading={texts.once}>
            <p>{texts.onceText}</p>
          </Callout>
          <CodeBlock name={texts.shell} code={keysOf(made)} />
        </section>
        <section class="stack" aria-labelledby="call">
          <h2 id="call">{texts.call}</h2>
          <p>{texts.callText}</p>
          <div class="actions">
            <ConsoleLink
              prefix={frameOf(baseUrl, view.frame.version).href('')}
              text={texts.toConsole}
              credentials={{ clientId, key: subscriptionKey, clientSecret }}
            />
            <Act
              view={view}
              act="call"
              label={texts.callIt}
              fields={{ clientId, key: subscriptionKey }}
              isSecond
            />
          </div>
          <CodeBlock
            name={texts.terminal}
            code={firstCallOf(baseUrl, subscriptionKey, { application: clientId })}
          />
        </section>
        <section class="stack" aria-labelledby="address">
          <h2 id="address">{texts.addressHeading}</h2>
          <p>{texts.address}</p>
          <p>
            <a href={baseUrl}>{baseUrl}</a>
          </p>
          <p>
            <a class="button second" href={`${baseUrl}${PORTAL}`}>
              {texts.toPortal}
            </a>
          </p>
        </section>
      </div>
    </>,
  );
};

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly baseUrl: string;
}

export const answeredView = (view: View, { status, text, baseUrl }: Answered): PageAnswer => {
  const texts = portalTexts[view.lang];
  return ownPage(
    view,
    200,
    texts.answered(status),
    <>
      <div class="page-head">
        <h1>{texts.answered(status)}</h1>
        <p class="lead">{texts.answeredLead}</p>
      </div>
      <div class="sections">
        <CodeBlock name="GET /psd2/v1/opendata/atm" code={text} />
        <p class="actions">
          <a class="button" href={`${baseUrl}${PORTAL}`}>
            {texts.toPortal}
          </a>
          <a class="button second" href={`${baseUrl}/docs`}>
            {texts.toReference}
          </a>
        </p>
      </div>
    </>,
  );
};

export const homeView = (
  view: View,
  { name, baseUrl }: { readonly name: string; readonly baseUrl: string },
): PageAnswer => {
  const texts = portalTexts[view.lang];
  return page(
    view,
    200,
    texts.yours(name),
    <>
      <div class="page-head">
        <h1>{texts.yours(name)}</h1>
      </div>
      <div class="sections">
        <p>
          {texts.address} <a href={baseUrl}>{baseUrl}</a>
        </p>
        <p>
          <a class="button" href={`${baseUrl}${PORTAL}`}>
            {texts.toPortal}
          </a>
        </p>
        <Act view={view} act="leave" label={texts.leave} isSecond />
        <p class="quiet small">{texts.endHint}</p>
        <Act view={view} act="end" label={texts.end} isSecond />
      </div>
    </>,
  );
};
