/** `trapeza core-check`: whether a bank's own core keeps the promises of the contract. */
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { coreTlsOf } from 'trapeza/bank';
import { headerText, readConfig, systemClock, webAddress, whole, writePrivately } from 'trapeza/base';
import { CommandError, jsonFormatOption, parsedBy, print } from 'trapeza/cli';
import type { Case } from './case.js';
import { cases } from './cases.js';
import { type ClientOptions, CoreClient } from './client.js';
import { explanationOf } from './explain.js';
import { demandUsable } from './preflight.js';
import { type Format, formats, reportOf, summaryOf } from './report.js';
import { isGood, type Result, runCases } from './run.js';
import { demoSubject, type Subject, subjectFaults } from './subject.js';

interface Options {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly demo?: boolean;
  readonly subject?: string;
  readonly payments?: boolean;
  readonly format: Format;
  readonly out?: string;
  readonly only?: readonly string[];
  /** Of one case, or of those that fail. */
  readonly explain?: string | true;
  readonly timeout?: number;
}

const caseIdOf = (text: string): string => {
  if (!cases.some(({ id }) => id === text)) throw new Error(`one of ${cases.map(({ id }) => id).join(', ')}`);
  return text;
};

const readSubject = (path: string): Subject => {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CommandError(
      `${path} cannot be read as JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
  const faults = subjectFaults(value);
  if (faults !== undefined) throw new CommandError(`${path} is no subject: ${faults}. See docs/core.md.`);
  return value as Subject;
};

const subjectOf = ({ demo, subject }: Options): Subject => {
  if (subject !== undefined) return readSubject(subject);
  return demo ? demoSubject() : {};
};

/** On a terminal only: a line that is written over, and none of it in files. */
const progress = ({ id }: Result, place: number, total: number): void => {
  if (process.stderr.isTTY)
    process.stderr.write(`\r\u001b[K${place}/${total} ${id}${place === total ? '\r\u001b[K' : ''}`);
};

const chosen = ({ only }: Options): readonly Case[] =>
  only === undefined ? cases : cases.filter(({ id }) => only.includes(id));

const tokenIn = (path: string): string => {
  try {
    return headerText(readFileSync(path, 'utf8').trim());
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(`${path} is no file with a token: ${code ?? `it must have ${message}`}`);
  }
};

/** As `serve` would connect; what is on the command line comes first. */
const connectionOf = (url: string | undefined, { token, tokenFile, timeout }: Options): ClientOptions => {
  const config = readConfig();
  const address = url ?? config.coreUrl;
  if (address === undefined) throw new CommandError('give the address of the core, or set TRAPEZA_CORE_URL');
  return {
    url: address,
    token: token ?? (tokenFile === undefined ? config.coreToken : tokenIn(tokenFile)),
    tls: coreTlsOf(config),
    timeoutMs: timeout ?? config.coreTimeoutMs,
  };
};

const explain = (id: string): void => {
  const found = cases.find((each) => each.id === id);
  if (found) print(explanationOf(found));
};

const run = async (address: string | undefined, options: Options): Promise<void> => {
  const { payments = false, format, out } = options;
  if (typeof options.explain === 'string') return explain(options.explain);
  const connection = connectionOf(address, options);
  const { url } = connection;
  const core = new CoreClient(connection);
  const subject = subjectOf(options);
  try {
    await demandUsable(core, url);
    const results = await runCases(chosen(options), {
      core,
      subject,
      allowsPayments: payments,
      explains: options.explain === true,
      now: () => systemClock.now(),
      onResult: progress,
    });
    const report = reportOf(format, url, results);
    if (out === undefined) print(report.trimEnd());
    else {
      // It may quote what the core said of people.
      writePrivately(out, report);
      const { passed, failed, blocked, skipped } = summaryOf(results);
      print(`${passed} passed, ${failed} failed, ${blocked} blocked, ${skipped} skipped: ${out}`);
    }
    if (!isGood(results)) process.exitCode = 1;
  } finally {
    await core.close();
  }
};

const NOTES = `
The address, the token, the certificates and the time are those of TRAPEZA_CORE_URL, _TOKEN, _CLIENT_CERTIFICATE, _CLIENT_KEY, _CA
and _TIMEOUT_MS, as for serve, unless they are given here.

The subject is best an account with some months of transactions, something pending and no other traffic. Its payer account has
less money than the largest transfer that your core carries out: a payment of a little more than it has is tried and must be
rejected.`;

export const registerCoreCheck = (program: Command): void => {
  program
    .command('core-check')
    .description("try whether a bank's own core keeps every promise of the contract: docs/core.md")
    .argument('[url]', 'where the core answers; else TRAPEZA_CORE_URL', parsedBy(webAddress))
    .addOption(
      new Option('--token <text>', 'bearer token; other users of this machine can see it here').conflicts(
        'tokenFile',
      ),
    )
    .option('--token-file <file>', 'file with the bearer token; else TRAPEZA_CORE_TOKEN')
    .addOption(new Option('--demo', 'try on the people of the core simulator').conflicts('subject'))
    .option('--subject <file>', 'JSON file with people and accounts to try on')
    .option(
      '--payments',
      'also try what moves money: about a dozen payments of the amount that the subject names',
    )
    .addOption(new Option('--format <format>', 'of the report').choices(formats).default('text'))
    .addOption(jsonFormatOption())
    .option('--out <file>', 'write the report to a file')
    .addOption(
      new Option('--only <case>', 'run this case alone; may be repeated').argParser(
        (text: string, before: readonly string[] = []) => [...before, parsedBy(caseIdOf)(text)],
      ),
    )
    .addOption(
      new Option(
        '--explain [case]',
        'print what a case asks and demands and what to do; without a name, of those that fail',
      ).argParser(parsedBy(caseIdOf)),
    )
    .addOption(
      new Option('--timeout <ms>', 'time for each answer; else TRAPEZA_CORE_TIMEOUT_MS').argParser(
        parsedBy(whole(1, 600_000)),
      ),
    )
    .addHelpText('after', NOTES)
    .action(run);
};
