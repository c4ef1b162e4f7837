/** `trapeza conformance`: whether a bank's interface does what its document, the law and the RFCs demand. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { Bank } from './bank/bank.js';
import { Http } from './bank/http.js';
import { absentPerson, presentPerson } from './bank/person.js';
import { demandAccess, demandInterface } from './bank/presence.js';
import { openSandbox } from './bank/sandbox.js';
import { areas, type Case, sources } from './case.js';
import { cases } from './cases.js';
import { now } from './clock.js';
import { readGiven, writeReport } from './files.js';
import { htmlReport } from './report/html.js';
import { jsonReport } from './report/json.js';
import { junitReport } from './report/junit.js';
import { countsOf, countsText, type Report } from './report/summary.js';
import { textReport } from './report/text.js';
import { type Result, runCases } from './run.js';
import { Terminal } from './terminal.js';
import { Failure, Unusable } from './verdict.js';

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

const bankOf = async (url: string | undefined, options: Options, terminal: Terminal): Promise<Bank> => {
  const given = options.credentials === undefined ? undefined : readGiven(options.credentials);
  const address = url ?? given?.credentials.baseUrl;
  if (address === undefined || !/^https?:\/\/./.test(address) || !URL.canParse(address))
    throw new Unusable('give the address of the bank');
  if (!given && !options.sandbox)
    throw new Unusable('give --credentials, or --sandbox for a sandbox of Trapeza');
  const http = new Http(address, options.timeout, given?.tls);
  try {
    await demandInterface(http);
    if (!given) return await openSandbox(http);
    const person = options.approve === 'manual' ? presentPerson((text) => terminal.ask(text)) : absentPerson;
    const { credentials, seal } = given;
    const bank = new Bank({ http, credentials, person, seal });
    await demandAccess(bank);
    return bank;
  } catch (error) {
    http.close();
    throw error;
  }
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
  // Rather now than after the last case.
  for (const file of [options.junit, options.html]) if (file) writeReport(file, '');
  const terminal = new Terminal();
  const bank = await bankOf(url, options, terminal);
  try {
    const results = await runCases(chosen(options), bank, progress);
    const report: Report = { url: bank.http.baseUrl, at: new Date(now()).toISOString(), results };
    print(options.json ? jsonReport(report) : textReport(report));
    if (options.junit) writeReport(options.junit, junitReport(report));
    if (options.html) writeReport(options.html, htmlReport(report));
    const { passed, failed } = countsOf(results);
    if (failed > 0) process.exitCode = 1;
    else if (passed === 0) throw new Unusable(`nothing could be tried: ${countsText(results)}`);
  } finally {
    bank.http.close();
    terminal.close();
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

/** As a program of its own, which has no other command. */
export const runAlone = async ([node = '', file = '', ...words]: readonly string[]): Promise<void> => {
  const program = new Command('trapeza-conformance');
  registerConformance(program);
  await program.parseAsync([node, file, 'conformance', ...words]);
};
