/** The decision about a renewal: a code and nothing to choose. Refused or failed, the permission stays as it is. */
import { accountsFor } from '../../../bank/guard/answers.js';
import { shownHash } from '../../../consent/asked.js';
import { renewConsent } from '../../../consent/decide.js';
import type { PageAnswer } from '../../../http/pages.js';
import { type FieldFault, readEntries } from '../choice.js';
import type { CodeState } from '../codes/one-time-codes.js';
import { renewalPage } from '../view/renewal-page.js';
import { afterApproval, type Decision } from './answers.js';
import { codeVisitOf, sendAgain, tryCode } from './code-check.js';

/** The accounts that the consent covers, as their holder knows them. */
const coveredAccounts = async ({ parts, visit, asked }: Decision) => {
  const held = await accountsFor(parts.bank, visit.holder.id, asked.accounts);
  return held.filter(({ id }) => asked.accounts.some(({ accountId }) => accountId === id));
};

const askAgain = async (
  decision: Decision,
  faults: readonly FieldFault[],
  code?: CodeState,
): Promise<PageAnswer> => {
  const { parts, visit, asked } = decision;
  const accounts = await coveredAccounts(decision);
  const state = code ?? (await parts.codes.open(codeVisitOf(visit, asked)));
  return renewalPage({ visit, asked, accounts, code: state, faults });
};

export const showRenewal = (decision: Decision): Promise<PageAnswer> => askAgain(decision, []);

export const approveRenewal = async (decision: Decision): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = decision;
  const { code } = readEntries(visit.request);
  if (code === '') return askAgain(decision, [{ field: 'code', fault: 'codeMissing' }]);
  const refused = await tryCode(decision, code, (faults) => askAgain(decision, faults));
  if (refused) return refused;
  const renewal = { id: asked.id, psuId: visit.holder.id, shownHash: shownHash(asked), at: bankNow };
  return afterApproval(decision, await renewConsent(parts.db, renewal));
};

export const sendRenewalCode = (decision: Decision): Promise<PageAnswer> =>
  sendAgain(decision, (faults, code) => askAgain(decision, faults, code));
