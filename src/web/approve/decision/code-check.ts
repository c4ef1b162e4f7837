/** The one-time code of a decision: sent again, and tried. */
import { setTimeout } from 'node:timers/promises';
import type { AskedConsent } from '../../../consent/asked.js';
import type { Wait } from '../../../gate/limits/limits.js';
import type { PageAnswer } from '../../../http/pages.js';
import { tooManyPage } from '../../login/guard/too-many-page.js';
import { visitorEvent } from '../../login/visitor-events.js';
import { scaContextOf } from '../asked-for.js';
import type { FieldFault } from '../choice.js';
import type { CodeState, CodeVisit } from '../codes/one-time-codes.js';
import { type HolderVisit, pathOf } from '../parts.js';
import { type Decision, isDecided, toStatePage } from './answers.js';

const DOUBLE_SUBMIT_MS = 200;

export const codeVisitOf = ({ session, holder }: HolderVisit, asked: AskedConsent): CodeVisit => ({
  secret: session.secret,
  psuId: holder.id,
  context: scaContextOf(asked),
});

/** The page once more, without the code. */
export type AskAgain = (faults: readonly FieldFault[], code?: CodeState) => Promise<PageAnswer>;

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
