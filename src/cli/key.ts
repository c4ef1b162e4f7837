/** `trapeza key`: subscriptions and their two keys; `trapeza signing-key`: the keys that sign access tokens and notifications. */
import { type Command, Option } from 'commander';
import { systemClock } from '../lib/clock.js';
import { instantText } from '../lib/instant.js';
import { Vault } from '../lib/vault.js';
import {
  type KeyPurpose,
  keyPurposes,
  type SigningAlgorithm,
  SigningKeys,
  signingAlgorithms,
} from '../oauth/signing-keys.js';
import * as acts from '../tpp/acts.js';
import { type IssuedKey, type QuotaWish, type Slot, slots } from '../tpp/registry.js';
import { addDerived } from './derived.js';
import {
  CommandError,
  type JsonFlag,
  namesIn,
  parsedBy,
  print,
  printJson,
  printOutcome,
  printTable,
} from './output.js';
import { type ReasonFlag, withAdmin, withMigratedDb, withReason } from './store.js';

const wholeNumber = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new CommandError(`"${text}" is not a whole number greater than 0`);
  return Number(text);
};

const readQuota = (text: string): number | null => {
  if (text === 'default') return null;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error('a whole number greater than 0, or default');
  return Number(text);
};

const printKeys = (keys: readonly IssuedKey[]): void => {
  for (const { slot, key, id } of keys) print(`${slot.padEnd(10)} ${key}   (key id ${id}, shown only now)`);
};

interface CreateOptions extends ReasonFlag {
  readonly application: string;
  readonly products?: string;
  readonly quotaPerMinute?: number;
  readonly quotaPerDay?: number;
  readonly json?: boolean;
}

const create = (options: CreateOptions): Promise<void> =>
  withAdmin(async (admin) => {
    const { application: clientId, products, quotaPerMinute, quotaPerDay } = options;
    const wanted = {
      clientId,
      ...(products === undefined ? {} : { products: namesIn(products) }),
      ...(quotaPerMinute === undefined ? {} : { quotaPerMinute }),
      ...(quotaPerDay === undefined ? {} : { quotaPerDay }),
    };
    const made = await admin.createSubscription(wanted);
    if (options.json) return printJson(made);
    print(`Subscription ${made.subscriptionId} for ${made.products.join(', ')}`);
    printKeys(made.keys);
  }, options);

export const registerKey = (program: Command): void => {
  const key = program
    .command('key')
    .description('subscriptions and their keys: create, list, quota, roll, suspend, resume');
  withReason(key.command('create'))
    .description('create a subscription of an application, with a primary and a secondary key')
    .requiredOption('--application <clientId>', 'client id of the application')
    .option(
      '--products <list>',
      'piis, opendata, ais, pis, separated by commas (default: what the roles allow)',
    )
    .option('--quota-per-minute <n>', 'requests a minute', wholeNumber)
    .option('--quota-per-day <n>', 'requests a day', wholeNumber)
    .option('--json', 'print JSON')
    .action(create);
  const limit = 'whole number, or default: as the bank says for everybody';
  withReason(key.command('quota'))
    .description('set the quota of a subscription; acts within five seconds, a lower one at the next grant')
    .argument('<subscriptionId>', 'id of the subscription, from trapeza key list')
    .option('--per-minute <n>', `requests a minute: ${limit}`, parsedBy(readQuota))
    .option('--per-day <n>', `requests a day: ${limit}`, parsedBy(readQuota))
    .option('--json', 'print JSON')
    .action((id: string, { perMinute, perDay, ...flags }: QuotaWish & JsonFlag & ReasonFlag) =>
      withAdmin(async (admin) => {
        if (perMinute === undefined && perDay === undefined)
          throw new CommandError('give --per-minute, --per-day or both');
        await admin.setQuota(id, { perMinute, perDay });
        const line = `The quota of subscription ${id} is set. All nodes know it within five seconds.`;
        printOutcome(flags, { subscriptionId: id, perMinute, perDay }, line);
      }, flags),
    );
  key
    .command('list')
    .description('list keys, without the keys themselves: only their hashes are stored')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      withAdmin(async (admin) => {
        const rows = (await admin.keys()).map((row) => ({ ...row, createdAt: instantText(row.createdAt) }));
        if (options.json) printJson(rows);
        else printTable(rows, 'There are no keys yet: trapeza key create --help');
      }),
    );
  withReason(key.command('roll'))
    .description('replace one key of a subscription; the other one keeps working')
    .argument('<subscriptionId>', 'id of the subscription')
    .addOption(new Option('--slot <slot>', 'which of the two').choices([...slots]).makeOptionMandatory())
    .option('--json', 'print JSON')
    .action((id: string, options: { slot: Slot; json?: boolean } & ReasonFlag) =>
      withAdmin(async (admin) => {
        const made = await admin.rollKey(id, { slot: options.slot });
        if (options.json) printJson(made);
        else printKeys([made]);
      }, options),
    );
  addDerived(key, acts);
};

const listSigningKeys = (options: { json?: boolean }): Promise<void> =>
  withMigratedDb(async (db, config) => {
    const vault = new Vault(config.secret ?? '');
    const ofPurpose = async (purpose: KeyPurpose) =>
      (await new SigningKeys(db, vault, systemClock, purpose).all()).map((key) => ({ ...key, purpose }));
    const keys = (await Promise.all(keyPurposes.map(ofPurpose))).flat();
    const rows = keys.map(({ kid, purpose, algorithm, activeFrom, retiredAt }) => ({
      kid,
      purpose,
      algorithm,
      activeFrom: instantText(activeFrom),
      retiredAt: retiredAt === undefined ? '' : instantText(retiredAt),
    }));
    if (options.json) printJson(rows);
    else printTable(rows, 'There are no signing keys yet: the service makes the first one when it starts.');
  });

interface RollFlags extends JsonFlag, ReasonFlag {
  readonly algorithm: SigningAlgorithm;
  readonly purpose: KeyPurpose;
}

const rollSigningKey = (options: RollFlags): Promise<void> =>
  withAdmin(async (admin, config) => {
    const { algorithm, purpose } = options;
    if (!config.secret) throw new CommandError('TRAPEZA_SECRET is missing: it encrypts the new key');
    if (purpose === 'webhook' && algorithm !== 'ES256')
      throw new CommandError('notifications are signed with ES256 only');
    const made = await admin.rollSigningKey({ purpose, algorithm });
    const activeFrom = instantText(made.activeFrom);
    const line = `Signing key ${made.kid} is published and will be used from ${activeFrom}.`;
    printOutcome(options, { kid: made.kid, purpose, algorithm, activeFrom }, line);
  }, options);

export const registerSigningKey = (program: Command): void => {
  const signing = program
    .command('signing-key')
    .description('the keys that sign access tokens and notifications: list, roll');
  signing
    .command('list')
    .description('list signing keys')
    .option('--json', 'print JSON')
    .action(listSigningKeys);
  withReason(signing.command('roll'))
    .description(
      'publish the next signing key; it is used a little later, the old one is kept until what it signed is gone',
    )
    .addOption(
      new Option('--purpose <name>', 'what the key signs').choices([...keyPurposes]).default('token'),
    )
    .addOption(
      new Option('--algorithm <name>', 'signature algorithm')
        .choices([...signingAlgorithms])
        .default('ES256'),
    )
    .option('--json', 'print JSON')
    .action(rollSigningKey);
};
