/** The decision about a renewal: a code and nothing to choose. Refused or failed, the permission stays as it is. */
import { shownHash } from '../../../consent/decide.js';
import { refuseRenewal, renewConsent } from '../../../consent/renewal.js';
import type { PageAnswer } from '../../../http/pages.js';
import { scaContextOf } from '../asked-for.js';
import { type FieldFault, fields, readEntries } from '../choice.js';
import { renewalPage } from '../view/renewal-page.js';
import {
  afterApproval,
  challengeAgain,
  changed,
  type Deciding,
  leave,
  toStatePage,
  tryCode,
} from './deciding.js';

/** The accounts that the consent covers, as their holder knows them. */
const coveredAccounts = async ({ parts, visit, asked }: Deciding) => {
  const held = await parts.bank.accountsOf(visit.holder.id);
  return held.filter(({ id }) => asked.accounts.some(({ accountId }) => accountId === id));
};

export const showRenewal = async (deciding: Deciding): Promise<PageAnswer> => {
  const { parts, visit, asked } = deciding;
  const accounts = await coveredAccounts(deciding);
  const challenge = await parts.accountHolders.challenge(visit.holder.id, scaContextOf(asked));
  return renewalPage({ visit, asked, accounts, challenge, faults: [], timeZone: parts.timeZone });
};

const askAgain = async (deciding: Deciding, faults: readonly FieldFault[]): Promise<PageAnswer> => {
  const { parts, visit, asked } = deciding;
  const accounts = await coveredAccounts(deciding);
  const challenge = await challengeAgain(deciding, faults);
  return renewalPage({ visit, asked, accounts, challenge, faults, timeZone: parts.timeZone });
};

export const approveRenewal = async (deciding: Deciding): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = deciding;
  const { db } = parts;
  const psuId = visit.holder.id;
  if (visit.request.form[fields.shown] !== shownHash(asked)) return changed(deciding);
  const { code } = readEntries(visit.request);
  if (code === '') return askAgain(deciding, [{ field: 'code', fault: 'codeMissing' }]);
  const refused = await tryCode(deciding, {
    code,
    again: (faults) => askAgain(deciding, faults),
    giveUp: () => refuseRenewal(db, asked.id, psuId, bankNow),
    failed: visit.words.renewal.failed,
  });
  if (refused) return refused;
  const renewal = { id: asked.id, psuId, shownHash: shownHash(asked), at: bankNow };
  return afterApproval(deciding, await renewConsent(db, renewal));
};

export const refuseOpenRenewal = async (deciding: Deciding): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = deciding;
  const outcome = await refuseRenewal(parts.db, asked.id, visit.holder.id, bankNow);
  return outcome === 'done' ? leave(deciding, 'refused') : toStatePage(visit);
};
