/** `sandbox` and `serve`: the running service, in one process or several. */
import cluster from 'node:cluster';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { type Command, InvalidArgumentError } from 'commander';
import { type App, type AppOptions, startApp } from '../app.js';
import type { AccountHoldersFactory } from '../bank/account-holders.js';
import type { BankFactory } from '../bank/bank.js';
import {
  type Config,
  ConfigError,
  ISSUER_MISSING,
  productionFaults,
  readConfig,
  settings,
} from '../config.js';
import { createLog, type Log } from '../observe/log.js';
import { demoApplications } from '../sandbox/applications.js';
import { firstCall } from '../sandbox/first-call.js';
import { sandboxSecret } from '../sandbox/secret.js';
import { Ending } from './ending.js';
import { CommandError, print } from './output.js';
import { reportToPrimary, runWorkers } from './workers.js';

type Mode = 'sandbox' | 'production';

interface BankModule {
  readonly createBank?: BankFactory;
  readonly createAccountHolders?: AccountHoldersFactory;
}

const loadModule = (path: string): Promise<BankModule> =>
  import(pathToFileURL(resolve(path)).href).catch((error: unknown) => {
    throw new CommandError(
      `TRAPEZA_BANK_MODULE cannot be loaded: ${error instanceof Error ? error.message : error}`,
    );
  }) as Promise<BankModule>;

const loadBank = async (config: Config): Promise<Pick<AppOptions, 'bank' | 'accountHolders'>> => {
  // The core over HTTP is opened with everything else.
  if (config.bankModule === undefined) return {};
  const { createBank, createAccountHolders } = await loadModule(config.bankModule);
  if (typeof createBank !== 'function') {
    throw new CommandError('the module named by TRAPEZA_BANK_MODULE does not export a function createBank');
  }
  if (createAccountHolders === undefined && config.issuer === undefined)
    throw new ConfigError([ISSUER_MISSING]);
  const bank = await createBank();
  return createAccountHolders ? { bank, accountHolders: await createAccountHolders() } : { bank };
};

/**
 * By default the heap may grow to four times what is alive before it is looked through. On one core that takes a tenth of a second
 * from the calls: less growth saves memory, more makes it rare.
 */
const HEAP_GROWTH = '--heap-growing-percent=150';
/** Else the whole heap is looked through when there is little to do, which is when a call should be answered at once. */
const NO_REDUCTION = '--no-memory-reducer';

const start = async (mode: Mode, config: Config, log: Log): Promise<App> => {
  const { isWorker } = cluster;
  for (const flag of [HEAP_GROWTH, NO_REDUCTION]) setFlagsFromString(flag);
  if (mode === 'sandbox') {
    const secret = config.secret ?? sandboxSecret(resolve(config.dataFolder));
    const tell = (line: string): void => console.error(line);
    return startApp({ config: { ...config, secret }, mode, isWorker, log, tell });
  }
  const faults = productionFaults(config);
  if (faults.length > 0) throw new ConfigError(faults);
  return startApp({ config, mode, isWorker, log, ...(await loadBank(config)) });
};

const banner = (app: Pick<App, 'listenUrl' | 'managementUrl'>): string =>
  [
    '',
    `Trapeza sandbox is ready on ${app.listenUrl}`,
    `  documentation   ${app.listenUrl}/docs`,
    `  a whole flow    ${app.listenUrl}/sandbox/tpp`,
    `  credentials     ${app.listenUrl}/sandbox/credentials`,
    `  health, metrics ${app.managementUrl}/health/ready  ${app.managementUrl}/metrics`,
    '',
    'A first call:',
    '',
    firstCall(app.listenUrl, demoApplications),
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n');

const warnOfOldNode = (): void => {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 22)
    console.error(
      `Node ${process.versions.node} is past its end of life: it works, but Node 24 is recommended.`,
    );
};

const volumeArguments = ({ demoVolume }: Config): string[] =>
  demoVolume > 0 ? ['--volume', String(demoVolume)] : [];

/** What the command line says goes before the environment. */
const configOf = (volume: number | undefined): Config => {
  const config = readConfig();
  return volume === undefined ? config : { ...config, demoVolume: volume };
};

export const run = async (mode: Mode, volume?: number): Promise<void> => {
  const config = configOf(volume);
  const log = createLog(config.logLevel);
  const ending = new Ending(log, config);
  if (cluster.isWorker) {
    const app = await start(mode, config, log);
    ending.of((delayMs) => app.close({ delayMs }));
    return reportToPrimary(app, config);
  }
  warnOfOldNode();
  const args = mode === 'sandbox' ? ['sandbox', ...volumeArguments(config)] : ['serve'];
  const service = config.workers > 1 ? await runWorkers(config, args, log) : await start(mode, config, log);
  ending.of((delayMs) => service.close({ delayMs }));
  if (mode === 'sandbox') print(banner(service));
};

const volumeOf = (text: string): number => {
  try {
    return settings.demoVolume.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`It must be ${error instanceof Error ? error.message : 'a number'}.`);
  }
};

export const registerServe = (program: Command): void => {
  program
    .command('sandbox')
    .description('run the sandbox: the whole service with a demo bank inside')
    .option(
      '--volume <n>',
      'at the first start, make an additional account with so many transactions',
      volumeOf,
    )
    .action(({ volume }: { volume?: number }) => run('sandbox', volume));
  program
    .command('serve')
    .description("run the service in production, in front of the bank's own core")
    .action(() => run('production'));
};
