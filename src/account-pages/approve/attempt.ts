/** One attempt at a decision: the code it needs, and the page that follows once it was tried. */

import { setTimeout } from 'node:timers/promises';
import type { MethodKind, ScaContext } from '../../bank/account-holders.js';
import { type AskedConsent, findAsked, shownHash } from '../../consent/asked.js';
import { type DecisionOutcome, type Pending, pendingDecision } from '../../consent/decide.js';
import { type PageAnswer, seeOther } from '../../http/pages.js';
import type { BankTime } from '../../lib/clock.js';
import { sha256 } from '../../lib/hash.js';
import { ownLanguage } from '../../web/language.js';
import { tooManyPage } from '../login/guard/too-many-page.js';
import { visitorEvent } from '../login/visitor-events.js';
import { scaContextOf } from './asked-for.js';
import { type Entered, type FieldFault, fields } from './choice.js';
import type { CodeState, CodeVisit, Sending, Unsent } from './codes/code-states.js';
import type { OneTimeCodes } from './codes/one-time-codes.js';
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
/** The first may take its time: a core is asked, a machine is busy. */
const DOUBLE_SUBMIT_LOOKS = 15;

/** The way that the form or the address names; the button that changes it comes first. */
const methodIn = ({ form, query }: HolderVisit['request']): string | undefined =>
  form[fields.change] ?? form[fields.method] ?? query[fields.method];

export const codeVisitFor = (visit: HolderVisit, context: ScaContext): CodeVisit => ({
  secret: visit.session.secret,
  psuId: visit.holder.id,
  context: { ...context, language: ownLanguage(visit.lang) },
  purpose: 'approval',
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
  readonly isBegun: boolean;
}

export const confirmationOf = async (
  decision: Decision,
  { code, answer = '' }: Entered,
): Promise<Confirmation> => {
  const codeVisit = codeVisitOf(decision);
  const begun = await decision.parts.codes.kindOf(codeVisit);
  return { codeVisit, ...begun, answer: begun.kind === 'browser' ? answer : code };
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

/** The page once more, without the code. */
type AskAgain = (faults: readonly FieldFault[], code?: CodeState) => Promise<PageAnswer>;

/** The page for too many attempts from one address. */
const tooMany = ({ parts, visit }: Decision): PageAnswer | undefined => {
  const wait = parts.guard.confirm(visit.request);
  return wait && tooManyPage({ frame: visit.frame, lang: visit.lang, path: pathOf(visit), wait });
};

const unsentFaults = (unsent: Unsent | undefined): readonly FieldFault[] =>
  unsent ? [{ field: 'code', fault: { closed: unsent.why, until: unsent.until } }] : [];

/**
 * On to the page that waits for the app, which gets its request now, or away to the bank; if the confirmation is over, the page of the
 * request says so.
 */
export const toBank = async (
  decision: Decision,
  { codeVisit, kind, isBegun, ...known }: Confirmation,
  entered: Entered,
  again: AskAgain,
): Promise<PageAnswer | undefined> => {
  if (kind !== 'app' && kind !== 'redirect') return undefined;
  const { parts, visit, pending } = decision;
  let { location } = known;
  if (!isBegun) {
    const refused = await tooMany(decision);
    if (refused) return refused;
    const { state, unsent } = await parts.codes.send(codeVisit);
    if (state.kind !== 'sent') return again(unsentFaults(unsent), state);
    location = state.location;
  }
  const { context, methodId } = codeVisit;
  const chosen: Chosen = { entered: { ...entered, code: '', answer: '' }, context, pending };
  if (!(await parts.codes.choose(codeVisit, chosen))) return toStatePage(visit);
  const waiting = visit.frame.href(outsidePath(visit, 'waiting', context.shownHash, methodId));
  return seeOther(kind === 'redirect' && location !== undefined ? location : waiting);
};

/** A button that begins a confirmation, or begins it anew. */
export type Begin = (decision: Decision, again: AskAgain) => Promise<PageAnswer>;

const sending =
  (send: (codes: OneTimeCodes, visit: CodeVisit) => Promise<Sending>): Begin =>
  async (decision, again) => {
    const refused = await tooMany(decision);
    if (refused) return refused;
    const { state, unsent } = await send(decision.parts.codes, codeVisitOf(decision));
    return again(unsentFaults(unsent), state);
  };

export const sendCode = sending((codes, visit) => codes.send(visit));
export const sendAgain = sending((codes, visit) => codes.sendAgain(visit));

/**
 * A button pressed twice sends the same code twice. The second one is spent because the first is being carried out; a moment
 * later the matter is decided, and that is what the account holder should read.
 */
const isDecidedSoon = async (decision: Decision): Promise<boolean> => {
  for (let looks = DOUBLE_SUBMIT_LOOKS; looks > 0; looks -= 1) {
    await setTimeout(DOUBLE_SUBMIT_MS);
    if (await isDecided(decision)) return true;
  }
  return false;
};

/** In another way, for the same page. */
export const changeWay: Begin = async (decision, again) => {
  const refused = await tooMany(decision);
  return refused ?? again([], await decision.parts.codes.change(codeVisitOf(decision)));
};

/** Undefined: the answer is right. */
export const tryAnswer = async (
  decision: Decision,
  { codeVisit, kind, answer }: Pick<Confirmation, 'codeVisit' | 'kind' | 'answer'>,
  again: AskAgain,
): Promise<PageAnswer | undefined> => {
  const { parts, visit } = decision;
  const refused = await tooMany(decision);
  if (refused) return refused;
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
