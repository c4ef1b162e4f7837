/**
 * What a person decides with a code alone, without a choice: the renewal of a permission, and the end of a block. What waits for the
 * bank's app is kept and carried out the same way for all.
 */

import { accountsFor } from '../../bank/guard/held-accounts.js';
import { shownHash } from '../../consent/asked.js';
import { liftBlocksOn } from '../../consent/blocks.js';
import { refuseConsent, renewConsent } from '../../consent/decide.js';
import type { PageAnswer } from '../../http/pages.js';
import { ownLanguage } from '../../web/language.js';
import {
  afterApproval,
  type Begin,
  type Chosen,
  changed,
  changeWay,
  codeVisitOf,
  confirmationOf,
  contextOf,
  type Decision,
  isShown,
  leave,
  missingOf,
  sendAgain,
  sendCode,
  toBank,
  toStatePage,
  tryAnswer,
} from './attempt.js';
import { type FieldFault, readEntries } from './choice.js';
import type { CodeState } from './codes/code-states.js';
import { blockedPage } from './view/blocked-page.js';
import { renewalPage } from './view/renewal-page.js';

export type Submit = (decision: Decision) => Promise<PageAnswer>;

/** By what the button says. */
export type Submits = Readonly<Record<string, Submit>>;

/** The accounts that the consent covers, as their holder knows them. */
const coveredAccounts = async ({ parts, visit, asked }: Decision) => {
  const held = await accountsFor(parts.bank, visit.holder.id, asked.accounts, {
    language: ownLanguage(visit.lang),
  });
  return held.filter(({ id }) => asked.accounts.some(({ accountId }) => accountId === id));
};

const renewalForm = async (
  decision: Decision,
  faults: readonly FieldFault[],
  code?: CodeState,
  typed?: string,
): Promise<PageAnswer> => {
  const { parts, visit, asked } = decision;
  const accounts = await coveredAccounts(decision);
  const state = code ?? (await parts.codes.open(codeVisitOf(decision)));
  return renewalPage({ visit, asked, accounts, code: state, faults, typed, regime: parts.regime });
};

export const showRenewal = (decision: Decision): Promise<PageAnswer> => renewalForm(decision, []);

const completeRenewal = async (decision: Decision): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = decision;
  const renewal = {
    id: asked.id,
    psuId: visit.holder.id,
    shownHash: shownHash(asked),
    at: bankNow,
    regime: parts.regime,
  };
  return afterApproval(decision, await renewConsent(parts.db, renewal));
};

/** A matter with a code and nothing to choose. Refused or failed, all stays as it is. */
interface CodeMatter {
  /** `typed`: the code that was typed, if only the language changes. */
  readonly form: (
    decision: Decision,
    faults: readonly FieldFault[],
    code?: CodeState,
    typed?: string,
  ) => Promise<PageAnswer>;
  readonly complete: (decision: Decision) => Promise<PageAnswer>;
}

export const renewal: CodeMatter = { form: renewalForm, complete: completeRenewal };

export const blocked: CodeMatter = {
  form: async (decision, faults, code, typed) => {
    const { parts, visit, asked } = decision;
    const state = code ?? (await parts.codes.open(codeVisitOf(decision)));
    return blockedPage({ visit, asked, code: state, faults, typed });
  },
  complete: async ({ parts, visit, asked }) => {
    await liftBlocksOn(parts.db, asked);
    return toStatePage(visit);
  },
};

export const showBlocked = (decision: Decision): Promise<PageAnswer> => blocked.form(decision, []);

const approveByCode =
  ({ form, complete: carryOut }: CodeMatter): Submit =>
  async (decision) => {
    const entered = readEntries(decision.visit.request);
    const confirmation = await confirmationOf(decision, entered);
    const missing = missingOf(confirmation);
    if (missing) return form(decision, [missing]);
    const again = (faults: readonly FieldFault[], state?: CodeState) => form(decision, faults, state);
    const unfinished =
      (await toBank(decision, confirmation, entered, again)) ??
      (await tryAnswer(decision, confirmation, again));
    return unfinished ?? carryOut(decision);
  };

/** The page once more, with another code or in another way. */
const againWith =
  (begin: Begin, { form }: CodeMatter): Submit =>
  (decision) =>
    begin(decision, (faults, code) => form(decision, faults, code));

export const refuse = async (decision: Decision): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = decision;
  const outcome = await refuseConsent(parts.db, asked, bankNow);
  return outcome === 'done' ? leave(decision, 'refused') : toStatePage(visit);
};

/** The same page in another language, with what was typed. */
const translated =
  ({ form }: CodeMatter): Submit =>
  (decision) =>
    form(decision, [], undefined, readEntries(decision.visit.request).code);

/** A code that was sent for something else must not be used up for this. */
const asShown =
  (submit: Submit): Submit =>
  (decision) =>
    isShown(decision.visit, decision.asked) ? submit(decision) : changed(decision);

export const submitsOf = (matter: CodeMatter): Submits => ({
  approve: asShown(approveByCode(matter)),
  refuse,
  begin: asShown(againWith(sendCode, matter)),
  send: asShown(againWith(sendAgain, matter)),
  change: asShown(againWith(changeWay, matter)),
  translate: asShown(translated(matter)),
});

/**
 * What follows a confirmation outside of the page: what was chosen is carried out, or the page says what is wrong with it. It is closed
 * after it was carried out: if this node ends in between, the next question of the page finds it confirmed still.
 */
export type AfterReturn = (
  decision: Decision,
  chosen: Chosen,
  refused: readonly FieldFault[],
  close: () => Promise<unknown>,
) => Promise<PageAnswer>;

export const carriedOut =
  (matter: CodeMatter): AfterReturn =>
  async (decision, { context }, refused, close) => {
    const isChanged = contextOf(decision).shownHash !== context.shownHash;
    const answer = refused.length === 0 && !isChanged ? await matter.complete(decision) : undefined;
    await close();
    if (answer) return answer;
    return isChanged ? changed(decision) : matter.form(decision, refused);
  };
