/** What comes with other packages: commands, and the extension that a store was made for. */
import type { Command } from 'commander';
import { bankTimeIn, type Extension } from '../app/extension.js';
import { type BankTime, systemClock } from '../lib/clock.js';
import type { Db, Queries } from '../store/db.js';
import { extensionOf, type Migration } from '../store/migrate.js';
import type { SealedKind } from '../store/sealed-rows.js';
import { storeTime } from '../store/server-time.js';
import type { Brand } from '../web/brand/brand.js';
import { CommandError } from './output.js';

/** Adds a command to the program. */
export type Register = (program: Command) => void;

/** What a package with commands exports as `wing`. */
export interface Wing {
  readonly commands: Readonly<Record<string, () => Promise<Register>>>;
  readonly extension?: () => Promise<Extension>;
  readonly previewBrand?: (wish: PreviewWish) => Promise<string>;
}

export interface PreviewWish {
  readonly brand: Brand;
  /** With its brand.json. */
  readonly folder: string;
  /** Where the files go. */
  readonly out: string;
  readonly tell: (line: string) => void;
}

/** The package that a command comes with is not installed. */
export class MissingPackage extends CommandError {}

const load = async (name: string): Promise<Wing> => {
  try {
    return ((await import(name)) as { readonly wing: Wing }).wing;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${name}'`)) throw error;
    throw new MissingPackage(`this needs the package ${name}: docs/install.md says how to get it`);
  }
};

const sandboxWing = (): Promise<Wing> => load('@trapeza/sandbox');
const coreKit = (): Promise<Wing> => load('@trapeza/core-kit');
const conformance = (): Promise<Wing> => load('@trapeza/conformance');

const commandOf = (from: () => Promise<Wing>, name: string) => async (): Promise<Register> => {
  const register = (await from()).commands[name];
  if (!register) throw new CommandError(`there is no command ${name}`);
  return register();
};

export const wingCommands: Readonly<Record<string, () => Promise<Register>>> = {
  sandbox: commandOf(sandboxWing, 'sandbox'),
  pki: commandOf(sandboxWing, 'pki'),
  'core-simulator': commandOf(coreKit, 'core-simulator'),
  'core-check': commandOf(coreKit, 'core-check'),
  conformance: commandOf(conformance, 'conformance'),
};

export const loadSandbox = async (): Promise<Extension | undefined> => (await sandboxWing()).extension?.();

/** Returns the file to open. */
export const previewBrand = async (wish: PreviewWish): Promise<string> =>
  (await (await sandboxWing()).previewBrand?.(wish)) ?? '';

/** The extension that the store was made for. */
const extensionsIn = async (db: Queries): Promise<readonly Extension[]> => {
  const name = await extensionOf(db);
  if (name === undefined) return [];
  const extension = await loadSandbox();
  if (extension?.name !== name) throw new CommandError(`this database was made for the extension ${name}`);
  return [extension];
};

/** Of the extension that the store was made for. */
export const extensionMigrationsOf = async (db: Queries): Promise<readonly Migration[]> =>
  (await extensionsIn(db)).flatMap(({ migrations }) => migrations);

/** In the sandbox the bank's time may have been moved; in any other store it never was. */
export const bankTimeOf = async (db: Db): Promise<BankTime> => {
  const real = await storeTime(db, systemClock);
  return bankTimeIn(await extensionsIn(db), db, { ...systemClock, now: () => real })();
};

/** What the extension of this store keeps sealed. */
export const extensionSealedOf = async (db: Queries): Promise<readonly SealedKind[]> =>
  (await extensionsIn(db)).flatMap(({ sealed = [] }) => sealed);

export const findPerson = async (db: Db, name: string): Promise<string | undefined> => {
  const [extension] = await extensionsIn(db);
  return extension?.findPerson?.(db, name);
};
