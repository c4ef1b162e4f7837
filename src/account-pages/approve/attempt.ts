/** One attempt at a decision: the code it needs, and the page that follows once it was tried. */

import { setTimeout } from 'node:timers/promises';
import { type AskedConsent, findAsked, shownHash } from '../../consent/asked.js';
import { type DecisionOutcome, type Pending, pendingDecision } from '../../consent/decide.js';
import type { Wait } from '../../gate/limits/limits.js';
import { type PageAnswer, seeOther } from '../../http/pages.js';
import type { BankTime } from '../../lib/clock.js';
import { tooManyPage } from '../login/guard/too-many-page.js';
import { visitorEvent } from '../login/visitor-events.js';
import { scaContextOf } from './asked-for.js';
import { type FieldFault, fields } from './choice.js';
import type { CodeState, CodeVisit } from './codes/one-time-codes.js';
import { type ApprovalParts, type HolderVisit, pathOf } from './parts.js';
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

export const codeVisitOf = ({ session, holder, lang }: HolderVisit, asked: AskedConsent): CodeVisit => ({
  secret: session.secret,
  psuId: holder.id,
  context: { ...scaContextOf(asked), language: lang },
});

/** The page once more, without the code. */
type AskAgain = (faults: readonly FieldFault[], code?: CodeState) => Promise<PageAnswer>;

/** Another code, for the same page. */
export const sendAgain = async ({ parts, visit, asked }: Decision, again: AskAgain): Promise<PageAnswer> => {
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
export const tryCode = async (
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
