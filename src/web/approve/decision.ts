/**
 * The decision. Whatever is sent twice, late, from an old page or about a request that has changed meanwhile ends in a page
 * that explains it; the lifecycle moves at most once.
 */
import { setTimeout } from 'node:timers/promises';
import {
  type AskedConsent,
  approveConsent,
  findAsked,
  refuseConsent,
  shownHash,
} from '../../consent/decide.js';
import { statusAt } from '../../consent/lifecycle.js';
import { type PageAnswer, seeOther } from '../../http/pages.js';
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
import { consentAccountsOf, type Offer, offerOf, pickedDetails } from './offer.js';
import { type ApprovalParts, type HolderVisit, pathOf } from './parts.js';
import { approvalPage } from './view/approval-page.js';
import { changedPage, failedPage, notFoundPage } from './view/messages.js';
import { wayBack } from './way-back.js';
import { countAttempt, MAX_WRONG_CODES, uncountAttempt } from './wrong-codes.js';

const DOUBLE_SUBMIT_MS = 200;

/** One decision about one open request. */
interface Deciding {
  readonly parts: ApprovalParts;
  readonly visit: HolderVisit;
  readonly asked: AskedConsent;
  readonly bankNow: number;
}

const toStatePage = (visit: HolderVisit): PageAnswer => seeOther(visit.frame.href(pathOf(visit)));

const leave = ({ visit, asked }: Deciding, decision: 'approved' | 'refused'): PageAnswer => {
  const address = wayBack(asked, decision);
  return address === undefined ? toStatePage(visit) : seeOther(address);
};

const refuse = async (deciding: Deciding): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = deciding;
  const outcome = await refuseConsent(parts.db, asked.id, visit.holder.id, bankNow);
  if (outcome !== 'done') return toStatePage(visit);
  return leave(deciding, 'refused');
};

interface Attempt {
  readonly offer: Offer;
  readonly entered: Entered;
}

/** The page once more, with what was entered. The code that was sent stays good, unless it is spent. */
const askAgain = async (
  { parts, visit, asked, bankNow }: Deciding,
  { offer, entered }: Attempt,
  faults: readonly FieldFault[],
): Promise<PageAnswer> => {
  const { form } = visit.request;
  const isSpent = faults.some(({ fault }) => fault === 'codeSpent') || !form[fields.challenge];
  const shownOnPhone = /^\d{6}$/.test(form[fields.phone] ?? '') ? form[fields.phone] : undefined;
  const challenge = isSpent
    ? await parts.accountHolders.challenge(visit.holder.id, scaContextOf(asked))
    : {
        id: form[fields.challenge] ?? '',
        // The demo phone goes on showing the code that it showed before.
        ...(visit.frame.isSandbox && shownOnPhone ? { demoCode: shownOnPhone } : {}),
      };
  return approvalPage({
    visit,
    asked,
    offer,
    entered,
    faults,
    challenge,
    calendar: calendarAt(bankNow, parts),
  });
};

/**
 * A button pressed twice sends the same code twice. The second one is spent because the first is being carried out; a moment
 * later the request is decided, and that is what the account holder should read.
 */
const isDecided = async ({ parts, visit, asked, bankNow }: Deciding): Promise<boolean> => {
  await setTimeout(DOUBLE_SUBMIT_MS);
  const current = await findAsked(parts.db, asked.id, visit.holder.id);
  if (current && statusAt(current, bankNow) === 'Received') return false;
  return true;
};

/** Undefined: the code is right. */
const tryCode = async (deciding: Deciding, attempt: Attempt): Promise<PageAnswer | undefined> => {
  const { parts, visit, asked, bankNow } = deciding;
  const { db, accountHolders } = parts;
  const challengeId = visit.request.form[fields.challenge] ?? '';
  const count = await countAttempt(db, asked);
  const outcome =
    count > MAX_WRONG_CODES
      ? 'wrong'
      : await accountHolders.verify(visit.holder.id, challengeId, scaContextOf(asked), attempt.entered.code);
  if (outcome === 'right') return undefined;
  const withoutCode = { ...attempt, entered: { ...attempt.entered, code: '' } };
  if (outcome === 'spent') {
    await uncountAttempt(db, asked);
    if (await isDecided(deciding)) return toStatePage(visit);
    return askAgain(deciding, withoutCode, [{ field: 'code', fault: 'codeSpent' }]);
  }
  if (count < MAX_WRONG_CODES) {
    const attemptsLeft = MAX_WRONG_CODES - count;
    return askAgain(deciding, withoutCode, [{ field: 'code', fault: { attemptsLeft } }]);
  }
  const ended = await refuseConsent(db, asked.id, visit.holder.id, bankNow, 'five wrong codes');
  if (ended !== 'done') return toStatePage(visit);
  return failedPage(visit, asked);
};

const complete = async (deciding: Deciding, { cards, details, ...term }: Choice): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = deciding;
  const outcome = await approveConsent(parts.db, {
    id: asked.id,
    psuId: visit.holder.id,
    shownHash: shownHash(asked),
    accounts: consentAccountsOf(cards),
    details: { ...details, ...pickedDetails(asked, cards) },
    ...term,
    at: bankNow,
  });
  switch (outcome) {
    case 'done':
      return leave(deciding, 'approved');
    case 'changed':
      return changedPage(visit);
    case 'decided':
    case 'submitted':
      return toStatePage(visit);
    case 'unknown':
      return notFoundPage(visit);
  }
};

const approve = async (deciding: Deciding): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = deciding;
  // Before the code is tried: a code that was sent for something else must not be used up for this.
  if (visit.request.form[fields.shown] !== shownHash(asked)) return changedPage(visit);
  const offer = offerOf(asked, await parts.bank.accountsOf(visit.holder.id));
  const entered = readEntries(visit.request);
  const attempt = { offer, entered };
  const { choice, faults } = choose(asked, offer, entered, calendarAt(bankNow, parts));
  if (!choice) return askAgain(deciding, attempt, faults);
  return (await tryCode(deciding, attempt)) ?? complete(deciding, choice);
};

export const decide = async (parts: ApprovalParts, visit: HolderVisit): Promise<PageAnswer> => {
  const asked = await findAsked(parts.db, visit.consentId, visit.holder.id);
  if (!asked) return notFoundPage(visit);
  const bankNow = await parts.bankTime();
  if (statusAt(asked, bankNow) !== 'Received') return toStatePage(visit);
  const deciding = { parts, visit, asked, bankNow };
  const decision = visit.request.form[fields.decision];
  if (decision === 'refuse') return refuse(deciding);
  return decision === 'approve' ? approve(deciding) : toStatePage(visit);
};
