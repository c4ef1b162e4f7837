/** The bank's own document of a statement: passed on as it is, and only to a consent that opens all it may tell. */
import { contextOf } from '../../../bank/consent-note.js';
import type { Statement } from '../../../bank/history.js';
import { allows } from '../../../consent/access.js';
import type { Permission } from '../../../consent/record.js';
import type { Call, Reply } from '../../../http/operation.js';
import { languages, preferredAmong } from '../../../web/language.js';
import type { DataParts, OpenedAccount } from './read.js';

export const PDF = 'application/pdf';

/** What a consent does not open cannot be taken off the paper. */
const onPaper = ['AccountsDetail', 'Balances', 'TransactionsDetail'] as const satisfies readonly Permission[];

/** The account holder's language before that of the third party; Greek if the bank has neither. */
const languageOf = ({ headers }: Call) =>
  preferredAmong(headers['psu-accept-language'] || headers['accept-language'], languages) ?? 'el';

/** Undefined if the bank has none. Never shown within a page, because nothing is known of what it contains. */
export const statementDocument = async (
  { bank }: DataParts,
  call: Call,
  { access, account }: OpenedAccount,
  { id, from, to }: Statement,
): Promise<Pick<Reply, 'bytes' | 'headers'> | undefined> => {
  if (!onPaper.every((permission) => allows(access, permission))) return undefined;
  const context = { ...contextOf(access, account), language: languageOf(call) };
  const bytes = await bank.statementDocument?.(account.accountId, id, context);
  if (!bytes) return undefined;
  const headers = {
    'Content-Type': PDF,
    'Content-Disposition': `attachment; filename="statement-${from}-${to}.pdf"`,
  };
  return { bytes: Buffer.from(bytes), headers };
};
