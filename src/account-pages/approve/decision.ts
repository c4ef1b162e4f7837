/**
 * The form of a decision, submitted. Whatever is sent twice, late, from an old page or about a request that has changed meanwhile ends
 * in a page that explains it; the lifecycle moves at most once.
 */

import { setTimeout } from 'node:timers/promises';
import { accountsFor } from '../../bank/guard/answers.js';
import { type AskedConsent, findAsked, shownHash } from '../../consent/asked.js';
import {
  approveConsent,
  type DecisionOutcome,
  pendingDecision,
  refuseConsent,
  renewConsent,
} from '../../consent/decide.js';
import type { Wait } from '../../gate/limits/limits.js';
import { type PageAnswer, seeOther } from '../../http/pages.js';
import type { BankTime } from '../../lib/clock.js';
import { tooManyPage } from '../login/guard/too-many-page.js';
import { visitorEvent } from '../login/visitor-events.js';
import { scaContextOf } from './asked-for.js';
import {
  type Choice,
  calendarAt,
  choose,
  type Entered,
  type FieldFault,
  fields,
  readEntries,
} from './choice.js';
import type { CodeState, CodeVisit } from './codes/one-time-codes.js';
import { canApprove, consentAccountsOf } from './offer.js';
import { type ApprovalParts, type HolderVisit, pathOf } from './parts.js';
import { accountFaults, type Prospect, prospectOf } from './prospect.js';
import { approvalPage } from './view/approval-page.js';
import { changedPage, notFoundPage, strandedPage, suspendedPage } from './view/outcome-pages.js';
import { renewalPage } from './view/renewal-page.js';
import { wayBack, withinOf } from './way-back.js';

/** One decision about one open matter. */
interface Decision {
  readonly parts: ApprovalParts;
  readonly visit: HolderVisit;
  readonly asked: AskedConsent;
  readonly bankNow: BankTime;
}

/** An approval, at the terms of this person. */
interface ApprovalDecision extends Decision {
  readonly prospect: Prospect;
}

const toStatePage = (visit: HolderVisit): PageAnswer => seeOther(visit.frame.href(pathOf(visit)));

const leave = ({ visit, asked }: Decision, result: 'approved' | 'refused'): PageAnswer => {
  const address = wayBack(asked, result, visit.within);
  return address === undefined ? toStatePage(visit) : seeOther(address);
};

const isDecided = async ({ parts, visit, asked, bankNow }: Decision): Promise<boolean> => {
  const current = await findAsked(parts.db, asked.id, visit.holder.id);
  return !current || pendingDecision(current, bankNow) !== pendingDecision(asked, bankNow);
};

/** If a concurrent approval changed the consent, its outcome is shown rather than "changed". */
const changed = async (decision: Decision, account?: string): Promise<PageAnswer> =>
  (await isDecided(decision)) ? toStatePage(decision.visit) : changedPage(decision.visit, account);

const isShown = ({ request }: HolderVisit, asked: AskedConsent): boolean =>
  request.form[fields.shown] === shownHash(asked);

/** The answer once an approval was tried. */
const afterApproval = async (decision: Decision, outcome: DecisionOutcome): Promise<PageAnswer> => {
  switch (outcome) {
    case 'done':
      return leave(decision, 'approved');
    case 'changed':
      return changed(decision);
    case 'decided':
    case 'submitted':
      return toStatePage(decision.visit);
    case 'unknown':
      return notFoundPage(decision.visit);
  }
};

const DOUBLE_SUBMIT_MS = 200;

export const codeVisitOf = ({ session, holder, lang }: HolderVisit, asked: AskedConsent): CodeVisit => ({
  secret: session.secret,
  psuId: holder.id,
  context: { ...scaContextOf(asked), language: lang },
});

/** The page once more, without the code. */
type AskAgain = (faults: readonly FieldFault[], code?: CodeState) => Promise<PageAnswer>;

/** Another code, for the same page. */
const sendAgain = async ({ parts, visit, asked }: Decision, again: AskAgain): Promise<PageAnswer> => {
  const wait = await parts.limits.tryFrom(parts.addressOf(visit.request.raw.request));
  if (wait) return tooMany(visit, wait);
  const { state, unsent } = await parts.codes.sendAgain(codeVisitOf(visit, asked));
  const faults = unsent
    ? [{ field: 'code', fault: { closed: unsent.why, until: unsent.until } } as const]
    : [];
  return again(faults, state);
};

const tooMany = (visit: HolderVisit, wait: Wait): PageAnswer =>
  tooManyPage({ frame: visit.frame, lang: visit.lang, path: pathOf(visit), wait });

/**
 * A button pressed twice sends the same code twice. The second one is spent because the first is being carried out; a moment
 * later the matter is decided, and that is what the account holder should read.
 */
const isDecidedSoon = async (decision: Decision): Promise<boolean> => {
  await setTimeout(DOUBLE_SUBMIT_MS);
  return isDecided(decision);
};

/** Undefined: the code is right. */
const tryCode = async (
  decision: Decision,
  code: string,
  again: AskAgain,
): Promise<PageAnswer | undefined> => {
  const { parts, visit, asked } = decision;
  const wait = await parts.limits.tryFrom(parts.addressOf(visit.request.raw.request));
  if (wait) return tooMany(visit, wait);
  const verdict = await parts.codes.judge(codeVisitOf(visit, asked), code);
  if (verdict.kind === 'right') return undefined;
  if (verdict.kind === 'spent') {
    if (await isDecidedSoon(decision)) return toStatePage(visit);
    return again([{ field: 'code', fault: 'codeSpent' }]);
  }
  visitorEvent(parts, 'code-wrong', visit.request, { personId: visit.holder.id });
  const fault =
    verdict.kind === 'wrong'
      ? { attemptsLeft: verdict.left }
      : { closed: 'paused' as const, until: verdict.until };
  return again([{ field: 'code', fault }]);
};

/** The accounts that the consent covers, as their holder knows them. */
const coveredAccounts = async ({ parts, visit, asked }: Decision) => {
  const held = await accountsFor(parts.bank, visit.holder.id, asked.accounts);
  return held.filter(({ id }) => asked.accounts.some(({ accountId }) => accountId === id));
};

const renewalForm = async (
  decision: Decision,
  faults: readonly FieldFault[],
  code?: CodeState,
): Promise<PageAnswer> => {
  const { parts, visit, asked } = decision;
  const accounts = await coveredAccounts(decision);
  const state = code ?? (await parts.codes.open(codeVisitOf(visit, asked)));
  return renewalPage({ visit, asked, accounts, code: state, faults });
};

export const showRenewal = (decision: Decision): Promise<PageAnswer> => renewalForm(decision, []);

/** A code and nothing to choose. Refused or failed, the permission stays as it is. */
const approveRenewal = async (decision: Decision): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = decision;
  const { code } = readEntries(visit.request);
  if (code === '') return renewalForm(decision, [{ field: 'code', fault: 'codeMissing' }]);
  const refused = await tryCode(decision, code, (faults) => renewalForm(decision, faults));
  if (refused) return refused;
  const renewal = { id: asked.id, psuId: visit.holder.id, shownHash: shownHash(asked), at: bankNow };
  return afterApproval(decision, await renewConsent(parts.db, renewal));
};

const sendRenewalCode = (decision: Decision): Promise<PageAnswer> =>
  sendAgain(decision, (faults, code) => renewalForm(decision, faults, code));

const refuse = async (decision: Decision): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = decision;
  const outcome = await refuseConsent(parts.db, asked, bankNow);
  return outcome === 'done' ? leave(decision, 'refused') : toStatePage(visit);
};

/** The page once more, with what was entered. */
const askAgain = async (
  decision: ApprovalDecision,
  entered: Entered,
  faults: readonly FieldFault[],
  code?: CodeState,
): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = decision;
  const { offer } = decision.prospect;
  return approvalPage({
    visit,
    asked,
    offer,
    entered,
    faults,
    code: canApprove(offer) ? (code ?? (await parts.codes.open(codeVisitOf(visit, asked)))) : undefined,
    calendar: calendarAt(bankNow, parts),
    bankNow,
  });
};

const complete = async (
  { prospect, ...decision }: ApprovalDecision,
  { cards, term }: Choice,
): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = decision;
  const outcome = await approveConsent(parts.db, {
    id: asked.id,
    psuId: visit.holder.id,
    shownHash: shownHash(asked),
    accounts: consentAccountsOf(cards),
    terms: prospect.terms,
    term,
    at: bankNow,
  });
  return afterApproval(decision, outcome);
};

const approve = async (decision: ApprovalDecision): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow, prospect } = decision;
  const entered = readEntries(visit.request);
  const { choice, faults } = choose(asked, prospect.offer, entered, calendarAt(bankNow, parts));
  const refused = accountFaults(prospect);
  if (!choice || refused.length > 0) return askAgain(decision, entered, [...refused, ...faults]);
  const withoutCode = { ...entered, code: '' };
  const wrongCode = await tryCode(decision, entered.code, (wrong) => askAgain(decision, withoutCode, wrong));
  return wrongCode ?? complete(decision, choice);
};

const sendCode = async (decision: ApprovalDecision): Promise<PageAnswer> => {
  if (!canApprove(decision.prospect.offer)) return toStatePage(decision.visit);
  const entered = { ...readEntries(decision.visit.request), code: '' };
  return sendAgain(decision, (faults, code) => askAgain(decision, entered, faults, code));
};

/** What was shown is what is approved: at other terms than these the account holder looks again first. */
const atTerms =
  (submit: (decision: ApprovalDecision) => Promise<PageAnswer>): Submit =>
  async (decision) => {
    const { parts, visit, asked: staged } = decision;
    const [picked] = staged.kind === 'PaymentInitiation' ? readEntries(visit.request).accounts : [];
    const prospect = await prospectOf(parts, visit, staged, picked);
    const { asked } = prospect;
    return isShown(visit, asked)
      ? submit({ ...decision, asked, prospect })
      : changed({ ...decision, asked }, picked);
  };

/** A code that was sent for something else must not be used up for this. */
const asShown =
  (submit: Submit): Submit =>
  (decision) =>
    isShown(decision.visit, decision.asked) ? submit(decision) : changed(decision);

type Submit = (decision: Decision) => Promise<PageAnswer>;

/** By what the button says. */
const submits: Readonly<Record<'request' | 'renewal', Readonly<Record<string, Submit>>>> = {
  request: { approve: atTerms(approve), refuse, send: atTerms(sendCode) },
  renewal: { approve: asShown(approveRenewal), refuse, send: asShown(sendRenewalCode) },
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
  return submit ? submit(decision) : toStatePage(visit);
};
