/** A page of the dashboard that an authentication leads on from, in whatever way: the way in, and the end of a block. */
import type { ComponentChildren } from 'preact';
import type { Wait } from '../../gate/guard/source-limit.js';
import { type PageAnswer, seeOther } from '../../http/pages.js';
import { ErrorSummary } from '../../web/components/error-summary.js';
import { flowPage } from '../../web/components/flow-shell.js';
import { formAction } from '../../web/form-token.js';
import { isLanguageChange, ownLanguage } from '../../web/language.js';
import { fields } from '../approve/choice.js';
import { lookAgain } from '../approve/codes/app-request.js';
import { closedText, OtherWays, SendAgain, sendValue } from '../approve/codes/code-parts.js';
import { asksBrowser, type CodeState, type CodeVisit, returnedWith } from '../approve/codes/code-states.js';
import { ConfirmWith, sendingOf } from '../approve/codes/confirm-with.js';
import { tooManyPage } from '../login/guard/too-many-page.js';
import { visitorEvent } from '../login/visitor-events.js';
import type { ConfirmTexts } from './messages/messages.js';
import type { DashboardParts, HolderVisit } from './parts.js';
import { Visitor } from './view/board.js';

/** What is confirmed. */
export interface Matter {
  /** The address of the page; under it the page waits for the app, and the browser comes back from the bank. */
  readonly page: string;
  /** The address of its form. */
  readonly action: string;
  /** Of what the page shows: an answer for anything else is refused. */
  readonly shownHash: string;
  readonly texts: ConfirmTexts;
  readonly children?: ComponentChildren;
  /** Once it is confirmed. */
  readonly complete: () => Promise<PageAnswer>;
}

export type Confirm = (parts: DashboardParts, visit: HolderVisit, matter: Matter) => Promise<PageAnswer>;

const { code: CODE, method: METHOD, change: CHANGE, answer: ANSWER } = fields;
const SEND = 'send';
const FORM = 'code-form';
const MAX_CODE = 64;

const inWay = (path: string, methodId: string | undefined): string =>
  methodId === undefined ? path : `${path}?${METHOD}=${encodeURIComponent(methodId)}`;

const codeVisitOf = (
  { session, holder, lang, frame, request }: HolderVisit,
  { page, shownHash }: Matter,
): CodeVisit => ({
  secret: session.secret,
  psuId: holder.id,
  context: { shownHash, language: ownLanguage(lang) },
  purpose: 'dashboard',
  methodId: request.form[CHANGE] ?? request.form[METHOD] ?? request.query[METHOD],
  returnTo: (methodId) => `${frame.baseUrl}${inWay(`${page}/returned`, methodId)}`,
});

const tooMany = ({ frame, lang }: HolderVisit, { page }: Matter, wait: Wait): PageAnswer =>
  tooManyPage({ frame, lang, path: page, wait });

interface Asked {
  readonly state: CodeState;
  readonly error?: string | undefined;
  readonly status?: number | undefined;
  /** What was typed, if only the language changes. */
  readonly typed?: string;
}

type FormProps = Asked & { readonly visit: HolderVisit; readonly matter: Matter };

const Go = ({ visit, matter, state }: FormProps) => {
  const { frame, asking } = visit;
  if (state.kind === 'ready' && state.method === 'app')
    return (
      <div class="actions">
        <button class="button" type="submit" name={SEND} value={sendValue.first}>
          {matter.texts.submit}
        </button>
      </div>
    );
  if (state.kind !== 'sent') return null;
  return (
    <div class="actions">
      {state.method === 'app' ? (
        <a class="button" href={frame.href(inWay(`${matter.page}/waiting`, state.methodId))}>
          {asking.code.app.done}
        </a>
      ) : (
        <button class="button" type="submit">
          {matter.texts.submit}
        </button>
      )}
    </div>
  );
};

const ConfirmForm = (props: FormProps) => {
  const { visit, matter, state, error, typed = '' } = props;
  const { frame, asking, session, timeZone } = visit;
  const { hint, waiting } = matter.texts;
  const sending = sendingOf(asking, timeZone, SEND);
  return (
    <form
      id={FORM}
      class="sections"
      method="post"
      action={formAction(frame.href(matter.action), session.formToken)}
      noValidate
      autocomplete="off"
    >
      <ConfirmWith
        {...{ visit, messages: asking, sending, state, typed, hint }}
        errors={error === undefined ? [] : [{ field: CODE, text: error }]}
        next={`${hint} ${waiting}`}
      />
      <Go {...props} />
      {state.kind === 'sent' && <SendAgain {...sending} state={state} />}
      <OtherWays state={state} messages={asking.code.ways} name={CHANGE} />
    </form>
  );
};

const show = (visit: HolderVisit, matter: Matter, asked: Asked): PageAnswer => {
  const { state, error, status = error ? 400 : 200 } = asked;
  const { frame, lang, asking, cookies } = visit;
  const { title, text } = matter.texts;
  const isSent = state.kind === 'sent';
  const target = isSent && state.location !== undefined ? new URL(state.location).origin : undefined;
  const waiting = frame.href(inWay(`${matter.page}/waiting`, state.methodId));
  const children = (
    <>
      {error !== undefined && state.kind !== 'closed' && (
        <ErrorSummary heading={asking.errorHeading} errors={[{ field: CODE, text: error }]} />
      )}
      <Visitor visit={visit} />
      <div class="page-head">
        <h1>{title}</h1>
        {isSent && state.method === 'code' && <p class="lead">{text}</p>}
      </div>
      {matter.children}
      <ConfirmForm {...{ visit, matter }} {...asked} />
    </>
  );
  return flowPage(
    {
      frame,
      lang,
      title: error ? `${asking.errorPrefix}${title}` : title,
      path: matter.page,
      form: { id: FORM, action: formAction(frame.href(matter.action), visit.session.formToken) },
      children,
    },
    {
      status,
      cookies,
      hasScript: asksBrowser(state),
      ...(isSent && state.method === 'app' ? { headers: lookAgain(waiting) } : {}),
      ...(target === undefined ? {} : { formTarget: target }),
    },
  );
};

/** The page as it is now, or with what is wrong. */
const again = async (
  { codes }: DashboardParts,
  visit: HolderVisit,
  matter: Matter,
  error?: string,
  status?: number,
): Promise<PageAnswer> =>
  show(visit, matter, { state: await codes.open(codeVisitOf(visit, matter)), error, status });

export const ask: Confirm = (parts, visit, matter) => again(parts, visit, matter);

const send: Confirm = async ({ codes }, visit, matter) => {
  const isFirst = visit.request.form[SEND] === sendValue.first;
  const codeVisit = codeVisitOf(visit, matter);
  const { state, unsent } = await (isFirst ? codes.send(codeVisit) : codes.sendAgain(codeVisit));
  if (!unsent) return show(visit, matter, { state });
  const { asking, timeZone } = visit;
  return show(visit, matter, { state, error: closedText(unsent, asking, timeZone), status: 429 });
};

/** The page that waits for the app of the bank, once more or for the last time. */
export const waitForApp: Confirm = async (parts, visit, matter) => {
  const { app } = visit.asking.code;
  const codeVisit = codeVisitOf(visit, matter);
  switch (await parts.codes.askApp(codeVisit)) {
    case 'right':
      // Of two windows that ask at once, one goes on.
      return (await parts.codes.close(codeVisit)) ? matter.complete() : again(parts, visit, matter);
    case 'refused':
      return again(parts, visit, matter, app.refused);
    case 'unreachable':
      return again(parts, visit, matter, `${app.unreachable.title}. ${app.unreachable.text}`, 503);
    default:
      return again(parts, visit, matter);
  }
};

const judge = async (
  parts: DashboardParts,
  visit: HolderVisit,
  matter: Matter,
  { answer, isTyped }: { readonly answer: string; readonly isTyped: boolean },
): Promise<PageAnswer> => {
  const { request, messages, asking, holder, timeZone } = visit;
  const { ways } = asking.code;
  const verdict = await parts.codes.judge(codeVisitOf(visit, matter), answer);
  if (verdict.kind === 'right') return matter.complete();
  if (verdict.kind === 'refused') return again(parts, visit, matter, ways.refused);
  if (verdict.kind === 'spent')
    return again(parts, visit, matter, isTyped ? messages.code.again : ways.spent);
  visitorEvent(parts, 'code-wrong', request, { personId: holder.id });
  if (verdict.kind === 'wrong')
    return again(parts, visit, matter, (isTyped ? asking.codeWrong : ways.wrong)(verdict.left));
  const closed = { kind: 'closed', why: 'paused', until: verdict.until } as const;
  return show(visit, matter, { state: closed, error: closedText(closed, asking, timeZone), status: 429 });
};

const typedIn = ({ request }: HolderVisit): string =>
  (request.form[CODE] ?? '').replace(/\s/g, '').slice(0, MAX_CODE);

/** What the button asks for: another code, another way, or that what was given is judged. */
const carryOn: Confirm = async (parts, visit, matter) => {
  const { form } = visit.request;
  const { messages, asking } = visit;
  const codeVisit = codeVisitOf(visit, matter);
  if (form[SEND] !== undefined) return send(parts, visit, matter);
  if (form[CHANGE] !== undefined) return show(visit, matter, { state: await parts.codes.change(codeVisit) });
  const { kind, location } = await parts.codes.kindOf(codeVisit);
  if (kind === 'redirect' && location !== undefined) return seeOther(location);
  const isTyped = kind !== 'browser';
  const answer = isTyped ? typedIn(visit) : (form[ANSWER] ?? '');
  if (answer !== '') return judge(parts, visit, matter, { answer, isTyped });
  return again(parts, visit, matter, isTyped ? messages.code.missing : asking.code.ways.missing);
};

export const submit: Confirm = async (parts, visit, matter) => {
  if (isLanguageChange(visit.request)) {
    const state = await parts.codes.open(codeVisitOf(visit, matter));
    return show(visit, matter, { state, typed: typedIn(visit) });
  }
  const wait = parts.guard.confirm(visit.request);
  return wait ? tooMany(visit, matter, wait) : carryOn(parts, visit, matter);
};

/** The browser was at the bank. */
export const comeBack: Confirm = async (parts, visit, matter) => {
  const wait = parts.guard.confirm(visit.request);
  if (wait) return tooMany(visit, matter, wait);
  const { kind } = await parts.codes.kindOf(codeVisitOf(visit, matter));
  return kind === 'redirect'
    ? judge(parts, visit, matter, { answer: returnedWith(visit.request), isTyped: false })
    : again(parts, visit, matter);
};
