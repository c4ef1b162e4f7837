/** `serve`: the running service. */
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import { type App, type AppOptions, startApp } from '../app/app.js';
import type { AccountHoldersFactory } from '../bank/account-holders.js';
import type { BankFactory } from '../bank/bank.js';
import {
  type Config,
  ConfigError,
  ISSUER_MISSING,
  productionFaults,
  readConfig,
  settings,
  unreadSettings,
} from '../config/config.js';
import { SECOND } from '../lib/clock.js';
import { createLog, errorFields, type Log } from '../observe/log.js';
import { StoreUnavailable } from '../store/db.js';
import { isPostgres } from '../store/open.js';
import { Ending } from './ending.js';
import { logOthers } from './others.js';
import { CommandError, parsedBy } from './output.js';

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

export const loadBank = async (config: Config): Promise<Pick<AppOptions, 'bank' | 'accountHolders'>> => {
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
/**
 * Else V8 learns from the first calls, which are slow, that objects of a call live long, and from then on makes those of all calls in
 * the old part of the heap, which only the long collections look through.
 */
const ALL_YOUNG = '--no-allocation-site-pretenuring';

const warnOfOldNode = (log: Log): void => {
  const { node: version } = process.versions;
  if (Number(version.split('.')[0]) < 22) log.warn({ version }, 'Node is past its end of life');
};

/** Of an attempt to start. */
const FIRST_WAIT_MS = SECOND / 2;
const LONGEST_WAIT_MS = 10 * SECOND;
/** Of PostgreSQL: it is there and refuses the login (28), or has no such database (3D). Waiting does not mend that. */
const REFUSED = /^(28|3D)/;

const isStoreAway = ({ databaseUrl }: Config, error: unknown): boolean =>
  error instanceof StoreUnavailable &&
  isPostgres(databaseUrl) &&
  !REFUSED.test((error.cause as { readonly code?: string } | undefined)?.code ?? '');

/** A start that fails because the database is away is made again: a supervisor could do no more, and may give up. */
const startOnceStoreIsThere = async (options: AppOptions, log: Log, ending: Ending): Promise<App> => {
  ending.of(async () => {
    log.info({}, 'stopped');
    log.flush();
  });
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      return await startApp(options);
    } catch (error) {
      if (!isStoreAway(options.config, error)) throw error;
      log.warn({ ...errorFields(error), waitMs }, 'the database is away: the start is tried again');
    }
    await setTimeout(waitMs);
  }
};

/** What a command starts. */
export interface ServerCommand {
  readonly config: Config;
  readonly options: (config: Config) => Promise<Omit<AppOptions, 'log'>>;
  readonly onReady?: (service: Pick<App, 'listenUrl' | 'managementUrl' | 'consoleUrl'>) => void;
  /** It tells people things beside its log, as the sandbox does. */
  readonly speaks?: boolean;
}

export const runServer = async ({
  config,
  options,
  onReady,
  speaks = false,
}: ServerCommand): Promise<void> => {
  const log = createLog(config.logLevel, { node: config.node });
  const ending = new Ending(log, config);
  const takeBack = logOthers(log, speaks);
  try {
    const wanted = await options(config);
    warnOfOldNode(log);
    for (const hint of unreadSettings()) log.warn({ hint }, 'a setting is not read');
    for (const flag of [HEAP_GROWTH, NO_REDUCTION, ALL_YOUNG]) setFlagsFromString(flag);
    // A developer who starts a sandbox reads at once what is wrong.
    const start = speaks ? startApp : startOnceStoreIsThere;
    const app = await start({ ...wanted, log }, log, ending);
    ending.of((delayMs) => app.close({ delayMs }));
    onReady?.(app);
  } catch (error) {
    // A start that is refused is explained to people, in words.
    takeBack();
    throw error;
  }
};

/** Throws with everything that keeps `serve` from starting before anything is opened. */
export const productionOptions = async (config: Config): Promise<AppOptions> => {
  const faults = productionFaults(config);
  if (faults.length > 0) throw new ConfigError(faults);
  return { config, ...(await loadBank(config)) };
};

/** What the command line says goes before the environment. */
export const addPortOption = (command: Command): Command =>
  command.option(
    '--port <n>',
    'port; 0 takes any free one (default: PORT, or 8080)',
    parsedBy(settings.port.parse),
  );

export const registerServe = (program: Command): void => {
  addPortOption(program.command('serve'))
    .description("run the service in production, in front of the bank's own core")
    .action(({ port }: { port?: number }) => {
      const config = { ...readConfig(), ...(port === undefined ? {} : { port }) };
      return runServer({ config, options: productionOptions });
    });
};
