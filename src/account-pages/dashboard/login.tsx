/**
 * The way in: the first factor as everywhere, then an authentication that opens this overview and nothing else. A right one
 * gets a new session, so nothing that was known before it opens the lists.
 */
import { type PageAnswer, seeOther } from '../../http/pages.js';
import { sha256 } from '../../lib/hash.js';
import { SESSION_COOKIE } from '../../psu/sessions.js';
import { entryPage } from '../login/entry-page.js';
import { type Attempt, logIn as answerLogin, noSession } from '../login/guard/log-in.js';
import { ask, type Confirm, comeBack, type Matter, submit, waitForApp } from './confirmation.js';
import { DASHBOARD, type DashboardParts, type HolderVisit, type Visit } from './parts.js';

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

export const logIn = (parts: DashboardParts, visit: Visit): Promise<PageAnswer> =>
  answerLogin(parts, visit, DASHBOARD, (attempt) => loginPage(parts, visit, attempt));

const open = async ({ sessions }: DashboardParts, { session, frame }: HolderVisit): Promise<PageAnswer> => {
  const { secret } = await sessions.stepUp(session);
  return seeOther(frame.href(DASHBOARD), [{ name: SESSION_COOKIE, value: secret }]);
};

/** The code stands for this overview in this very session: it approves nothing and works nowhere else. */
const entrance = (parts: DashboardParts, visit: HolderVisit): Matter => ({
  page: DASHBOARD,
  action: `${DASHBOARD}/code`,
  shownHash: sha256(`dashboard:${visit.session.secret}`),
  texts: visit.messages.code,
  complete: () => open(parts, visit),
});

const entering = (step: Confirm) => (parts: DashboardParts, visit: HolderVisit) =>
  step(parts, visit, entrance(parts, visit));

export const entranceSteps = {
  page: entering(ask),
  submit: entering(submit),
  waiting: entering(waitForApp),
  returned: entering(comeBack),
};
