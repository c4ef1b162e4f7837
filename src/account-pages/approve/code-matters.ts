/**
 * What a person decides with a code alone, without a choice: the renewal of a permission, and the end of a block. What waits for the
 * bank's app is kept and carried out the same way for all.
 */

import type { ScaContext } from '../../bank/account-holders.js';
import { accountsFor } from '../../bank/guard/held-accounts.js';
import { shownHash } from '../../consent/asked.js';
import { liftBlocksOn } from '../../consent/blocks.js';
import { refuseConsent, renewConsent } from '../../consent/decide.js';
import { type PageAnswer, seeOther } from '../../http/pages.js';
import {
  afterApproval,
  changed,
  codeVisitOf,
  type Decision,
  isShown,
  leave,
  sendAgain,
  toStatePage,
  tryCode,
} from './attempt.js';
import { type Entered, type FieldFault, readEntries } from './choice.js';
import type { CodeState } from './codes/one-time-codes.js';
import { waitingPath } from './parts.js';
import { blockedPage } from './view/blocked-page.js';
import { renewalPage } from './view/renewal-page.js';

export type Submit = (decision: Decision) => Promise<PageAnswer>;

/** By what the button says. */
export type Submits = Readonly<Record<string, Submit>>;

/** The accounts that the consent covers, as their holder knows them. */
const coveredAccounts = async ({ parts, visit, asked }: Decision) => {
  const held = await accountsFor(parts.bank, visit.holder.id, asked.accounts, { language: visit.lang });
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
  const state = code ?? (await parts.codes.open(codeVisitOf(visit, asked)));
  return renewalPage({ visit, asked, accounts, code: state, faults, typed });
};

export const showRenewal = (decision: Decision): Promise<PageAnswer> => renewalForm(decision, []);

const completeRenewal = async (decision: Decision): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = decision;
  const renewal = { id: asked.id, psuId: visit.holder.id, shownHash: shownHash(asked), at: bankNow };
  return afterApproval(decision, await renewConsent(parts.db, renewal));
};

/** What waits for the app of the bank: the choice, and what the request there stands for. */
export interface Chosen {
  readonly entered: Entered;
  readonly context: ScaContext;
}

/** On to the page that waits for the app; if the request there is over, the page of the request says so. */
export const toWaiting = async ({ parts, visit, asked }: Decision, entered: Entered): Promise<PageAnswer> => {
  const codeVisit = codeVisitOf(visit, asked);
  const chosen: Chosen = { entered, context: codeVisit.context };
  const isKept = await parts.codes.choose(codeVisit, chosen);
  return isKept ? seeOther(visit.frame.href(waitingPath(visit, shownHash(asked)))) : toStatePage(visit);
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
  form: async ({ parts, visit, asked }, faults, code, typed) =>
    blockedPage({
      visit,
      asked,
      code: code ?? (await parts.codes.open(codeVisitOf(visit, asked))),
      faults,
      typed,
    }),
  complete: async ({ parts, visit, asked }) => {
    await liftBlocksOn(parts.db, asked);
    return toStatePage(visit);
  },
};

export const showBlocked = (decision: Decision): Promise<PageAnswer> => blocked.form(decision, []);

const approveByCode =
  ({ form, complete: carryOut }: CodeMatter): Submit =>
  async (decision) => {
    const { parts, visit, asked } = decision;
    const entered = readEntries(visit.request);
    const { code } = entered;
    if (await parts.codes.isApp(codeVisitOf(visit, asked))) return toWaiting(decision, entered);
    if (code === '') return form(decision, [{ field: 'code', fault: 'codeMissing' }]);
    const refused = await tryCode(decision, code, (faults) => form(decision, faults));
    return refused ?? carryOut(decision);
  };

const sendCodeFor =
  ({ form }: CodeMatter): Submit =>
  (decision) =>
    sendAgain(decision, (faults, code) => form(decision, faults, code));

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
  send: asShown(sendCodeFor(matter)),
  translate: asShown(translated(matter)),
});

/** What follows once the app has answered: what was chosen is carried out, or the page says what is wrong with it. */
export type AfterApp = (
  decision: Decision,
  chosen: Chosen,
  refused: readonly FieldFault[],
) => Promise<PageAnswer>;

export const carriedOut =
  (matter: CodeMatter): AfterApp =>
  async (decision, { context }, refused) => {
    if (shownHash(decision.asked) !== context.shownHash) return changed(decision);
    return refused.length === 0 ? matter.complete(decision) : matter.form(decision, refused);
  };
