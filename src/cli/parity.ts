/** `trapeza parity`: which members of the core contract the interface gives, and which of them a core gives for a person. */
import type { Command } from 'commander';
import { CoreClient } from '../bank/http/client.js';
import { PSU_ID } from '../bank/http/contract/headers.js';
import { coreTlsOf } from '../bank/http/tls-files.js';
import type { Config } from '../config/config.js';
import { DAY, systemClock } from '../lib/clock.js';
import { dateAt } from '../lib/day.js';
import { parseStrictJson } from '../lib/format/strict-json.js';
import { newId } from '../lib/id.js';
import { CommandError, type JsonFlag, print, printJson, printTable } from './output.js';
import { parityReport } from './parity-report.js';
import { type ReasonFlag, withAdmin, withReason } from './store.js';

const SIZE_LIMIT = 4_000_000;
/** Accounts that are looked at. */
const MOST = 20;
/** Newest transactions of each. */
const PAGE = 500;
const YEAR = 365 * DAY;

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Read = (path: string) => Promise<Members>;

const listIn = (answer: Members, name: string) => {
  const list = answer[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
};

/** Members that are there and not null, such as Account.iban. Their values are never printed. */
const note = (into: Set<string>, component: string, records: readonly Members[]): void => {
  for (const record of records)
    for (const [name, value] of Object.entries(record)) if (value !== null) into.add(`${component}.${name}`);
};

const readMembers = async (read: Read, psuId: string, days: string): Promise<ReadonlySet<string>> => {
  const seen = new Set<string>();
  const accounts = listIn(await read(`/account-holders/${encodeURIComponent(psuId)}/accounts`), 'accounts');
  if (accounts.length === 0) throw new CommandError('the core has no account of this person');
  note(seen, 'Account', accounts);
  for (const { id } of accounts.slice(0, MOST)) {
    const path = `/accounts/${encodeURIComponent(String(id))}`;
    note(seen, 'Balance', listIn(await read(`${path}/balances`), 'balances'));
    for (const status of ['booked', 'pending']) {
      const found = await read(`${path}/transactions?${days}&status=${status}&limit=${PAGE}`);
      const transactions = listIn(found, 'transactions');
      note(seen, 'Transaction', transactions);
      note(seen, 'Exchange', transactions.map(({ exchange }) => exchange).filter(isObject));
    }
    note(seen, 'Statement', listIn(await read(`${path}/statements`), 'statements'));
  }
  return seen;
};

/** What the core answers with another status than 200 it does not give. */
const askCore = async (config: Config, psuId: string): Promise<ReadonlySet<string>> => {
  const { coreUrl: url, coreToken: token, coreTimeoutMs: timeoutMs, timeZone } = config;
  const now = systemClock.now();
  if (url === undefined) throw new CommandError('set TRAPEZA_CORE_URL to the address of the core');
  const tls = coreTlsOf(config);
  const core = new CoreClient({ url, token, tls, timeoutMs, connections: 1, responseLimit: SIZE_LIMIT });
  try {
    return await readMembers(
      async (path) => {
        const headers = { 'X-Request-ID': newId(), [PSU_ID]: psuId };
        const { status, bytes } = await core.send({ method: 'GET', path, headers }, timeoutMs);
        const answer: unknown = status === 200 ? parseStrictJson(Buffer.from(bytes)) : {};
        return isObject(answer) ? answer : {};
      },
      psuId,
      `from=${dateAt(now - YEAR, timeZone)}&to=${dateAt(now, timeZone)}`,
    );
  } finally {
    await core.close();
  }
};

/** Of these the core was asked. */
const ASKED = /^(Account|Balance|Transaction|Exchange|Statement)\./;

interface ParityFlags extends JsonFlag, ReasonFlag {
  readonly psu?: string;
}

/** Only names of members are printed, but the program reads what this person has at the bank. */
const openPerson = (psuId: string, flags: ParityFlags): Promise<ReadonlySet<string>> =>
  withAdmin(async (admin, config) => {
    await admin.openPerson(psuId);
    return askCore(config, psuId);
  }, flags);

const show = async (flags: ParityFlags): Promise<void> => {
  const { psu, json } = flags;
  const seen = psu === undefined ? undefined : await openPerson(psu, flags);
  const rows = parityReport().rows.map((row) => ({
    ...row,
    ...(seen && ASKED.test(row.core) ? { isGivenByCore: seen.has(row.core) } : {}),
  }));
  if (json) return printJson(rows);
  printTable(
    rows.map((row) => ({
      core: row.core,
      given: row.isOptional ? 'if the core gives it' : 'always',
      ...(seen
        ? { 'this core': row.isGivenByCore === undefined ? '' : row.isGivenByCore ? 'gives it' : 'not seen' }
        : {}),
      interface: row.reason ?? `${row.operation}: ${row.members.join(', ')}`,
    })),
    'The contract has no members.',
  );
  const withheld = rows.filter(({ reason }) => reason !== null).length;
  print(
    `${rows.length - withheld} of ${rows.length} members are given to third parties, ${withheld} have a reason.`,
  );
};

export const registerParity = (program: Command): void => {
  withReason(program.command('parity'))
    .description(
      'which members of the core contract third parties get, and why not the others: docs/parity.md',
    )
    .option('--psu <id>', 'also which members the core of TRAPEZA_CORE_URL gives for this person')
    .option('--json', 'print JSON')
    .action(show);
};
