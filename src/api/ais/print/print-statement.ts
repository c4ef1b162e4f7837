/** One statement as a page to print: what the consent does not open is not on the paper either. */
import Negotiator from 'negotiator';
import type { BankTransaction, Statement } from '../../../bank/history.js';
import { allows } from '../../../consent/access.js';
import type { Call, Reply } from '../../../http/operation.js';
import { dateAt } from '../../../lib/day.js';
import { Problem } from '../../../problem/problem.js';
import { type DataParts, heldAccounts, type OpenedAccount } from '../reads/read.js';
import { type StatementLanguage, statementLanguages } from './messages.js';
import { statementPdf } from './statement-pdf.js';

export const PDF = 'application/pdf';

/** The account holder's language before that of the third party; Greek if neither is supported. */
const languageOf = ({ headers }: Call): StatementLanguage => {
  const asked = headers['psu-accept-language'] || headers['accept-language'];
  const [best] = new Negotiator({ headers: { 'accept-language': asked } }).languages([...statementLanguages]);
  return asked && best === 'en' ? 'en' : 'el';
};

export const printStatement = async (
  parts: DataParts,
  call: Call,
  opened: OpenedAccount,
  statement: Statement,
  transactions: readonly BankTransaction[],
): Promise<Pick<Reply, 'bytes' | 'headers'>> => {
  const { access, account } = opened;
  const [{ held } = {}] = await heldAccounts(parts, call, [account]);
  if (!held) throw new Problem('resource-not-found');
  const seesDetails = allows(access, 'TransactionsDetail');
  const seesBalances = allows(access, 'Balances');
  const bytes = await statementPdf({
    bankName: parts.bankName,
    language: languageOf(call),
    ownerName: allows(access, 'AccountsDetail') ? held.ownerName : null,
    accountName: held.name,
    accountNumber: held.iban ?? held.bban ?? '',
    statement,
    issuedOn: dateAt(statement.createdAt, parts.timeZone),
    transactions: transactions.map((each) => ({
      ...each,
      balanceMinor: seesBalances ? each.balanceMinor : null,
      details: seesDetails ? each.details : null,
    })),
  });
  const name = `statement-${statement.from}-${statement.to}.pdf`;
  return { bytes, headers: { 'Content-Type': PDF, 'Content-Disposition': `inline; filename="${name}"` } };
};
