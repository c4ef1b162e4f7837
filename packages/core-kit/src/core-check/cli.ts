/** `trapeza core-check`: whether a bank's own core keeps the promises of the contract. */
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { systemClock, webAddress, whole, writePrivately } from 'trapeza/base';
import { CommandError, print } from 'trapeza/cli';
import type { Case } from './case.js';
import { cases } from './cases.js';
import { CoreClient } from './client.js';
import { type Format, formats, reportOf, summaryOf } from './report.js';
import { isGood, type Result, runCases } from './run.js';
import { demoSubject, type Subject, subjectFaults } from './subject.js';
import { Failure } from './verdict.js';

interface Options {
  readonly token?: string;
  readonly demo?: boolean;
  readonly subject?: string;
  readonly payments?: boolean;
  readonly format: Format;
  readonly out?: string;
  readonly only?: readonly string[];
  readonly timeout: number;
}

const parsedBy =
  <T>(read: (text: string) => T) =>
  (text: string): T => {
    try {
      return read(text);
    } catch (error) {
      throw new InvalidArgumentError(
        `It must be ${error instanceof Error ? error.message : 'something else'}.`,
      );
    }
  };

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

/** Once before all the rest, so that a wrong address is one message instead of a hundred failures. */
const demandReachable = async (core: CoreClient, url: string): Promise<void> => {
  await core.fetch('GET', '/health').catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    throw new CommandError(
      `nobody answers at ${url} (${error.seen}): is your core running, and is the address right?`,
    );
  });
};

/** On a terminal only: a line that is written over, and none of it in files. */
const progress = ({ id }: Result, place: number, total: number): void => {
  if (process.stderr.isTTY)
    process.stderr.write(`\r\u001b[K${place}/${total} ${id}${place === total ? '\r\u001b[K' : ''}`);
};

const chosen = ({ only }: Options): readonly Case[] =>
  only === undefined ? cases : cases.filter(({ id }) => only.includes(id));

const run = async (url: string, options: Options): Promise<void> => {
  const { token, timeout: timeoutMs, payments = false, format, out } = options;
  const core = new CoreClient({ url, timeoutMs, ...(token === undefined ? {} : { token }) });
  const subject = subjectOf(options);
  await demandReachable(core, url);
  const results = await runCases(chosen(options), {
    core,
    subject,
    allowsPayments: payments,
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
};

export const registerCoreCheck = (program: Command): void => {
  program
    .command('core-check')
    .description("try whether a bank's own core keeps every promise of the contract: docs/core.md")
    .argument('<url>', 'where the core answers', parsedBy(webAddress))
    .option('--token <text>', 'bearer token that it demands')
    .addOption(new Option('--demo', 'try on the people of the core simulator').conflicts('subject'))
    .option('--subject <file>', 'JSON file with people and accounts to try on')
    .option(
      '--payments',
      'also try what moves money: about a dozen payments of the amount that the subject names',
    )
    .addOption(new Option('--format <format>', 'of the report').choices(formats).default('text'))
    .option('--out <file>', 'write the report to a file')
    .addOption(
      new Option('--only <case>', 'run this case alone; may be repeated').argParser(
        (text: string, before: readonly string[] = []) => [...before, parsedBy(caseIdOf)(text)],
      ),
    )
    .addOption(
      new Option('--timeout <ms>', 'time for each answer')
        .default(5000)
        .argParser(parsedBy(whole(1, 600_000))),
    )
    .action(run);
};
