/** The store of a sandbox as its first start leaves it: migrations and the demo bank. Keys, nodes and addresses are of each service. */

import { LIFE } from '../../packages/sandbox/src/bank/living/demo-life.js';
import { sandbox } from '../../packages/sandbox/src/sandbox.js';
import { startApp } from '../../src/app/app.js';
import type { Extension, ExtensionBase, OpenExtension } from '../../src/app/extension.js';
import type { Config } from '../../src/config/config.js';
import { type Clock, MINUTE } from '../../src/lib/clock.js';
import { dateAt } from '../../src/lib/day.js';
import { createLog } from '../../src/observe/log.js';
import type { Db } from '../../src/store/db.js';
import { putSetting } from '../../src/store/settings.js';
import { copyOf, type TestDatabase } from './database.js';
import type { Engine } from './engines.js';

export interface TestSandbox {
  readonly extension: Extension;
  /** After a reset, which lets the demo bank go on with the clock. */
  standStill(): Promise<void>;
}

interface Wish {
  /** Whether the demo bank goes on with the clock: days that go by take seconds, and most tests move the clock for another reason. */
  readonly isAlive?: boolean | undefined;
  /** What else the extension gives to the service. */
  readonly extend?: ((base: ExtensionBase) => OpenExtension) | undefined;
}

export const testSandbox = ({ isAlive, extend }: Wish): TestSandbox => {
  let db: Db | undefined;
  const standStill = async (): Promise<void> => {
    if (db && !isAlive) await putSetting(db, LIFE, '9999-01-01 9999-12-30');
  };
  const extension: Extension = {
    ...sandbox,
    open: async (base) => {
      const opened = await sandbox.open(base);
      db = base.db;
      await standStill();
      return { ...opened, ...extend?.(base) };
    },
  };
  return { extension, standStill };
};

class Seeded extends Error {}

/** How old a copied seed may be: what the demo bank has open ends minutes after the start. */
const FRESH_MS = 2 * MINUTE;

/** Ends the start of the service there: what comes later is of that service alone. */
const seedOnly = (wish: Wish): Extension => ({
  ...testSandbox({
    ...wish,
    extend: () => {
      throw new Seeded();
    },
  }).extension,
});

interface SeedWish {
  readonly engine: Engine;
  readonly config: Config;
  readonly clock: Clock;
  readonly isAlive?: boolean | undefined;
}

/** Undefined if the configuration asks for another bank than the demo bank alone. */
export const seededDatabase = async ({
  engine,
  config,
  clock,
  isAlive,
}: SeedWish): Promise<TestDatabase | undefined> => {
  const { secret, timeZone, demoMonths, demoVolume, testPeople, coreUrl } = config;
  if (testPeople !== undefined || coreUrl !== undefined || demoVolume > 0) return undefined;
  const day = dateAt(clock.now(), timeZone);
  const slot = Math.floor(clock.now() / FRESH_MS);
  const made = [engine, isAlive ?? false, day, slot, secret, timeZone, demoMonths];
  return copyOf(engine, made, async (url) => {
    const log = createLog('silent', { stream: { write: () => undefined } });
    const extensions = [seedOnly({ isAlive })];
    await startApp({ config: { ...config, databaseUrl: url }, extensions, clock, log }).catch(
      (error: unknown) => {
        if (!(error instanceof Seeded)) throw error;
      },
    );
  });
};
