/**
 * The way in: the first factor as everywhere, then a one-time code that opens this overview and nothing else. A right code
 * gets a new session, so nothing that was known before it opens the lists.
 */

import type { Wait } from '../../gate/limits/limits.js';
import { type PageAnswer, seeOther } from '../../http/pages.js';
import { sha256 } from '../../lib/hash.js';
import { SESSION_COOKIE } from '../../psu/sessions.js';
import { ErrorSummary } from '../../web/components/error-summary.js';
import { flowPage } from '../../web/components/flow-shell.js';
import { OneTimeCode } from '../../web/components/one-time-code.js';
import { FORM_TOKEN } from '../../web/form-token.js';
import { isLanguageChange, ownLanguage } from '../../web/language.js';
import { fields } from '../approve/choice.js';
import { AppRequest, lookAgain } from '../approve/codes/app-request.js';
import {
  CurrentWay,
  InBrowser,
  NoCode,
  OtherWays,
  SendAgain,
  type SendingProps,
  sentText,
} from '../approve/codes/code-parts.js';
import {
  asksBrowser,
  type CodeState,
  type CodeVisit,
  returnedWith,
  type SentState,
} from '../approve/codes/code-states.js';
import { clockText } from '../approve/format.js';
import { entryPage } from '../login/entry-page.js';
import { type Attempt, logIn as answerLogin, noSession } from '../login/guard/log-in.js';
import { tooManyPage } from '../login/guard/too-many-page.js';
import { visitorEvent } from '../login/visitor-events.js';
import { DASHBOARD, type DashboardParts, type HolderVisit, type Visit } from './parts.js';
import { Visitor } from './view/board.js';

export const loginPage = (
  parts: DashboardParts,
  visit: Visit,
  { error = visit.isStale ? 'expired' : undefined, ...attempt }: Attempt = {},
): PageAnswer => {
  const { messages, asking, isStale } = visit;
  // The message that the session is over appears once.
  const cookies = isStale ? [...visit.cookies, noSession] : visit.cookies;
  const entry = { path: DASHBOARD, ...messages.login, errorPrefix: asking.errorPrefix };
  return entryPage(parts, { ...visit, cookies }, entry, { ...attempt, error });
};

const tooMany = ({ frame, lang }: Visit, wait: Wait): PageAnswer =>
  tooManyPage({ frame, lang, path: DASHBOARD, wait });

export const logIn = (parts: DashboardParts, visit: Visit): Promise<PageAnswer> =>
  answerLogin(parts, visit, DASHBOARD, (attempt) => loginPage(parts, visit, attempt));

/** The code stands for this overview in this very session: it approves nothing and works nowhere else. */
const codeVisitOf = ({ session, holder, lang, frame, request }: HolderVisit): CodeVisit => ({
  secret: session.secret,
  psuId: holder.id,
  context: { shownHash: sha256(`dashboard:${session.secret}`), language: ownLanguage(lang) },
  methodId: request.form[CHANGE] ?? request.form[METHOD] ?? request.query[METHOD],
  returnTo: (methodId) => `${frame.baseUrl}${inWay(RETURNED, methodId)}`,
});

const { code: CODE, method: METHOD, change: CHANGE, answer: ANSWER } = fields;
const FORM = 'code-form';
const WAITING = `${DASHBOARD}/waiting`;
const RETURNED = `${DASHBOARD}/returned`;
const MAX_CODE = 64;

const inWay = (path: string, methodId: string | undefined): string =>
  methodId === undefined ? path : `${path}?${METHOD}=${encodeURIComponent(methodId)}`;

interface CodePage {
  readonly state: CodeState;
  readonly error?: string | undefined;
  readonly status?: number;
  /** What was typed, if only the language changes. */
  readonly entered?: string;
}

interface InAppProps {
  readonly visit: HolderVisit;
  readonly state: SentState;
  readonly sending: SendingProps;
}

const InApp = ({ visit, state, sending }: InAppProps) => {
  const { messages, asking, frame, timeZone } = visit;
  const { app } = asking.code;
  return (
    <>
      <section class="stack" aria-labelledby="app-heading" id={CODE}>
        <h2 id="app-heading">{app.heading}</h2>
        <AppRequest messages={app} frame={frame} state={state} locale={asking.locale} timeZone={timeZone}>
          <p>
            {messages.code.hint} {messages.code.waiting}
          </p>
        </AppRequest>
        <p class="actions">
          <a class="button" href={frame.href(inWay(WAITING, state.methodId))}>
            {app.done}
          </a>
        </p>
      </section>
      <SendAgain {...sending} state={state} />
    </>
  );
};

const CodeEntry = ({ visit, state, error, entered = '' }: CodePage & { readonly visit: HolderVisit }) => {
  const { messages, asking, timeZone } = visit;
  const sending = {
    messages: asking.code.sending,
    app: asking.code.app,
    ways: asking.code.ways,
    locale: asking.locale,
    timeZone,
    name: 'send',
    value: 'yes',
  };
  if (state.kind !== 'sent') return <NoCode {...sending} state={state} field={CODE} />;
  if (state.method === 'app') return <InApp visit={visit} state={state} sending={sending} />;
  return (
    <>
      {state.method === 'code' ? (
        <OneTimeCode
          messages={{ ...asking.code, hint: messages.code.hint }}
          sender={visit.frame.brand.sender(visit.lang)}
          sent={sentText(state, asking.code.sending, asking.locale, timeZone)}
          field={CODE}
          value={entered}
          errors={error === undefined ? [] : [{ field: CODE, text: error }]}
          demoCode={state.demoCode}
        />
      ) : (
        <InBrowser frame={visit.frame} state={state} messages={asking.code.ways} field={CODE} />
      )}
      <div class="actions">
        <button class="button" type="submit">
          {messages.code.submit}
        </button>
      </div>
      <SendAgain {...sending} state={state} />
    </>
  );
};

const showCode = (visit: HolderVisit, page: CodePage): PageAnswer => {
  const { state, error, status = error ? 400 : 200 } = page;
  const { frame, lang, messages, asking, cookies, session } = visit;
  const errors = error === undefined ? [] : [{ field: CODE, text: error }];
  const { title, text } = messages.code;
  const isWaiting = state.kind === 'sent' && state.method === 'app';
  const action = frame.href(`${DASHBOARD}/code`);
  const target =
    state.kind === 'sent' && state.location !== undefined ? new URL(state.location).origin : undefined;
  const children = (
    <>
      <ErrorSummary heading={asking.errorHeading} errors={errors} />
      <Visitor visit={visit} />
      <div class="page-head">
        <h1>{title}</h1>
        {state.kind === 'sent' && state.method === 'code' && <p class="lead">{text}</p>}
      </div>
      <form id={FORM} class="sections" method="post" action={action} noValidate autocomplete="off">
        <input type="hidden" name={FORM_TOKEN} value={session.formToken} />
        <CurrentWay state={state} name={METHOD} />
        <CodeEntry visit={visit} {...page} />
        <OtherWays state={state} messages={asking.code.ways} name={CHANGE} />
      </form>
    </>
  );
  return flowPage(
    {
      frame,
      lang,
      title: error ? `${asking.errorPrefix}${title}` : title,
      path: DASHBOARD,
      form: { id: FORM, action },
      children,
    },
    {
      status,
      cookies,
      hasScript: asksBrowser(state),
      ...(isWaiting ? { headers: lookAgain(frame.href(inWay(WAITING, state.methodId))) } : {}),
      ...(target === undefined ? {} : { formTarget: target }),
    },
  );
};

export const codePage = async (
  { codes }: DashboardParts,
  visit: HolderVisit,
  error?: string,
  status?: number,
): Promise<PageAnswer> =>
  showCode(visit, { state: await codes.open(codeVisitOf(visit)), error, ...(status ? { status } : {}) });

const sendAgain = async ({ codes }: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const { state, unsent } = await codes.sendAgain(codeVisitOf(visit));
  if (!unsent) return showCode(visit, { state });
  const { asking, timeZone } = visit;
  const { why, until } = unsent;
  const time = clockText(until, asking.locale, timeZone, why === 'early' ? 'seconds' : 'minutes');
  return showCode(visit, { state, error: asking.code.sending[why](time), status: 429 });
};

const open = async ({ sessions }: DashboardParts, { session, frame }: HolderVisit): Promise<PageAnswer> => {
  const { secret } = await sessions.stepUp(session);
  return seeOther(frame.href(DASHBOARD), [{ name: SESSION_COOKIE, value: secret }]);
};

/** The page that waits for the app of the bank, once more or for the last time. */
export const waitForApp = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const { app } = visit.asking.code;
  switch (await parts.codes.askApp(codeVisitOf(visit))) {
    case 'right':
      // Of two windows that ask at once, one opens the overview.
      return (await parts.codes.close(codeVisitOf(visit))) ? open(parts, visit) : codePage(parts, visit);
    case 'refused':
      return codePage(parts, visit, app.refused);
    case 'unreachable':
      return codePage(parts, visit, `${app.unreachable.title}. ${app.unreachable.text}`, 503);
    default:
      return codePage(parts, visit);
  }
};

const judge = async (
  parts: DashboardParts,
  visit: HolderVisit,
  answer: string,
  isTyped: boolean,
): Promise<PageAnswer> => {
  const { request, messages, asking, holder, timeZone } = visit;
  const { ways } = asking.code;
  const verdict = await parts.codes.judge(codeVisitOf(visit), answer);
  if (verdict.kind === 'right') return open(parts, visit);
  if (verdict.kind === 'refused') return codePage(parts, visit, ways.refused);
  if (verdict.kind === 'spent') return codePage(parts, visit, isTyped ? messages.code.again : ways.spent);
  visitorEvent(parts, 'code-wrong', request, { personId: holder.id });
  if (verdict.kind === 'wrong')
    return codePage(parts, visit, (isTyped ? asking.codeWrong : ways.wrong)(verdict.left));
  const { until } = verdict;
  const error = asking.code.sending.wrongTooOften(clockText(until, asking.locale, timeZone));
  return showCode(visit, { state: { kind: 'closed', why: 'paused', until }, error, status: 429 });
};

const typedIn = ({ request }: HolderVisit): string =>
  (request.form[CODE] ?? '').replace(/\s/g, '').slice(0, MAX_CODE);

/** What the button asks for: another code, another way, or that what was given is judged. */
const submit = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const { form } = visit.request;
  const { messages, asking } = visit;
  if (form.send !== undefined) return sendAgain(parts, visit);
  if (form[CHANGE] !== undefined)
    return showCode(visit, { state: await parts.codes.change(codeVisitOf(visit)) });
  const { kind, location } = (await parts.codes.kindOf(codeVisitOf(visit))) ?? {};
  if (kind === 'redirect' && location !== undefined) return seeOther(location);
  const isTyped = kind !== 'browser';
  const given = isTyped ? typedIn(visit) : (form[ANSWER] ?? '');
  if (given !== '') return judge(parts, visit, given, isTyped);
  return codePage(parts, visit, isTyped ? messages.code.missing : asking.code.ways.missing);
};

export const tryCode = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  if (isLanguageChange(visit.request))
    return showCode(visit, { state: await parts.codes.open(codeVisitOf(visit)), entered: typedIn(visit) });
  const wait = await parts.limits.tryFrom(parts.addressOf(visit.request.raw.request));
  return wait ? tooMany(visit, wait) : submit(parts, visit);
};

/** The browser was at the bank. */
export const comeBack = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const wait = await parts.limits.tryFrom(parts.addressOf(visit.request.raw.request));
  if (wait) return tooMany(visit, wait);
  const { kind } = (await parts.codes.kindOf(codeVisitOf(visit))) ?? {};
  return kind === 'redirect'
    ? judge(parts, visit, returnedWith(visit.request), false)
    : codePage(parts, visit);
};
