/**
 * The form of a decision, submitted. Whatever is sent twice, late, from an old page or about a request that has changed meanwhile ends
 * in a page that explains it; the lifecycle moves at most once.
 */
import { accountsFor } from '../../../bank/guard/answers.js';
import { findAsked, shownHash } from '../../../consent/asked.js';
import { approveConsent, pendingDecision, refuseConsent } from '../../../consent/decide.js';
import type { PageAnswer } from '../../../http/pages.js';
import {
  type Choice,
  calendarAt,
  choose,
  type Entered,
  type FieldFault,
  fields,
  readEntries,
} from '../choice.js';
import type { CodeState } from '../codes/one-time-codes.js';
import { canApprove, consentAccountsOf, type Offer, offerOf } from '../offer.js';
import type { ApprovalParts, HolderVisit } from '../parts.js';
import { approvalPage } from '../view/approval-page.js';
import { notFoundPage, strandedPage, suspendedPage } from '../view/outcome-pages.js';
import { withinOf } from '../way-back.js';
import { afterApproval, changed, type Decision, leave, toStatePage } from './answers.js';
import { codeVisitOf, sendAgain, tryCode } from './code-check.js';
import { approveRenewal, sendRenewalCode } from './renewal.js';

const refuse = async (decision: Decision): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = decision;
  const outcome = await refuseConsent(parts.db, asked, bankNow);
  return outcome === 'done' ? leave(decision, 'refused') : toStatePage(visit);
};

interface Attempt {
  readonly offer: Offer;
  readonly entered: Entered;
}

/** The page once more, with what was entered. */
const askAgain = async (
  decision: Decision,
  { offer, entered }: Attempt,
  faults: readonly FieldFault[],
  code?: CodeState,
): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = decision;
  return approvalPage({
    visit,
    asked,
    offer,
    entered,
    faults,
    code: code ?? (await parts.codes.open(codeVisitOf(visit, asked))),
    calendar: calendarAt(bankNow, parts),
  });
};

const complete = async (decision: Decision, { cards, term }: Choice): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = decision;
  const outcome = await approveConsent(parts.db, {
    id: asked.id,
    psuId: visit.holder.id,
    shownHash: shownHash(asked),
    accounts: consentAccountsOf(cards),
    term,
    at: bankNow,
  });
  return afterApproval(decision, outcome);
};

const approve = async (decision: Decision): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = decision;
  const offer = offerOf(asked, await accountsFor(parts.bank, visit.holder.id, asked.accounts));
  const entered = readEntries(visit.request);
  const { choice, faults } = choose(asked, offer, entered, calendarAt(bankNow, parts));
  if (!choice) return askAgain(decision, { offer, entered }, faults);
  const withoutCode = { offer, entered: { ...entered, code: '' } };
  const refused = await tryCode(decision, entered.code, (wrong) => askAgain(decision, withoutCode, wrong));
  return refused ?? complete(decision, choice);
};

const sendCode = async (decision: Decision): Promise<PageAnswer> => {
  const { parts, visit, asked } = decision;
  const offer = offerOf(asked, await accountsFor(parts.bank, visit.holder.id, asked.accounts));
  if (!canApprove(offer)) return toStatePage(visit);
  const entered = { ...readEntries(visit.request), code: '' };
  return sendAgain(decision, (faults, code) => askAgain(decision, { offer, entered }, faults, code));
};

type Submit = (decision: Decision) => Promise<PageAnswer>;

/** By what the button says. */
const submits: Readonly<Record<'request' | 'renewal', Readonly<Record<string, Submit>>>> = {
  request: { approve, refuse, send: sendCode },
  renewal: { approve: approveRenewal, refuse, send: sendRenewalCode },
};

export const submitDecision = async (parts: ApprovalParts, visitor: HolderVisit): Promise<PageAnswer> => {
  const asked = await findAsked(parts.db, visitor.consentId, visitor.holder.id);
  if (!asked) return notFoundPage(visitor);
  if (asked.isActive === 0) return suspendedPage(visitor, asked);
  const bankNow = await parts.bankTime();
  const pending = pendingDecision(asked, bankNow);
  if (pending === undefined) return toStatePage(visitor);
  // A renewal has its own way back, wherever the request itself began.
  const within = pending === 'request' ? await withinOf(parts, visitor, asked) : undefined;
  if (typeof within === 'string') return strandedPage(visitor, within);
  const visit = { ...visitor, ...(within ? { within } : {}) };
  const decision = { parts, visit, asked, bankNow };
  const { form } = visit.request;
  const [, submit] = Object.entries(submits[pending]).find(([name]) => name === form[fields.decision]) ?? [];
  if (!submit) return toStatePage(visit);
  // Before a code is tried: a code that was sent for something else must not be used up for this.
  if (submit !== refuse && form[fields.shown] !== shownHash(asked)) return changed(decision);
  return submit(decision);
};
