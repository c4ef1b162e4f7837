/**
 * The way in: the first factor as everywhere, then a one-time code that opens this overview and nothing else. A right code
 * gets a new session, so nothing that was known before it opens the lists.
 */
import type { Challenge, ScaContext } from '../../bank/account-holders.js';
import { type PageAnswer, seeOther } from '../../http/pages.js';
import { sha256 } from '../../lib/hash.js';
import { MAX_CODE_ATTEMPTS } from '../../psu/code-attempts.js';
import { SESSION_COOKIE } from '../../psu/sessions.js';
import { type ErrorLine, ErrorSummary } from '../components/error-summary.js';
import { flowPage } from '../components/flow-shell.js';
import { OneTimeCode } from '../components/one-time-code.js';
import { MAX_NAME, passFirstFactor } from '../login/first-factor.js';
import { FORM_TOKEN, LoginForm } from '../login/login-form.js';
import type { LoginError } from '../login/login-texts.js';
import { visitorEvent } from '../login/visitor-events.js';
import { DASHBOARD, type DashboardParts, type HolderVisit, hasFormToken, type Visit } from './parts.js';
import { Visitor } from './view/board.js';
import { messagePage } from './view/message.js';

interface Attempt {
  readonly status?: number;
  readonly error?: LoginError | undefined;
  readonly username?: string;
}

/** With an anonymous session for its form token where there is none. */
export const loginPage = async (
  parts: DashboardParts,
  visit: Visit,
  { status = 200, error = visit.isStale ? 'expired' : undefined, username }: Attempt = {},
): Promise<PageAnswer> => {
  const { frame, lang, words, asking, cookies } = visit;
  const known = visit.session?.psu === undefined ? visit.session : undefined;
  const session = known ?? (await parts.sessions.open());
  const { title, text } = words.login;
  const children = (
    <>
      <div class="page-head">
        <h1>{title}</h1>
        <p class="lead">{text}</p>
      </div>
      <LoginForm
        frame={frame}
        lang={lang}
        action={frame.href(`${DASHBOARD}/login`)}
        formToken={session.formToken}
        error={error}
        username={username}
      />
    </>
  );
  return flowPage(
    { frame, lang, title: error ? `${asking.errorPrefix}${title}` : title, path: DASHBOARD, children },
    { status, cookies: [...cookies, { name: SESSION_COOKIE, value: session.secret }] },
  );
};

export const logIn = async (parts: DashboardParts, visit: Visit): Promise<PageAnswer> => {
  const { session, request, frame } = visit;
  const { username = '' } = request.form;
  if (!hasFormToken(visit)) return loginPage(parts, visit, { status: 403, error: 'expired', username });
  const passed = await passFirstFactor(parts, request, session);
  if (!passed)
    return loginPage(parts, visit, { status: 400, error: 'refused', username: username.slice(0, MAX_NAME) });
  return seeOther(frame.href(DASHBOARD), [...visit.cookies, { name: SESSION_COOKIE, value: passed.secret }]);
};

export const logOut = async (parts: DashboardParts, visit: Visit): Promise<PageAnswer> => {
  if (visit.session && hasFormToken(visit)) await parts.sessions.close(visit.session.secret);
  return seeOther(visit.frame.href(DASHBOARD), [{ name: SESSION_COOKIE, value: '', maxAge: 0 }]);
};

/** The code stands for this overview in this very session: it approves nothing and works nowhere else. */
const contextOf = ({ session }: HolderVisit): ScaContext => ({
  shownHash: sha256(`dashboard:${session.secret}`),
});

const CODE = 'code';
const CHALLENGE = 'challenge';
const PHONE = 'phone';
const MAX_CODE = 64;

const codeForm = (visit: HolderVisit, challenge: Challenge, errors: readonly ErrorLine[]) => {
  const { frame, words, asking, session } = visit;
  const { demoCode } = challenge;
  return (
    <form
      class="sections"
      method="post"
      action={frame.href(`${DASHBOARD}/code`)}
      noValidate
      autocomplete="off"
    >
      <input type="hidden" name={FORM_TOKEN} value={session.formToken} />
      <input type="hidden" name={CHALLENGE} value={challenge.id} />
      {demoCode !== undefined && <input type="hidden" name={PHONE} value={demoCode} />}
      <OneTimeCode
        words={{ ...asking.code, hint: words.code.hint }}
        field={CODE}
        value=""
        errors={errors}
        demoCode={demoCode}
      />
      <div class="actions">
        <button class="button" type="submit">
          {words.code.submit}
        </button>
      </div>
    </form>
  );
};

const showCode = (visit: HolderVisit, challenge: Challenge, error?: string): PageAnswer => {
  const { frame, lang, words, asking, cookies } = visit;
  const errors = error === undefined ? [] : [{ field: CODE, text: error }];
  const { title, text } = words.code;
  const children = (
    <>
      <ErrorSummary heading={asking.errorHeading} errors={errors} />
      <Visitor visit={visit} />
      <div class="page-head">
        <h1>{title}</h1>
        <p class="lead">{text}</p>
      </div>
      {codeForm(visit, challenge, errors)}
    </>
  );
  return flowPage(
    { frame, lang, title: error ? `${asking.errorPrefix}${title}` : title, path: DASHBOARD, children },
    { status: error ? 400 : 200, cookies },
  );
};

/** The words alone, and a way out: no code is sent, and none is tried. */
const lockedPage = (visit: HolderVisit): PageAnswer =>
  messagePage(visit, visit.words.locked, { meaning: 'bad', status: 403, isFinal: true });

export const codePage = async (
  parts: DashboardParts,
  visit: HolderVisit,
  error?: string,
): Promise<PageAnswer> => {
  if (await parts.codeAttempts.isLocked(visit.holder.id)) return lockedPage(visit);
  return showCode(visit, await parts.accountHolders.challenge(visit.holder.id, contextOf(visit)), error);
};

/** The page once more, for the code that was sent before. */
const askAgain = (visit: HolderVisit, error: string): PageAnswer => {
  const { form } = visit.request;
  const shownOnPhone = /^\d{6}$/.test(form[PHONE] ?? '') ? form[PHONE] : undefined;
  // The demo phone goes on showing the code that it showed before.
  const demo = visit.frame.isSandbox && shownOnPhone ? { demoCode: shownOnPhone } : {};
  return showCode(visit, { id: form[CHALLENGE] ?? '', ...demo }, error);
};

export const tryCode = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const { request, words, asking, holder, frame, session } = visit;
  const { accountHolders, codeAttempts, sessions } = parts;
  const code = (request.form[CODE] ?? '').replace(/\s/g, '').slice(0, MAX_CODE);
  if (code === '') return askAgain(visit, words.code.missing);
  const count = await codeAttempts.count(holder.id);
  if (count > MAX_CODE_ATTEMPTS) return lockedPage(visit);
  const challengeId = request.form[CHALLENGE] ?? '';
  const outcome = await accountHolders.verify(holder.id, challengeId, contextOf(visit), code);
  if (outcome === 'right') {
    await codeAttempts.forget(holder.id);
    const { secret } = await sessions.stepUp(session);
    return seeOther(frame.href(DASHBOARD), [{ name: SESSION_COOKIE, value: secret }]);
  }
  if (outcome === 'spent') {
    await codeAttempts.uncount(holder.id);
    return codePage(parts, visit, words.code.again);
  }
  visitorEvent(parts, 'code-wrong', request, { personId: holder.id });
  if (count < MAX_CODE_ATTEMPTS) return askAgain(visit, asking.codeWrong(MAX_CODE_ATTEMPTS - count));
  return lockedPage(visit);
};
