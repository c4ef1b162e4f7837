/** The lists as files. Written row by row while they are read, so a list of any length takes the same little memory. */

import { Readable } from 'node:stream';
import { eachLine } from '../../consent/lists.js';
import { partiesOf } from '../../consent/parties.js';
import {
  accessObjects,
  blockObjects,
  eachPermissionRecord,
  fundsObjects,
  type PermissionRecord,
  permissionObjects,
} from '../../consent/takeout.js';
import { type AccessLine, eachAccess, eachFundsAnswer, type FundsLine } from '../../consent/uses.js';
import type { PageAnswer, PageRequest } from '../../http/pages.js';
import type { BankTime } from '../../lib/clock.js';
import { CSV_MARK, type CsvCell, CsvDecimal, csvLine, csvStyleOf } from '../../lib/format/csv.js';
import { dateFormat } from '../../lib/format/intl.js';
import { inChunks, jsonDocument } from '../../lib/format/json-stream.js';
import { undisguised } from '../../lib/format/undisguised.js';
import type { PsuId } from '../../model/ids.js';
import type { Db } from '../../store/db.js';
import {
  type Filter,
  listFilter,
  paymentFilterOf,
  permissionFilterOf,
  storedFilter,
  useFilterOf,
} from './filters.js';
import { type Column, columns } from './messages/messages.js';
import type { DashboardParts, HolderVisit, Visit } from './parts.js';
import { accountLines, statusText, summaryOf } from './permission-summary.js';
import { notFoundPage } from './view/message.js';

/** Whose records, as of when, and how narrowed. */
export interface Wanted {
  readonly db: Db;
  readonly psuId: PsuId;
  readonly bankNow: BankTime;
  readonly filter: Filter;
  readonly tongue: Pick<Visit, 'lang' | 'messages' | 'asking' | 'timeZone'>;
}

type Cells = Readonly<Partial<Record<Column, CsvCell>>>;

const useColumns = ['time', 'app', 'provider', 'account', 'permission'] as const;

const permissionColumns = [
  'app',
  'provider',
  'kind',
  'status',
  'covers',
  'purpose',
  'since',
  'until',
  'lastUsed',
  'uses',
  'account',
  'permission',
] as const;

/** Which columns the file of a list has. */
const columnsOf = {
  permissions: permissionColumns,
  payments: permissionColumns,
  funds: [...useColumns.slice(0, 3), 'payee', 'amount', 'currency', 'answer', ...useColumns.slice(3)],
  accesses: [...useColumns.slice(0, 3), 'data', 'present', ...useColumns.slice(3)],
  everything: columns,
} as const satisfies Record<string, readonly Column[]>;

export type ExportedList = keyof typeof columnsOf;

/** `2026-11-15 06:42:11` in the bank's zone: spreadsheets of every language read it as a moment. */
const stampText = (ms: number | null | undefined, { timeZone }: Wanted['tongue']): string =>
  ms === null || ms === undefined
    ? ''
    : dateFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(ms);

const permissionCells = ({ asked, status, use }: PermissionRecord, { tongue }: Wanted): Cells => ({
  list: tongue.messages.lists.permission,
  app: undisguised(asked.applicationName),
  provider: undisguised(asked.tppName),
  kind: tongue.messages.kinds[asked.kind],
  status: statusText({ asked, status }, tongue.messages),
  covers: summaryOf(asked, status, tongue).join(' '),
  purpose: asked.purpose,
  since: stampText(asked.approvedAt ?? asked.createdAt, tongue),
  until: stampText(asked.expiresAt, tongue),
  lastUsed: stampText(use?.lastAt, tongue),
  uses: use?.count ?? 0,
  account: accountLines(asked, (number) => number).join(', '),
  permission: asked.id,
});

const useCells = (line: FundsLine | AccessLine, { tongue }: Wanted): Cells => ({
  time: stampText(line.at, tongue),
  app: undisguised(line.applicationName),
  provider: undisguised(line.tppName),
  account: line.account,
  permission: line.consentId,
});

const fundsCells = (line: FundsLine, wanted: Wanted): Cells => ({
  ...useCells(line, wanted),
  list: wanted.tongue.messages.lists.funds,
  payee: line.payee === null ? null : undisguised(line.payee),
  amount: new CsvDecimal(line.amount),
  currency: line.currency,
  answer: line.available === 1 ? wanted.tongue.messages.available : wanted.tongue.messages.notAvailable,
});

const accessCells = (line: AccessLine, wanted: Wanted): Cells => ({
  ...useCells(line, wanted),
  list: wanted.tongue.messages.lists.access,
  data: wanted.tongue.messages.data[line.kind],
  present: line.attended === 1 ? wanted.tongue.messages.present : wanted.tongue.messages.absent,
});

/** What the pages of the list show; permissions and payments in the file of everything. */
async function* permissionsIn(
  list: 'permissions' | 'payments' | 'everything',
  { db, psuId, bankNow, filter, tongue }: Wanted,
): AsyncGenerator<PermissionRecord, void, undefined> {
  const parties = await partiesOf(db, psuId, bankNow);
  const shown = { psuId, filter: listFilter(filter, tongue.timeZone, parties, bankNow) };
  const lines = list === 'everything' ? undefined : eachLine(db, { list, ...shown });
  yield* eachPermissionRecord(db, psuId, bankNow, lines);
}

async function* cellsOf(list: ExportedList, wanted: Wanted): AsyncGenerator<Cells, void, undefined> {
  const { db, psuId, filter, tongue } = wanted;
  const uses = storedFilter(filter, tongue.timeZone);
  if (list === 'permissions' || list === 'payments' || list === 'everything')
    for await (const record of permissionsIn(list, wanted)) yield permissionCells(record, wanted);
  if (list === 'funds' || list === 'everything')
    for await (const line of eachFundsAnswer(db, psuId, uses)) yield fundsCells(line, wanted);
  if (list === 'accesses' || list === 'everything')
    for await (const line of eachAccess(db, psuId, uses)) yield accessCells(line, wanted);
}

export async function* csvOf(list: ExportedList, wanted: Wanted): AsyncGenerator<string, void, undefined> {
  const shown: readonly Column[] = columnsOf[list];
  const { messages, asking } = wanted.tongue;
  const style = csvStyleOf(asking.locale);
  const lineOf = (cells: Cells): string =>
    csvLine(
      shown.map((column) => cells[column]),
      style,
    );
  yield CSV_MARK + lineOf(messages.columns);
  for await (const cells of cellsOf(list, wanted)) yield lineOf(cells);
}

const jsonOf = (list: ExportedList, wanted: Wanted): AsyncGenerator<string, void, undefined> => {
  const { db, psuId, filter, tongue } = wanted;
  const uses = storedFilter(filter, tongue.timeZone);
  const isIn = (each: ExportedList): boolean => list === each || list === 'everything';
  const objectsIn = (each: 'permissions' | 'payments' | 'everything') =>
    permissionObjects(db, psuId, permissionsIn(each, wanted));
  return jsonDocument({
    ...(list === 'payments' ? { payments: objectsIn(list) } : {}),
    ...(list === 'permissions' || list === 'everything' ? { permissions: objectsIn(list) } : {}),
    ...(isIn('funds') ? { fundsConfirmations: fundsObjects(db, psuId, uses) } : {}),
    ...(isIn('accesses') ? { accesses: accessObjects(db, psuId, uses) } : {}),
    ...(list === 'everything' ? { blocks: blockObjects(db, psuId) } : {}),
  });
};

/** A download that fails half-way ends the connection, so that it is not mistaken for a complete file. */
async function* reported(
  pieces: AsyncIterable<string>,
  report: (error: unknown) => void,
): AsyncGenerator<string, void, undefined> {
  try {
    yield* pieces;
  } catch (error) {
    report(error);
    throw error;
  }
}

const FILE = /^(permissions|payments|funds|accesses|everything)\.(csv|json)$/;
const types = { csv: 'text/csv', json: 'application/json' } as const;

/** As its page reads it. */
const filterOf: Readonly<Record<ExportedList, (query: PageRequest['query']) => Filter>> = {
  permissions: permissionFilterOf,
  payments: paymentFilterOf,
  funds: useFilterOf,
  accesses: useFilterOf,
  everything: () => ({}),
};

export const exportFile = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const { query, params } = visit.request;
  const [file, list, format] = (FILE.exec(params.file ?? '') ?? []) as [
    string?,
    ExportedList?,
    (keyof typeof types)?,
  ];
  if (file === undefined || list === undefined || format === undefined) return notFoundPage(visit);
  const wanted: Wanted = {
    db: parts.db,
    psuId: visit.holder.id,
    bankNow: await parts.bankTime(),
    filter: filterOf[list](query),
    tongue: visit,
  };
  const text = format === 'csv' ? csvOf(list, wanted) : jsonOf(list, wanted);
  return {
    status: 200,
    type: types[format],
    body: '',
    stream: Readable.from(reported(inChunks(text), (error) => parts.report(error, visit.request))),
    isPersonal: true,
    cookies: visit.cookies,
    headers: { 'Content-Disposition': `attachment; filename="${file}"` },
  };
};
