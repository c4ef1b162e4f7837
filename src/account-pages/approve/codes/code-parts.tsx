/** The button that asks for the code, what stands in its place while there can be none, and the buttons that ask for another one or another way. */

import { undisguised } from '../../../lib/format/undisguised.js';
import { passkeyScript } from '../../../web/assets/index.js';
import { Callout } from '../../../web/components/blocks.js';
import type { Frame } from '../../../web/frame.js';
import { clockText } from '../format.js';
import type { AppMessages } from '../messages/app.js';
import type { SendingMessages } from '../messages/codes.js';
import type { ApprovalMessages } from '../messages/messages.js';
import type { WayMessages } from '../messages/ways.js';
import type { CodeState, ReadyState, SentState, Unsent } from './code-states.js';

export interface SendingProps {
  readonly messages: SendingMessages;
  readonly app: AppMessages;
  readonly ways: WayMessages;
  readonly locale: string;
  readonly timeZone: string;
  /** The name under which a button says what to send. */
  readonly name: string;
}

/** The first code, which is sent once however often the button is pressed; and another one. */
export const sendValue = { first: 'begin', again: 'send' } as const;

/** Where the code went, and until when it works. */
export const sentText = (
  { sentTo, expiresAt }: SentState,
  messages: SendingMessages,
  locale: string,
  timeZone: string,
): string =>
  messages.sent(sentTo, expiresAt === undefined ? undefined : clockText(expiresAt, locale, timeZone));

/** Why there is no code, and until when. */
export const closedText = (
  { why, until }: Unsent,
  { code: { sending }, locale }: ApprovalMessages,
  timeZone: string,
): string => {
  const time = clockText(until, locale, timeZone, why === 'early' ? 'seconds' : 'minutes');
  return why === 'paused' ? sending.closed.paused(time).title : sending[why](time);
};

type ReadyProps = SendingProps & {
  readonly state: ReadyState;
  /** Over a code. */
  readonly heading: string;
  readonly field: string;
  /** What follows the confirmation in the app. */
  readonly next: string;
};

/** The request to the app goes out with the button that decides: there is nothing to wait for on this page. */
export const AskForCode = ({ state, heading, field, next, messages, app, name }: ReadyProps) =>
  state.method === 'app' ? (
    <section class="stack" aria-labelledby="app-heading" id={field}>
      <h2 id="app-heading">{app.heading}</h2>
      <p>{app.ready(state.sentTo)}</p>
      <p>{next}</p>
    </section>
  ) : (
    <section class="stack" aria-labelledby="code-heading">
      <h2 id="code-heading">{heading}</h2>
      <p>{messages.ready(state.sentTo)}</p>
      <p class="actions">
        <button id={field} class="button" type="submit" name={name} value={sendValue.first}>
          {messages.send}
        </button>
      </p>
    </section>
  );

/** Whether a button can decide: the answer is here, or comes from outside of the page. */
export const canDecide = (state: CodeState | undefined): boolean =>
  state?.kind === 'sent' || (state?.kind === 'ready' && state.method === 'app');

type NoCodeProps = SendingProps & {
  readonly state: Exclude<CodeState, { kind: 'sent' | 'ready' }>;
  /** The id that an error of the code leads to. */
  readonly field: string;
  /** Of a test system: how its pauses end. */
  readonly wayOut: string | undefined;
};

const sendText = (
  why: 'unsure' | 'over' | 'appOver' | 'otherOver',
  { messages, app, ways }: SendingProps,
): string => {
  if (why === 'otherOver') return ways.beginAgain;
  return why === 'appOver' ? app.sendAgain : messages.send;
};

export const NoCode = ({ state, field, wayOut, ...sending }: NoCodeProps) => {
  const { messages, locale, timeZone, name } = sending;
  if (state.kind === 'closed') {
    const { title, text } = messages.closed[state.why](clockText(state.until, locale, timeZone));
    return (
      <div id={field}>
        <Callout meaning="notice" heading={title}>
          <p>{text}</p>
          {wayOut !== undefined && <p>{wayOut}</p>}
        </Callout>
      </div>
    );
  }
  const { title, text } = messages.missing[state.why];
  return (
    <Callout meaning="notice" heading={title}>
      <p>{text}</p>
      <p class="actions">
        <button id={field} class="button second" type="submit" name={name} value={sendValue.again}>
          {sendText(state.why, sending)}
        </button>
      </p>
    </Callout>
  );
};

type SendAgainProps = SendingProps & {
  readonly state: Extract<CodeState, { kind: 'sent' }>;
};

/** Comes after the buttons that decide: the first button of a form is the one that Enter presses. */
export const SendAgain = ({ state, messages, app, locale, timeZone, name }: SendAgainProps) => {
  const { againFrom, method } = state;
  // Nothing was sent that could be missing.
  if (method === 'browser' || method === 'redirect') return null;
  const from = againFrom === undefined ? undefined : clockText(againFrom, locale, timeZone, 'seconds');
  return (
    <div class="send-again">
      <p class="quiet small">{method === 'app' ? app.noRequest(from) : messages.noCode(from)}</p>
      <button class="link-button" type="submit" name={name} value={sendValue.again}>
        {method === 'app' ? app.sendAgain : messages.sendAgain}
      </button>
    </div>
  );
};

interface WaysProps {
  readonly state: CodeState;
  readonly messages: WayMessages;
  /** The name that the buttons send the chosen way under. */
  readonly name: string;
}

/** The way that this form confirms in, for its next page. */
export const CurrentWay = ({ state, name }: Omit<WaysProps, 'messages'>) =>
  state.methodId === undefined ? null : <input type="hidden" name={name} value={state.methodId} />;

/** One button for each other way: what was entered stays. After the buttons that decide, as above. */
export const OtherWays = ({ state: { others = [] }, messages, name }: WaysProps) =>
  others.length === 0 ? null : (
    <section class="stack" aria-labelledby="ways">
      <h2 id="ways">{messages.heading}</h2>
      {others.length > 0 && (
        <p class="actions">
          {others.map(({ id, kind, name: own, sentTo }) => (
            <button key={id} class="button second" type="submit" name={name} value={id}>
              {own === undefined ? messages.names[kind] : undisguised(own)}
              {sentTo !== undefined && ` (${sentTo})`}
            </button>
          ))}
        </p>
      )}
    </section>
  );

/** What the person does if nothing is typed and nothing comes to the app: the browser asks, or goes to the bank. */
export const InBrowser = ({ frame, state, messages, field }: InBrowserProps) => {
  const { heading, text } = state.method === 'browser' ? messages.browser : messages.redirect;
  return (
    <section class="stack" aria-labelledby="way-heading" id={field}>
      <h2 id="way-heading">{heading}</h2>
      <p>{text}</p>
      {state.request !== undefined && (
        <>
          <input type="hidden" name="answer" value="" data-request={state.request} />
          <p role="alert" class="field-error" data-failed={messages.missing} />
          <noscript>
            <p>{messages.browser.noScript}</p>
          </noscript>
          <script src={frame.href(passkeyScript.path)} defer />
        </>
      )}
    </section>
  );
};

interface InBrowserProps {
  readonly frame: Frame;
  readonly state: SentState;
  readonly messages: WayMessages;
  /** The id that an error leads to. */
  readonly field: string;
}
