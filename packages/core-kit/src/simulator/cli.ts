/** `trapeza core-simulator`: a bank's core to try against, which fails on demand. */

import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { type Config, migrate, openDb, readConfig, systemClock, whole } from 'trapeza/base';
import { parsedBy, print } from 'trapeza/cli';
import { type DefectName, defects, isDefect } from './defects.js';
import { type Fault, faultKinds, parseFault } from './faults.js';
import { simulatorMigrations } from './migrations.js';
import { createSimulator } from './simulator.js';

const FOLDER = 'data/core-simulator';

interface Options {
  readonly port: number;
  readonly host: string;
  readonly data?: string;
  readonly token?: string;
  readonly fault: readonly Fault[];
  readonly seed: number;
  readonly defect: readonly DefectName[];
  readonly paymentSeconds: number;
}

const defectOf = (text: string): DefectName => {
  if (!isDefect(text)) throw new Error(`one of ${Object.keys(defects).join(', ')}`);
  return text;
};

const oneMore =
  <T>(read: (text: string) => T) =>
  (text: string, before: readonly T[] = []): readonly T[] => [...before, parsedBy(read)(text)];

/** Never the store of the service beside it, which is the default of the configuration. */
const storeOf = ({ databaseUrl, dataFolder }: Config, folder: string | undefined): string => {
  const isDefault = databaseUrl === `sqlite:${resolve(dataFolder, 'trapeza.db')}`;
  return folder === undefined && !isDefault
    ? databaseUrl
    : `sqlite:${resolve(folder ?? FOLDER, 'core-simulator.db')}`;
};

const banner = (url: string, { token, fault, defect }: Options): string => {
  const bearer = token === undefined ? '' : `-H 'Authorization: Bearer …' `;
  return [
    '',
    `The core simulator is ready on ${url}`,
    ...fault.map(
      ({ kind, probability = 1, operation = 'every operation' }) =>
        `  fault   ${kind} (${faultKinds[kind]}): ${Math.round(probability * 100)} % of ${operation}`,
    ),
    ...defect.map((name) => `  defect  ${name}: ${defects[name].title}`),
    '',
    'A first call:',
    '',
    `  curl ${bearer}${url}/health`,
    '',
    'The one-time codes that it has sent:',
    '',
    `  curl ${bearer}${url}/simulator/codes`,
    '',
    'The sandbox on it:',
    '',
    `  TRAPEZA_CORE_URL=${url} ${token === undefined ? '' : 'TRAPEZA_CORE_TOKEN=… '}npx trapeza sandbox`,
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n');
};

const untilSignal = (): Promise<void> =>
  new Promise((done) => {
    process.once('SIGINT', done);
    process.once('SIGTERM', done);
  });

const run = async (options: Options): Promise<void> => {
  const config = readConfig();
  const db = await openDb(storeOf(config, options.data), config.databasePool);
  try {
    await migrate(db, systemClock.now(), simulatorMigrations);
    const simulator = createSimulator({
      db,
      clock: systemClock,
      timeZone: config.timeZone,
      months: config.demoMonths,
      faults: options.fault,
      seed: options.seed,
      defects: options.defect,
      paymentSeconds: options.paymentSeconds,
      tell: (line) => console.error(`core-simulator: ${line}`),
      ...(options.token === undefined ? {} : { token: options.token }),
    });
    const stopped = untilSignal();
    const url = await simulator.listen(options.port, options.host);
    print(banner(url, options));
    await stopped;
    await simulator.close();
  } finally {
    await db.close();
  }
};

export const registerCoreSimulator = (program: Command): void => {
  program
    .command('core-simulator')
    .description("a bank's core over HTTP, on demo data of its own, with faults on demand: docs/core.md")
    .addOption(
      new Option('--port <n>', 'port; 0 takes any free one')
        .default(8090)
        .argParser(parsedBy(whole(0, 65_535))),
    )
    .option('--host <address>', 'address it binds to', '127.0.0.1')
    .option('--data <folder>', `folder of its store, unless DATABASE_URL names one (default: "${FOLDER}")`)
    .option('--token <text>', 'bearer token that it demands')
    .addOption(
      new Option('--fault <spec>', 'kind[:probability][@operation]; may be repeated')
        .default([], 'none')
        .argParser(oneMore(parseFault)),
    )
    .addOption(
      new Option('--seed <n>', 'number that the chance of faults depends on')
        .default(1)
        .argParser(parsedBy(whole(0, 1e9))),
    )
    .addOption(
      new Option('--payment-seconds <n>', 'take up to so long for a payment, as the seed decides')
        .default(0)
        .argParser(parsedBy(whole(0, 3600))),
    )
    .addOption(
      new Option('--defect <name>', 'answer wrongly, to see core-check find it; may be repeated')
        .default([], 'none')
        .argParser(oneMore(defectOf)),
    )
    .action(run);
};
