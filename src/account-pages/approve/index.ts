/** The approval journey: an account holder logs in, sees exactly what is asked and by whom, and approves or refuses. */
import { findAsked, isEndedByTime } from '../../consent/asked.js';
import { pendingDecision } from '../../consent/decide.js';
import { type Page, type PageAnswer, seeOther } from '../../http/pages.js';
import { findWatchedOrder } from '../../payment/orders.js';
import { holderVisit, roomOf } from '../login/guard/audiences.js';
import { logOut } from '../login/guard/log-in.js';
import { toBankLogin } from '../login/login-form.js';
import { codeVisitOf } from './attempt.js';
import { calendarAt, presetEntries } from './choice.js';
import { showBlocked, showRenewal } from './code-matters.js';
import { submitDecision } from './decision.js';
import { logIn, loginPage } from './login.js';
import { canApprove } from './offer.js';
import { type ApprovalParts, type HolderVisit, pathOf, strangerVisit, type Visit, visitOf } from './parts.js';
import { accountFaults, prospectOf } from './prospect.js';
import { withBalances } from './shown-balances.js';
import { approvalPage } from './view/approval-page.js';
import { orderText } from './view/order-text.js';
import {
  notFoundPage,
  outcomePage,
  staleFormPage,
  strandedPage,
  suspendedPage,
  unavailablePage,
} from './view/outcome-pages.js';
import { comeBack, waitForApp } from './waiting.js';
import { withinOf } from './way-back.js';

export type { ApprovalParts } from './parts.js';

/** A person who has logged out decides when to log in again: the bank's provider may still know them. */
const LOGGED_OUT = 'ended';
const loggedOutPath = (visit: Visit): string => pathOf(visit, `?${LOGGED_OUT}=yes`);

const show = async (parts: ApprovalParts, visit: HolderVisit): Promise<PageAnswer> => {
  const { db, codes, timeZone } = parts;
  const asked = await findAsked(db, visit.consentId, visit.holder.id);
  if (!asked) return notFoundPage(visit);
  if (asked.isActive === 0) return suspendedPage(visit, asked);
  const bankNow = await parts.bankTime();
  const pending = pendingDecision(asked, bankNow);
  if (pending === 'renewal') return showRenewal({ parts, visit, asked, pending, bankNow });
  const within = await withinOf(parts, visit, asked);
  if (pending === undefined) {
    // Decided, but the browser has not gone on: a button pressed twice, or an answer that was lost.
    if (typeof within === 'object') return seeOther(within.back);
    const order = asked.submittedAt === null ? undefined : await findWatchedOrder(db, asked.id, asked);
    return outcomePage(visit, asked, {
      bankNow,
      isByTime: await isEndedByTime(db, asked.id),
      order: order && orderText(asked, order, visit.messages, timeZone),
    });
  }
  if (typeof within === 'string') return strandedPage(visit, within);
  const here = { ...visit, ...(within ? { within } : {}) };
  if (pending === 'blocked') return showBlocked({ parts, visit: here, asked, pending, bankNow });
  const picked = asked.kind === 'PaymentInitiation' ? visit.request.query.account : undefined;
  const prospect = await prospectOf(parts, visit, asked, picked);
  const { offer } = prospect;
  return approvalPage({
    visit: here,
    asked: prospect.asked,
    offer: await withBalances(parts, visit, offer),
    entered: presetEntries(asked, offer, timeZone, picked),
    faults: accountFaults(prospect),
    // No code is sent for what cannot be approved.
    code: canApprove(offer)
      ? await codes.open(codeVisitOf({ visit, asked: prospect.asked, pending }))
      : undefined,
    calendar: calendarAt(bankNow, parts),
    bankNow,
  });
};

export const createApprovalPages = (parts: ApprovalParts): readonly Page[] => {
  const { page, everybody, loggingIn, holders, leaving } = roomOf<Visit>(parts, {
    path: '/authorise/:id',
    visitOf: (request) => visitOf(parts, request),
    showLogin: (visit, attempt) => loginPage(parts, visit, attempt),
    showStale: staleFormPage,
    showFault: (request, error) => unavailablePage(strangerVisit(parts, request), error),
  });
  const withLogin = holders('account holder', (visit) => loginPage(parts, visit));
  /** The address bar may hold the address of a form. */
  const toRequest = (visit: Visit): PageAnswer => seeOther(visit.frame.href(pathOf(visit)), visit.cookies);

  return [
    page('GET', '', everybody, (visit) => {
      const holder = holderVisit(visit);
      if (holder) return show(parts, holder);
      const isLoggedOut = visit.request.query[LOGGED_OUT] !== undefined;
      return (isLoggedOut ? undefined : toBankLogin(visit.frame, pathOf(visit))) ?? loginPage(parts, visit);
    }),
    page('GET', '/waiting', withLogin, (visit) => waitForApp(parts, visit)),
    page('GET', '/returned', withLogin, (visit) => comeBack(parts, visit)),
    page('POST', '/login', loggingIn, (visit) => logIn(parts, visit)),
    page('POST', '/logout', leaving(loggedOutPath), (visit) => logOut(parts, visit, loggedOutPath(visit))),
    page('POST', '/decision', holders('account holder'), (visit) => submitDecision(parts, visit)),
    ...['/login', '/logout', '/decision'].map((step) => page('GET', step, everybody, toRequest)),
  ];
};
