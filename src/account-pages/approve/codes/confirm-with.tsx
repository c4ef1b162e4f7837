/** How the person confirms, whatever way it is: the part of the page between what is confirmed and its buttons. */
import type { ComponentChildren } from 'preact';
import type { ErrorLine } from '../../../web/components/error-summary.js';
import { OneTimeCode } from '../../../web/components/one-time-code.js';
import type { Frame } from '../../../web/frame.js';
import { ownLanguage } from '../../../web/language.js';
import { fields } from '../choice.js';
import type { ApprovalMessages } from '../messages/messages.js';
import { AppRequest } from './app-request.js';
import { AskForCode, CurrentWay, InBrowser, NoCode, type SendingProps, sentText } from './code-parts.js';
import type { CodeState } from './code-states.js';

/** A page on which a person confirms. */
export interface ConfirmVisit {
  readonly frame: Frame;
  readonly lang: string;
  readonly timeZone: string;
}

/** `name`: of the buttons that ask for a code. */
export const sendingOf = (
  { code, locale }: ApprovalMessages,
  timeZone: string,
  name: string,
): SendingProps => ({
  messages: code.sending,
  app: code.app,
  ways: code.ways,
  locale,
  timeZone,
  name,
});

interface ConfirmProps {
  readonly visit: ConfirmVisit;
  readonly messages: ApprovalMessages;
  readonly sending: SendingProps;
  readonly state: CodeState;
  readonly typed: string;
  readonly errors: readonly ErrorLine[];
  /** Beside the code, if it is not the usual one. */
  readonly hint?: string;
  /** What follows the confirmation in the app. */
  readonly next: string;
  /** What the message says beside the code. */
  readonly children?: ComponentChildren;
}

const Way = ({ visit, messages, sending, state, typed, errors, hint, next, children }: ConfirmProps) => {
  const { code, locale } = messages;
  const { frame, lang, timeZone } = visit;
  if (state.kind === 'ready')
    return <AskForCode {...sending} state={state} heading={code.heading} next={next} field={fields.code} />;
  if (state.kind !== 'sent') {
    const wayOut = frame.additions?.pausesEnd?.[ownLanguage(lang)];
    return <NoCode {...sending} state={state} field={fields.code} wayOut={wayOut} />;
  }
  if (state.method === 'app')
    return (
      <section class="stack" aria-labelledby="app-heading" id={fields.code}>
        <h2 id="app-heading">{code.app.heading}</h2>
        <AppRequest messages={code.app} frame={frame} state={state} locale={locale} timeZone={timeZone}>
          <p>{next}</p>
        </AppRequest>
      </section>
    );
  if (state.method !== 'code')
    return <InBrowser frame={frame} state={state} messages={code.ways} field={fields.code} />;
  return (
    <OneTimeCode
      messages={{ ...code, hint: hint ?? code.hint }}
      sender={frame.brand.sender(lang)}
      sent={sentText(state, code.sending, locale, timeZone)}
      field={fields.code}
      value={typed}
      errors={errors}
      demoCode={state.demoCode}
      isNew={state.isNew}
    >
      {children}
    </OneTimeCode>
  );
};

export const ConfirmWith = (props: ConfirmProps) => (
  <>
    <CurrentWay state={props.state} name={fields.method} />
    <Way {...props} />
  </>
);
