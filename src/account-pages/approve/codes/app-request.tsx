/** The request that waits in the app of the bank: where it went, what it shows, and how the page goes on by itself. */
import type { ComponentChildren } from 'preact';
import type { Frame } from '../../../web/frame.js';
import { clockText } from '../format.js';
import type { AppMessages } from '../messages/app.js';
import type { SentState } from './code-states.js';

const LOOK_EVERY_SECONDS = 5;

/** The page asks again without a script; the bank's own time limit ends it. */
export const lookAgain = (address: string): Readonly<Record<string, string>> => ({
  Refresh: `${LOOK_EVERY_SECONDS}; url=${address}`,
});

interface AppRequestProps {
  readonly messages: AppMessages;
  readonly frame: Frame;
  readonly state: SentState;
  readonly locale: string;
  readonly timeZone: string;
  /** What the person has to do on this page. */
  readonly children?: ComponentChildren;
}

export const AppRequest = ({ messages, frame, state, locale, timeZone, children }: AppRequestProps) => {
  const { sentTo, expiresAt } = state;
  const until = expiresAt === undefined ? undefined : clockText(expiresAt, locale, timeZone);
  const demoPhone = frame.additions?.demoPhone;
  return (
    <>
      <p>{messages.sent(sentTo, until)}</p>
      {children}
      {demoPhone !== undefined && (
        <p>
          <a href={frame.href(demoPhone)} target="_blank" rel="noopener">
            {messages.demoPhone}
          </a>
        </p>
      )}
    </>
  );
};
