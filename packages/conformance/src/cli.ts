/** `trapeza conformance`: whether a bank's interface does what its document, the law and the RFCs demand. */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { Bank } from './bank/bank.js';
import { type Credentials, credentialFaults } from './bank/credentials.js';
import { Http, type Tls } from './bank/http.js';
import { statusPath } from './bank/operations.js';
import { absentPerson, presentPerson } from './bank/person.js';
import { openSandbox } from './bank/sandbox.js';
import type { Seal } from './bank/seal.js';
import { areas, type Case, sources } from './case.js';
import { cases } from './cases.js';
import { now } from './clock.js';
import { htmlReport } from './report/html.js';
import { jsonReport } from './report/json.js';
import { junitReport } from './report/junit.js';
import { countsOf, countsText, type Report } from './report/summary.js';
import { textReport } from './report/text.js';
import { type Result, runCases } from './run.js';
import { Failure } from './verdict.js';

interface Options {
  readonly credentials?: string;
  readonly sandbox?: boolean;
  readonly approve: 'manual' | 'none';
  readonly only?: readonly string[];
  readonly list?: boolean;
  readonly json?: boolean;
  readonly junit?: string;
  readonly html?: string;
  readonly timeout: number;
}

/** What the command was given cannot be used: exit code 2. */
class Unusable extends Error {}

const print = (text: string): void => void process.stdout.write(text);

const isMeant =
  (word: string) =>
  ({ id, area, clause }: Case): boolean =>
    word === id || word === area || word === clause.source;

const wordOf = (word: string, before: readonly string[] = []): readonly string[] => {
  if (!cases.some(isMeant(word)))
    throw new InvalidArgumentError(
      `one of ${[...Object.keys(areas), ...sources].join(', ')}, or a case of --list`,
    );
  return [...before, word];
};

const wholeMs = (text: string): number => {
  const ms = Number(text);
  if (!Number.isInteger(ms) || ms < 1 || ms > 600_000) throw new InvalidArgumentError('1 to 600000');
  return ms;
};

const chosen = ({ only }: Options): readonly Case[] =>
  only === undefined ? cases : cases.filter((each) => only.some((word) => isMeant(word)(each)));

const readCredentials = (path: string): Credentials => {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Unusable(`${path} cannot be read as JSON: ${error instanceof Error ? error.message : error}`);
  }
  const faults = credentialFaults(value);
  if (faults.length > 0) throw new Unusable(`${path}: ${faults.join('; ')}. See docs/conformance.md.`);
  return value as Credentials;
};

const tlsOf = ({ tls = {} }: Credentials, folder: string): Tls => {
  const text = (name: string): string => readFileSync(resolve(folder, name), 'utf8');
  return {
    ...(tls.certificate === undefined ? {} : { cert: text(tls.certificate) }),
    ...(tls.key === undefined ? {} : { key: text(tls.key) }),
    ...(tls.ca === undefined ? {} : { ca: text(tls.ca) }),
  };
};

const ask = async (question: string): Promise<void> => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  await terminal.question(question);
  terminal.close();
};

const sealOf = ({ seal }: Credentials, folder: string): Seal | undefined => {
  const text = (name: string): string => readFileSync(resolve(folder, name), 'utf8');
  return seal && { certificate: text(seal.certificate), key: text(seal.key) };
};

const bankOf = async (url: string | undefined, options: Options): Promise<Bank> => {
  const file = options.credentials;
  const given = file === undefined ? undefined : readCredentials(file);
  const address = url ?? given?.baseUrl;
  if (address === undefined || !/^https?:\/\/./.test(address))
    throw new Unusable('give the address of the bank');
  if (!given && !options.sandbox)
    throw new Unusable('give --credentials, or --sandbox for a sandbox of Trapeza');
  const folder = dirname(file ?? '');
  const http = new Http(address, options.timeout, given ? tlsOf(given, folder) : {});
  await http.send({ path: '/' });
  if (!given) return openSandbox(http);
  const person = options.approve === 'manual' ? presentPerson(ask) : absentPerson;
  const bank = new Bank({ http, credentials: given, person, seal: sealOf(given, folder) });
  await demandAccess(bank);
  return bank;
};

/** Credentials that do not open the bank would make it look bad: they say nothing of it. */
const demandAccess = async (bank: Bank): Promise<void> => {
  if (bank.credentials.application.accessToken === undefined) return;
  const { status } = await bank.call({ path: statusPath(randomUUID()) });
  if (status !== 401) return;
  bank.http.close();
  throw new Unusable('the bank answers 401 to key and token of the credentials: nothing was tried');
};

/** On a terminal only: a line that is written over, and none of it in files. */
const progress = ({ id }: Result, place: number, total: number): void => {
  if (process.stderr.isTTY)
    process.stderr.write(`\r\u001b[K${place}/${total} ${id}${place === total ? '\r\u001b[K' : ''}`);
};

const list = (options: Options): void => {
  const wanted = chosen(options).map(({ id, title, area, clause }) => ({ id, title, area, clause }));
  print(
    options.json
      ? `${JSON.stringify(wanted, null, 2)}\n`
      : wanted.map(({ id, title, clause }) => `${id}: ${title}\n    ${clause.text}\n`).join(''),
  );
};

const tryBank = async (url: string | undefined, options: Options): Promise<void> => {
  if (options.list) return list(options);
  const bank = await bankOf(url, options);
  try {
    const results = await runCases(chosen(options), bank, progress);
    const report: Report = { url: bank.http.baseUrl, at: new Date(now()).toISOString(), results };
    print(options.json ? jsonReport(report) : textReport(report));
    if (options.junit) writeFileSync(options.junit, junitReport(report), { mode: 0o600 });
    if (options.html) writeFileSync(options.html, htmlReport(report), { mode: 0o600 });
    const { passed, failed } = countsOf(results);
    if (failed > 0) process.exitCode = 1;
    else if (passed === 0) throw new Unusable(`nothing could be tried: ${countsText(results)}`);
  } finally {
    bank.http.close();
  }
};

const run = async (url: string | undefined, options: Options): Promise<void> => {
  try {
    await tryBank(url, options);
  } catch (error) {
    if (!(error instanceof Unusable || error instanceof Failure)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
};

const NOTES = `
Exit code 0: nothing failed. 1: a case failed. 2: nothing could be tried. A case that needs what is not given is "not run".`;

export const registerConformance = (program: Command): void => {
  program
    .command('conformance')
    .description('try whether a bank has this interface as its document demands: docs/conformance.md')
    .argument('[url]', 'address of the bank; else baseUrl of the credentials')
    .option('--credentials <file>', 'JSON file with keys, certificates, people and consents to try with')
    .addOption(
      new Option('--sandbox', 'take credentials and decisions from a sandbox of Trapeza').conflicts(
        'credentials',
      ),
    )
    .addOption(
      new Option('--approve <way>', 'how the account holder decides: manual prints the address and waits')
        .choices(['manual', 'none'])
        .default('none'),
    )
    .addOption(
      new Option('--only <what>', 'a case, an area or a source of clauses; may be repeated').argParser(
        wordOf,
      ),
    )
    .option('--list', 'print the cases and their clauses, and try nothing')
    .option('--json', 'print JSON')
    .option('--junit <file>', 'write a report for build servers')
    .option('--html <file>', 'write a report to hand over, one page for screen and paper')
    .addOption(new Option('--timeout <ms>', 'time for each answer').argParser(wholeMs).default(10_000))
    .addHelpText('after', NOTES)
    .action(run);
};
