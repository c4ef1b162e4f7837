/**
 * The decision. Whatever is sent twice, late, from an old page or about a request that has changed meanwhile ends in a page
 * that explains it; the lifecycle moves at most once.
 */
import { accountsFor } from '../../../bank/guard/answers.js';
import { approveConsent, findAsked, refuseConsent, shownHash } from '../../../consent/decide.js';
import { openMatter } from '../../../consent/renewal.js';
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
import { notFoundPage, strandedPage, suspendedPage } from '../view/messages.js';
import { withinOf } from '../way-back.js';
import {
  afterApproval,
  changed,
  codeVisitOf,
  type Deciding,
  leave,
  sendAgain,
  toStatePage,
  tryCode,
} from './deciding.js';
import { approveRenewal, refuseOpenRenewal, sendRenewalCode } from './renewal.js';

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

/** The page once more, with what was entered. */
const askAgain = async (
  deciding: Deciding,
  { offer, entered }: Attempt,
  faults: readonly FieldFault[],
  code?: CodeState,
): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = deciding;
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

const complete = async (deciding: Deciding, { cards, details, ...term }: Choice): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = deciding;
  const outcome = await approveConsent(parts.db, {
    id: asked.id,
    psuId: visit.holder.id,
    shownHash: shownHash(asked),
    accounts: consentAccountsOf(cards),
    details,
    ...term,
    at: bankNow,
  });
  return afterApproval(deciding, outcome);
};

const approve = async (deciding: Deciding): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = deciding;
  // Before the code is tried: a code that was sent for something else must not be used up for this.
  if (visit.request.form[fields.shown] !== shownHash(asked)) return changed(deciding);
  const offer = offerOf(asked, await accountsFor(parts.bank, visit.holder.id, asked.accounts));
  const entered = readEntries(visit.request);
  const { choice, faults } = choose(asked, offer, entered, calendarAt(bankNow, parts));
  if (!choice) return askAgain(deciding, { offer, entered }, faults);
  const withoutCode = { offer, entered: { ...entered, code: '' } };
  const refused = await tryCode(deciding, entered.code, (wrong) => askAgain(deciding, withoutCode, wrong));
  return refused ?? complete(deciding, choice);
};

const sendCode = async (deciding: Deciding): Promise<PageAnswer> => {
  const { parts, visit, asked } = deciding;
  if (visit.request.form[fields.shown] !== shownHash(asked)) return changed(deciding);
  const offer = offerOf(asked, await accountsFor(parts.bank, visit.holder.id, asked.accounts));
  if (!canApprove(offer)) return toStatePage(visit);
  const entered = { ...readEntries(visit.request), code: '' };
  return sendAgain(deciding, (faults, code) => askAgain(deciding, { offer, entered }, faults, code));
};

/** By what the button says. */
const decisions: Readonly<
  Record<'request' | 'renewal', Readonly<Record<string, (deciding: Deciding) => Promise<PageAnswer>>>>
> = {
  request: { approve, refuse, send: sendCode },
  renewal: { approve: approveRenewal, refuse: refuseOpenRenewal, send: sendRenewalCode },
};

export const decide = async (parts: ApprovalParts, visitor: HolderVisit): Promise<PageAnswer> => {
  const asked = await findAsked(parts.db, visitor.consentId, visitor.holder.id);
  if (!asked) return notFoundPage(visitor);
  if (asked.isActive === 0) return suspendedPage(visitor, asked);
  const bankNow = await parts.bankTime();
  const matter = openMatter(asked, bankNow);
  if (matter === undefined) return toStatePage(visitor);
  // A renewal has its own way back, wherever the request itself began.
  const within = matter === 'request' ? await withinOf(parts, visitor, asked) : undefined;
  if (typeof within === 'string') return strandedPage(visitor, within);
  const visit = { ...visitor, ...(within ? { within } : {}) };
  const deciding = { parts, visit, asked, bankNow };
  const pressed = visit.request.form[fields.decision];
  const [, decision] = Object.entries(decisions[matter]).find(([name]) => name === pressed) ?? [];
  return decision ? decision(deciding) : toStatePage(visit);
};
