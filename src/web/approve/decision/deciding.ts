/** What the decisions about a request and about a renewal have in common: the code, its attempts, and the ways on. */
import { setTimeout } from 'node:timers/promises';
import type { Challenge } from '../../../bank/account-holders.js';
import { type AskedConsent, type DecisionOutcome, findAsked } from '../../../consent/decide.js';
import { openMatter } from '../../../consent/renewal.js';
import { type PageAnswer, seeOther } from '../../../http/pages.js';
import { visitorEvent } from '../../login/visitor-events.js';
import { scaContextOf } from '../asked-for.js';
import { type FieldFault, fields } from '../choice.js';
import { type ApprovalParts, type HolderVisit, pathOf } from '../parts.js';
import { changedPage, failedPage, notFoundPage } from '../view/messages.js';
import { wayBack } from '../way-back.js';
import type { PageWords } from '../words/words.js';
import { countAttempt, MAX_WRONG_CODES, uncountAttempt } from './wrong-codes.js';

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

/** For the page once more: the code that was sent stays good, unless it is spent. */
export const challengeAgain = async (
  { parts, visit, asked }: Deciding,
  faults: readonly FieldFault[],
): Promise<Challenge> => {
  const { form } = visit.request;
  const isSpent = faults.some(({ fault }) => fault === 'codeSpent') || !form[fields.challenge];
  if (isSpent) return parts.accountHolders.challenge(visit.holder.id, scaContextOf(asked));
  const shownOnPhone = /^\d{6}$/.test(form[fields.phone] ?? '') ? form[fields.phone] : undefined;
  return {
    id: form[fields.challenge] ?? '',
    // The demo phone goes on showing the code that it showed before.
    ...(visit.frame.isSandbox && shownOnPhone ? { demoCode: shownOnPhone } : {}),
  };
};

/**
 * A button pressed twice sends the same code twice. The second one is spent because the first is being carried out; a moment
 * later the matter is decided, and that is what the account holder should read.
 */
const isDecidedSoon = async (deciding: Deciding): Promise<boolean> => {
  await setTimeout(DOUBLE_SUBMIT_MS);
  return isDecided(deciding);
};

export interface CodeTurn {
  readonly code: string;
  /** The page once more, without the code. */
  readonly again: (faults: readonly FieldFault[]) => Promise<PageAnswer>;
  /** Closes the matter after five wrong codes. */
  readonly giveUp: () => Promise<DecisionOutcome>;
  readonly failed: PageWords;
}

/** Undefined: the code is right. */
export const tryCode = async (deciding: Deciding, turn: CodeTurn): Promise<PageAnswer | undefined> => {
  const { parts, visit, asked } = deciding;
  const { db, accountHolders } = parts;
  const challengeId = visit.request.form[fields.challenge] ?? '';
  const count = await countAttempt(db, asked);
  const outcome =
    count > MAX_WRONG_CODES
      ? 'wrong'
      : await accountHolders.verify(visit.holder.id, challengeId, scaContextOf(asked), turn.code);
  if (outcome === 'right') return undefined;
  if (outcome === 'spent') {
    await uncountAttempt(db, asked);
    if (await isDecidedSoon(deciding)) return toStatePage(visit);
    return turn.again([{ field: 'code', fault: 'codeSpent' }]);
  }
  visitorEvent(parts, 'code-wrong', visit.request, { personId: visit.holder.id });
  if (count < MAX_WRONG_CODES) {
    const attemptsLeft = MAX_WRONG_CODES - count;
    return turn.again([{ field: 'code', fault: { attemptsLeft } }]);
  }
  if ((await turn.giveUp()) !== 'done') return toStatePage(visit);
  return visit.within ? leave(deciding, 'refused') : failedPage(visit, asked, turn.failed);
};
