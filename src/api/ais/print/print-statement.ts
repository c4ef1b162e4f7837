/** One statement as a page to print: what the consent does not open is not on the paper either. */
import { contextOf } from '../../../bank/consent-note.js';
import type { BankTransaction, Statement } from '../../../bank/history.js';
import { allows } from '../../../consent/access.js';
import type { Permission } from '../../../consent/record.js';
import type { Call, Reply } from '../../../http/operation.js';
import { dateAt } from '../../../lib/day.js';
import { Problem } from '../../../problem/problem.js';
import { ownLanguage, preferredAmong } from '../../../web/language.js';
import { type DataParts, heldAccounts, type OpenedAccount } from '../reads/read.js';
import { statementMessages } from './messages.js';
import { statementPdf } from './statement-pdf.js';

export const PDF = 'application/pdf';

/** The account holder's language before that of the third party; Greek if the bank has neither. */
const languageOf = ({ headers }: Call, { brand }: DataParts): string =>
  preferredAmong(headers['psu-accept-language'] || headers['accept-language'], brand.texts.languages) ?? 'el';

type Page = Pick<Reply, 'bytes' | 'headers'>;

const pageOf = ({ from, to }: Statement, bytes: Uint8Array, disposition: string): Page => ({
  bytes: Buffer.from(bytes),
  headers: {
    'Content-Type': PDF,
    'Content-Disposition': `${disposition}; filename="statement-${from}-${to}.pdf"`,
  },
});

/** All that the bank's own paper may tell: what a consent does not open cannot be taken off it. */
const onPaper = ['AccountsDetail', 'Balances', 'TransactionsDetail'] as const satisfies readonly Permission[];

/**
 * The bank's own document, if it has one and the consent opens all of it. If it cannot be had now, the read fails: ours in its
 * place would be another paper than yesterday. Never shown within a page, because nothing is known of what it contains.
 */
export const bankDocument = async (
  parts: DataParts,
  call: Call,
  { access, account }: OpenedAccount,
  statement: Statement,
): Promise<Page | undefined> => {
  if (!onPaper.every((permission) => allows(access, permission))) return undefined;
  const context = { ...contextOf(access, account), language: ownLanguage(languageOf(call, parts)) };
  const bytes = await parts.bank.statementDocument?.(account.accountId, statement.id, context);
  return bytes && pageOf(statement, bytes, 'attachment');
};

export const printStatement = async (
  parts: DataParts,
  call: Call,
  opened: OpenedAccount,
  statement: Statement,
  transactions: readonly BankTransaction[],
): Promise<Page> => {
  const { access, account } = opened;
  const [{ held } = {}] = await heldAccounts(parts, call, [account]);
  if (!held) throw new Problem('resource-not-found');
  const seesDetails = allows(access, 'TransactionsDetail');
  const seesBalances = allows(access, 'Balances');
  const language = languageOf(call, parts);
  const bytes = await statementPdf({
    brand: parts.brand,
    language,
    messages: parts.brand.texts.in('statement', statementMessages, language),
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
  return pageOf(statement, bytes, 'inline');
};
