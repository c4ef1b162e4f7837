/** What stands in the place of the code field while there is no code, and the button that asks for another one. */
import { Callout } from '../../../web/components/blocks.js';
import { clockText } from '../format.js';
import type { SendingMessages } from '../messages/codes.js';
import type { CodeState } from './one-time-codes.js';

export interface SendingProps {
  readonly messages: SendingMessages;
  readonly locale: string;
  readonly timeZone: string;
  /** The name and value that the button sends. */
  readonly name: string;
  readonly value: string;
}

type NoCodeProps = SendingProps & {
  readonly state: Exclude<CodeState, { kind: 'sent' }>;
  /** The id that an error of the code leads to. */
  readonly field: string;
};

export const NoCode = ({ state, messages, locale, timeZone, name, value, field }: NoCodeProps) => {
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
          {messages.send}
        </button>
      </p>
    </Callout>
  );
};

type SendAgainProps = SendingProps & {
  readonly state: Extract<CodeState, { kind: 'sent' }>;
};

/** Comes after the buttons that decide: the first button of a form is the one that Enter presses. */
export const SendAgain = ({ state, messages, locale, timeZone, name, value }: SendAgainProps) => {
  const { againFrom } = state;
  const from = againFrom === undefined ? undefined : clockText(againFrom, locale, timeZone, 'seconds');
  return (
    <div class="send-again">
      <p class="quiet small">{messages.noCode(from)}</p>
      <button class="link-button" type="submit" name={name} value={value}>
        {messages.sendAgain}
      </button>
    </div>
  );
};
