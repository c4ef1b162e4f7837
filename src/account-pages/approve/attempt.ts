/** One attempt at a decision: the code it needs, and the page that follows once it was tried. */

import { setTimeout } from 'node:timers/promises';
import type { MethodKind, ScaContext } from '../../bank/account-holders.js';
import { type AskedConsent, findAsked, shownHash } from '../../consent/asked.js';
import { type DecisionOutcome, type Pending, pendingDecision } from '../../consent/decide.js';
import type { Wait } from '../../gate/limits/limits.js';
import { type PageAnswer, seeOther } from '../../http/pages.js';
import type { BankTime } from '../../lib/clock.js';
import { sha256 } from '../../lib/hash.js';
import { ownLanguage } from '../../web/language.js';
import { tooManyPage } from '../login/guard/too-many-page.js';
import { visitorEvent } from '../login/visitor-events.js';
import { scaContextOf } from './asked-for.js';
import { type Entered, type FieldFault, fields } from './choice.js';
import type { CodeState, CodeVisit } from './codes/code-states.js';
import { type ApprovalParts, addressOf, type HolderVisit, outsidePath, pathOf } from './parts.js';
import { changedPage, notFoundPage } from './view/outcome-pages.js';
import { wayBack } from './way-back.js';

/** One decision about one open matter. */
export interface Decision {
  readonly parts: ApprovalParts;
  readonly visit: HolderVisit;
  readonly asked: AskedConsent;
  readonly pending: Pending;
  readonly bankNow: BankTime;
}

export const toStatePage = (visit: HolderVisit): PageAnswer => seeOther(visit.frame.href(pathOf(visit)));

export const leave = ({ visit, asked }: Decision, result: 'approved' | 'refused'): PageAnswer => {
  const address = wayBack(asked, result, visit.within);
  return address === undefined ? toStatePage(visit) : seeOther(address);
};

const isDecided = async ({ parts, visit, asked, bankNow }: Decision): Promise<boolean> => {
  const current = await findAsked(parts.db, asked.id, visit.holder.id);
  return !current || pendingDecision(current, bankNow) !== pendingDecision(asked, bankNow);
};

/** If a concurrent approval changed the consent, its outcome is shown rather than "changed". */
export const changed = async (decision: Decision, account?: string): Promise<PageAnswer> =>
  (await isDecided(decision)) ? toStatePage(decision.visit) : changedPage(decision.visit, account);

export const isShown = ({ request }: HolderVisit, asked: AskedConsent): boolean =>
  request.form[fields.shown] === shownHash(asked);

/** The answer once an approval was tried. */
export const afterApproval = async (decision: Decision, outcome: DecisionOutcome): Promise<PageAnswer> => {
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

/** The way that the form or the address names; the button that changes it comes first. */
const methodIn = ({ form, query }: HolderVisit['request']): string | undefined =>
  form[fields.change] ?? form[fields.method] ?? query[fields.method];

export const codeVisitFor = (visit: HolderVisit, context: ScaContext): CodeVisit => ({
  secret: visit.session.secret,
  psuId: visit.holder.id,
  context: { ...context, language: ownLanguage(visit.lang) },
  methodId: methodIn(visit.request),
  returnTo: (methodId) => addressOf(visit, outsidePath(visit, 'returned', context.shownHash, methodId)),
});

type Matter = Pick<Decision, 'visit' | 'asked' | 'pending'>;

/** What the person confirms. The end of a block is no approval of what was asked for, so it has a hash of its own. */
export const contextOf = ({ asked, pending }: Omit<Matter, 'visit'>): ScaContext =>
  pending === 'blocked' ? { shownHash: sha256(`unblock:${shownHash(asked)}`) } : scaContextOf(asked);

export const codeVisitOf = (matter: Matter): CodeVisit => codeVisitFor(matter.visit, contextOf(matter));

/** How the person confirms, and what they gave for it. */
export interface Confirmation {
  readonly codeVisit: CodeVisit;
  readonly kind: MethodKind;
  readonly location?: string | undefined;
  readonly answer: string;
}

export const confirmationOf = async (
  decision: Decision,
  { code, answer = '' }: Entered,
): Promise<Confirmation> => {
  const codeVisit = codeVisitOf(decision);
  const { kind, location } = (await decision.parts.codes.kindOf(codeVisit)) ?? { kind: 'code' };
  return { codeVisit, kind, location, answer: kind === 'browser' ? answer : code };
};

/** What the form must have beside the decision; nothing if the person confirms outside of this page. */
export const missingOf = ({ kind, answer }: Confirmation): FieldFault | undefined => {
  if (answer !== '' || kind === 'app' || kind === 'redirect') return undefined;
  return { field: 'code', fault: kind === 'code' ? 'codeMissing' : 'answerMissing' };
};

/** What waits for a confirmation outside of the page: the choice, and what the confirmation stands for. */
export interface Chosen {
  readonly entered: Entered;
  readonly context: ScaContext;
  readonly pending: Decision['pending'];
}

/** On to the page that waits for the app, or away to the bank; if the confirmation is over, the page of the request says so. */
export const toBank = async (
  { parts, visit, pending }: Decision,
  { codeVisit, kind, location }: Confirmation,
  entered: Entered,
): Promise<PageAnswer | undefined> => {
  if (kind !== 'app' && kind !== 'redirect') return undefined;
  const { context, methodId } = codeVisit;
  const chosen: Chosen = { entered: { ...entered, code: '', answer: '' }, context, pending };
  if (!(await parts.codes.choose(codeVisit, chosen))) return toStatePage(visit);
  const waiting = visit.frame.href(outsidePath(visit, 'waiting', context.shownHash, methodId));
  return seeOther(kind === 'redirect' && location !== undefined ? location : waiting);
};

/** The page once more, without the code. */
type AskAgain = (faults: readonly FieldFault[], code?: CodeState) => Promise<PageAnswer>;

/** Another code, for the same page. */
export const sendAgain = async (decision: Decision, again: AskAgain): Promise<PageAnswer> => {
  const { parts, visit } = decision;
  const wait = await parts.limits.tryFrom(parts.addressOf(visit.request.raw.request));
  if (wait) return tooMany(visit, wait);
  const { state, unsent } = await parts.codes.sendAgain(codeVisitOf(decision));
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

/** In another way, for the same page. */
export const changeWay = async (decision: Decision, again: AskAgain): Promise<PageAnswer> => {
  const { parts, visit } = decision;
  const wait = await parts.limits.tryFrom(parts.addressOf(visit.request.raw.request));
  return wait ? tooMany(visit, wait) : again([], await parts.codes.change(codeVisitOf(decision)));
};

/** Undefined: the answer is right. */
export const tryAnswer = async (
  decision: Decision,
  { codeVisit, kind, answer }: Confirmation,
  again: AskAgain,
): Promise<PageAnswer | undefined> => {
  const { parts, visit } = decision;
  const wait = await parts.limits.tryFrom(parts.addressOf(visit.request.raw.request));
  if (wait) return tooMany(visit, wait);
  const verdict = await parts.codes.judge(codeVisit, answer);
  if (verdict.kind === 'right') return undefined;
  if (verdict.kind === 'refused') return again([{ field: 'code', fault: 'redirectRefused' }]);
  if (verdict.kind === 'spent') {
    if (await isDecidedSoon(decision)) return toStatePage(visit);
    return again([{ field: 'code', fault: kind === 'code' ? 'codeSpent' : 'answerSpent' }]);
  }
  visitorEvent(parts, 'code-wrong', visit.request, { personId: visit.holder.id });
  const fault =
    verdict.kind === 'wrong'
      ? { attemptsLeft: verdict.left, kind }
      : { closed: 'paused' as const, until: verdict.until };
  return again([{ field: 'code', fault }]);
};
