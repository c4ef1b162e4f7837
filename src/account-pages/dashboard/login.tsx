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
import { isLanguageChange } from '../../web/language.js';
import { AppRequest, lookAgain } from '../approve/codes/app-request.js';
import { NoCode, SendAgain, type SendingProps, sentText } from '../approve/codes/code-parts.js';
import type { CodeState, CodeVisit, SentState } from '../approve/codes/one-time-codes.js';
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
const codeVisitOf = ({ session, holder, lang }: HolderVisit): CodeVisit => ({
  secret: session.secret,
  psuId: holder.id,
  context: { shownHash: sha256(`dashboard:${session.secret}`), language: lang },
});

const CODE = 'code';
const FORM = 'code-form';
const WAITING = `${DASHBOARD}/waiting`;
const MAX_CODE = 64;

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
          <a class="button" href={frame.href(WAITING)}>
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
    locale: asking.locale,
    timeZone,
    name: 'send',
    value: 'yes',
  };
  if (state.kind !== 'sent') return <NoCode {...sending} state={state} field={CODE} />;
  if (state.method === 'app') return <InApp visit={visit} state={state} sending={sending} />;
  return (
    <>
      <OneTimeCode
        messages={{ ...asking.code, hint: messages.code.hint }}
        sender={visit.frame.brand.sender(visit.lang)}
        sent={sentText(state, asking.code.sending, asking.locale, timeZone)}
        field={CODE}
        value={entered}
        errors={error === undefined ? [] : [{ field: CODE, text: error }]}
        demoCode={state.demoCode}
      />
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
        <CodeEntry visit={visit} {...page} />
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
    { status, cookies, ...(isWaiting ? { headers: lookAgain(frame.href(WAITING)) } : {}) },
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
      return open(parts, visit);
    case 'refused':
      return codePage(parts, visit, app.refused);
    case 'unreachable':
      return codePage(parts, visit, `${app.unreachable.title}. ${app.unreachable.text}`, 503);
    default:
      return codePage(parts, visit);
  }
};

const judge = async (parts: DashboardParts, visit: HolderVisit, code: string): Promise<PageAnswer> => {
  const { request, messages, asking, holder, timeZone } = visit;
  const verdict = await parts.codes.judge(codeVisitOf(visit), code);
  if (verdict.kind === 'right') return open(parts, visit);
  if (verdict.kind === 'spent') return codePage(parts, visit, messages.code.again);
  visitorEvent(parts, 'code-wrong', request, { personId: holder.id });
  if (verdict.kind === 'wrong') return codePage(parts, visit, asking.codeWrong(verdict.left));
  const { until } = verdict;
  const error = asking.code.sending.wrongTooOften(clockText(until, asking.locale, timeZone));
  return showCode(visit, { state: { kind: 'closed', why: 'paused', until }, error, status: 429 });
};

export const tryCode = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const { form, raw } = visit.request;
  const code = (form[CODE] ?? '').replace(/\s/g, '').slice(0, MAX_CODE);
  if (isLanguageChange(visit.request))
    return showCode(visit, { state: await parts.codes.open(codeVisitOf(visit)), entered: code });
  const isSending = form.send !== undefined;
  if (code === '' && !isSending) return codePage(parts, visit, visit.messages.code.missing);
  const wait = await parts.limits.tryFrom(parts.addressOf(raw.request));
  if (wait) return tooMany(visit, wait);
  return isSending ? sendAgain(parts, visit) : judge(parts, visit, code);
};
