/** The decision about a renewal: a code and nothing to choose. Refused or failed, the permission stays as it is. */
import { accountsFor } from '../../../bank/guard/answers.js';
import { shownHash } from '../../../consent/decide.js';
import { refuseRenewal, renewConsent } from '../../../consent/renewal.js';
import type { PageAnswer } from '../../../http/pages.js';
import { type FieldFault, fields, readEntries } from '../choice.js';
import type { CodeState } from '../codes/one-time-codes.js';
import { renewalPage } from '../view/renewal-page.js';
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

/** The accounts that the consent covers, as their holder knows them. */
const coveredAccounts = async ({ parts, visit, asked }: Deciding) => {
  const held = await accountsFor(parts.bank, visit.holder.id, asked.accounts);
  return held.filter(({ id }) => asked.accounts.some(({ accountId }) => accountId === id));
};

const askAgain = async (
  deciding: Deciding,
  faults: readonly FieldFault[],
  code?: CodeState,
): Promise<PageAnswer> => {
  const { parts, visit, asked } = deciding;
  const accounts = await coveredAccounts(deciding);
  const state = code ?? (await parts.codes.open(codeVisitOf(visit, asked)));
  return renewalPage({ visit, asked, accounts, code: state, faults });
};

export const showRenewal = (deciding: Deciding): Promise<PageAnswer> => askAgain(deciding, []);

export const approveRenewal = async (deciding: Deciding): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = deciding;
  if (visit.request.form[fields.shown] !== shownHash(asked)) return changed(deciding);
  const { code } = readEntries(visit.request);
  if (code === '') return askAgain(deciding, [{ field: 'code', fault: 'codeMissing' }]);
  const refused = await tryCode(deciding, code, (faults) => askAgain(deciding, faults));
  if (refused) return refused;
  const renewal = { id: asked.id, psuId: visit.holder.id, shownHash: shownHash(asked), at: bankNow };
  return afterApproval(deciding, await renewConsent(parts.db, renewal));
};

export const sendRenewalCode = async (deciding: Deciding): Promise<PageAnswer> => {
  const { visit, asked } = deciding;
  if (visit.request.form[fields.shown] !== shownHash(asked)) return changed(deciding);
  return sendAgain(deciding, (faults, code) => askAgain(deciding, faults, code));
};

export const refuseOpenRenewal = async (deciding: Deciding): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = deciding;
  const outcome = await refuseRenewal(parts.db, asked.id, visit.holder.id, bankNow);
  return outcome === 'done' ? leave(deciding, 'refused') : toStatePage(visit);
};
