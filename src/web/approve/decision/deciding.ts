/** What the decisions about a request and about a renewal have in common: the code, its attempts, and the ways on. */
import { setTimeout } from 'node:timers/promises';
import { type AskedConsent, type DecisionOutcome, findAsked } from '../../../consent/decide.js';
import { openMatter } from '../../../consent/renewal.js';
import type { Wait } from '../../../gate/limits/limits.js';
import { type PageAnswer, seeOther } from '../../../http/pages.js';
import { tooManyPage } from '../../login/guard/too-many-page.js';
import { visitorEvent } from '../../login/visitor-events.js';
import { scaContextOf } from '../asked-for.js';
import type { FieldFault } from '../choice.js';
import type { CodeState, CodeVisit } from '../codes/one-time-codes.js';
import { type ApprovalParts, type HolderVisit, pathOf } from '../parts.js';
import { changedPage, notFoundPage } from '../view/messages.js';
import { wayBack } from '../way-back.js';

const DOUBLE_SUBMIT_MS = 200;

/** One decision about one open matter. */
export interface Deciding {
  readonly parts: ApprovalParts;
  readonly visit: HolderVisit;
  readonly asked: AskedConsent;
  readonly bankNow: number;
}

export const toStatePage = (visit: HolderVisit): PageAnswer => seeOther(visit.frame.href(pathOf(visit)));

export const leave = ({ visit, asked }: Deciding, decision: 'approved' | 'refused'): PageAnswer => {
  const address = wayBack(asked, decision, visit.within);
  return address === undefined ? toStatePage(visit) : seeOther(address);
};

const isDecided = async ({ parts, visit, asked, bankNow }: Deciding): Promise<boolean> => {
  const current = await findAsked(parts.db, asked.id, visit.holder.id);
  return !current || openMatter(current, bankNow) !== openMatter(asked, bankNow);
};

/** What an approval at the same moment has changed is decided, not changed. */
export const changed = async (deciding: Deciding): Promise<PageAnswer> =>
  (await isDecided(deciding)) ? toStatePage(deciding.visit) : changedPage(deciding.visit);

/** The answer once an approval was tried. */
export const afterApproval = async (deciding: Deciding, outcome: DecisionOutcome): Promise<PageAnswer> => {
  switch (outcome) {
    case 'done':
      return leave(deciding, 'approved');
    case 'changed':
      return changed(deciding);
    case 'decided':
    case 'submitted':
      return toStatePage(deciding.visit);
    case 'unknown':
      return notFoundPage(deciding.visit);
  }
};

export const codeVisitOf = ({ session, holder }: HolderVisit, asked: AskedConsent): CodeVisit => ({
  secret: session.secret,
  psuId: holder.id,
  context: scaContextOf(asked),
});

/** The page once more, without the code. */
export type AskAgain = (faults: readonly FieldFault[], code?: CodeState) => Promise<PageAnswer>;

/** Another code, for the same page. */
export const sendAgain = async ({ parts, visit, asked }: Deciding, again: AskAgain): Promise<PageAnswer> => {
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
const isDecidedSoon = async (deciding: Deciding): Promise<boolean> => {
  await setTimeout(DOUBLE_SUBMIT_MS);
  return isDecided(deciding);
};

/** Undefined: the code is right. */
export const tryCode = async (
  deciding: Deciding,
  code: string,
  again: AskAgain,
): Promise<PageAnswer | undefined> => {
  const { parts, visit, asked } = deciding;
  const wait = await parts.limits.tryFrom(parts.addressOf(visit.request.raw.request));
  if (wait) return tooMany(visit, wait);
  const verdict = await parts.codes.judge(codeVisitOf(visit, asked), code);
  if (verdict.kind === 'right') return undefined;
  if (verdict.kind === 'spent') {
    if (await isDecidedSoon(deciding)) return toStatePage(visit);
    return again([{ field: 'code', fault: 'codeSpent' }]);
  }
  visitorEvent(parts, 'code-wrong', visit.request, { personId: visit.holder.id });
  const fault =
    verdict.kind === 'wrong'
      ? { attemptsLeft: verdict.left }
      : { closed: 'paused' as const, until: verdict.until };
  return again([{ field: 'code', fault }]);
};
