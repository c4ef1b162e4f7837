/** The first step of the journey: the login. A right one gets a new session; every wrong one gets the same answer. */
import type { PageAnswer } from '../../http/pages.js';
import { entryPage } from '../login/entry-page.js';
import { type Attempt, logIn as answerLogin } from '../login/guard/log-in.js';
import { type ApprovalParts, pathOf, type Visit } from './parts.js';

/** Before the login the page shows nothing about the request, not even whether there is one. */
export const loginPage = (parts: ApprovalParts, visit: Visit, attempt: Attempt = {}): PageAnswer => {
  const { loginTitle, errorPrefix } = visit.messages;
  return entryPage(parts, visit, { path: pathOf(visit), ...loginTitle, errorPrefix }, attempt);
};

export const logIn = (parts: ApprovalParts, visit: Visit): Promise<PageAnswer> =>
  answerLogin(parts, visit, pathOf(visit), (attempt) => loginPage(parts, visit, attempt));
