/** What stands in the place of the code field while there is no code, and the button that asks for another one. */
import { Callout } from '../../../web/components/blocks.js';
import { clockText } from '../format.js';
import type { AppMessages } from '../messages/app.js';
import type { SendingMessages } from '../messages/codes.js';
import type { CodeState, SentState } from './one-time-codes.js';

export interface SendingProps {
  readonly messages: SendingMessages;
  readonly app: AppMessages;
  readonly locale: string;
  readonly timeZone: string;
  /** The name and value that the button sends. */
  readonly name: string;
  readonly value: string;
}

/** Where the code went, and until when it works. */
export const sentText = (
  { sentTo, expiresAt }: SentState,
  messages: SendingMessages,
  locale: string,
  timeZone: string,
): string =>
  messages.sent(sentTo, expiresAt === undefined ? undefined : clockText(expiresAt, locale, timeZone));

type NoCodeProps = SendingProps & {
  readonly state: Exclude<CodeState, { kind: 'sent' }>;
  /** The id that an error of the code leads to. */
  readonly field: string;
};

export const NoCode = ({ state, messages, app, locale, timeZone, name, value, field }: NoCodeProps) => {
  if (state.kind === 'closed') {
    const { title, text } = messages.closed[state.why](clockText(state.until, locale, timeZone));
    return (
      <div id={field}>
        <Callout meaning="notice" heading={title}>
          <p>{text}</p>
        </Callout>
      </div>
    );
  }
  const { title, text } = messages.missing[state.why];
  return (
    <Callout meaning="notice" heading={title}>
      <p>{text}</p>
      <p class="actions">
        <button id={field} class="button second" type="submit" name={name} value={value}>
          {state.why === 'appOver' ? app.sendAgain : messages.send}
        </button>
      </p>
    </Callout>
  );
};

type SendAgainProps = SendingProps & {
  readonly state: Extract<CodeState, { kind: 'sent' }>;
};

/** Comes after the buttons that decide: the first button of a form is the one that Enter presses. */
export const SendAgain = ({ state, messages, app, locale, timeZone, name, value }: SendAgainProps) => {
  const { againFrom, method } = state;
  const from = againFrom === undefined ? undefined : clockText(againFrom, locale, timeZone, 'seconds');
  return (
    <div class="send-again">
      <p class="quiet small">{method === 'app' ? app.noRequest(from) : messages.noCode(from)}</p>
      <button class="link-button" type="submit" name={name} value={value}>
        {method === 'app' ? app.sendAgain : messages.sendAgain}
      </button>
    </div>
  );
};
