/**
 * What keeps a service from starting. `startApp` refuses by these checks, and `trapeza doctor --start` names what they find, so both judge
 * alike. Nothing remote but the store is asked: a core or an identity provider that is away keeps no node from starting.
 */
import { missingInBank, missingInHolders } from '../bank/guard/module.js';
import { coreTlsOf } from '../bank/http/tls-files.js';
import { type Config, ConfigError } from '../config/config.js';
import { sharedPortFaults } from '../config/shared-port.js';
import { instantText } from '../lib/instant.js';
import { TlsFiles } from '../lib/net/tls-files.js';
import type { Vault } from '../lib/vault.js';
import type { KeyPurpose, SigningKeys } from '../oauth/signing-keys.js';
import type { Queries } from '../store/db.js';
import { opensAccountIds } from '../store/kept-keys.js';
import type { Brand } from '../web/brand/brand.js';
import { neutralBrand } from '../web/brand/brand.js';
import { readBrand } from '../web/brand/read-brand.js';
import type { AppOptions } from './options.js';
import { createCatalogue } from './page-texts.js';

type Started = Pick<AppOptions, 'config' | 'bank' | 'accountHolders' | 'listens'>;
type Faults = readonly string[];

export const demandNone = (faults: Faults): void => {
  if (faults.length > 0) throw new ConfigError(faults);
};

const listenerFaults = ({ config, listens = true }: Started): Faults => {
  if (listens) return sharedPortFaults(config);
  if (config.baseUrl !== undefined) return [];
  return ['BASE_URL is missing: a service without a listener does not know its address.'];
};

/** Said at the start, rather than by the first customer who needs the method. */
const moduleFaults = ({ bank, accountHolders }: Started): Faults =>
  [
    ...(bank === undefined ? [] : missingInBank(bank)),
    ...(accountHolders === undefined ? [] : missingInHolders(accountHolders)),
  ].map((each) => `${each}: docs/production-module.md shows what a bank's module has.`);

/** Throws if it cannot be shown. */
export const ownBrand = ({ brand, bankName }: Config): Brand | undefined => {
  if (brand !== undefined) return readBrand(brand, createCatalogue(), bankName);
  return bankName === undefined ? undefined : neutralBrand(bankName);
};

/** Throws if the files cannot be used. */
export const openTls = async (
  config: Config,
  listener: '' | 'OPERATOR_',
  tell: (error: unknown) => void,
): Promise<TlsFiles | undefined> => {
  const [certificate, key] =
    listener === ''
      ? [config.tlsCertificate, config.tlsKey]
      : [config.operatorTlsCertificate, config.operatorTlsKey];
  if (certificate === undefined || key === undefined) return undefined;
  return TlsFiles.open({ certificate, key }, tell).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    const names = `TRAPEZA_${listener}TLS_CERTIFICATE and TRAPEZA_${listener}TLS_KEY`;
    throw new ConfigError([`${names} cannot be used: ${why}.`]);
  });
};

const thrownBy = async (work: () => unknown): Promise<Faults> => {
  try {
    await work();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};

const unheard = (): void => undefined;

interface SettingCheck {
  readonly check: string;
  readonly faults: (started: Started) => Promise<Faults>;
}

/** Of everything but the store. */
export const settingChecks: readonly SettingCheck[] = [
  { check: 'listeners', faults: async (started) => listenerFaults(started) },
  { check: 'bank', faults: async (started) => moduleFaults(started) },
  { check: 'TRAPEZA_BRAND', faults: ({ config }) => thrownBy(() => ownBrand(config)) },
  {
    check: 'TRAPEZA_CORE_URL',
    faults: ({ config }) => thrownBy(() => config.coreUrl !== undefined && coreTlsOf(config)),
  },
  { check: 'TRAPEZA_TLS_CERTIFICATE', faults: ({ config }) => thrownBy(() => openTls(config, '', unheard)) },
  {
    check: 'TRAPEZA_OPERATOR_TLS_CERTIFICATE',
    faults: ({ config }) => thrownBy(() => openTls(config, 'OPERATOR_', unheard)),
  },
];

export const settingFaults = async (started: Started): Promise<Faults> =>
  (await Promise.all(settingChecks.map(({ faults }) => faults(started)))).flat();

const signedBy = { token: 'access tokens', webhook: 'notifications' } as const;

const CURE =
  'Set it to the secret that it was sealed under, or to both as NEW,OLD; then "trapeza secret reseal" makes the old one superfluous.';

/** A node that cannot sign would answer 500 to every login. Dates tell a wrong secret from one that was taken away too early. */
export const signingFaults = async (
  keys: Pick<SigningKeys, 'all' | 'unopened'>,
  purpose: KeyPurpose,
): Promise<Faults> => {
  const all = await keys.all();
  const each = keys.unopened().map(({ kid, activeFrom, retiredAt }) => {
    const until = retiredAt === undefined ? '' : ` until ${instantText(retiredAt)}`;
    return `${kid} (in use from ${instantText(activeFrom)}${until})`;
  });
  if (each.length === 0) return [];
  return [
    `TRAPEZA_SECRET does not open ${each.length} of ${all.length} signing key(s) for ${signedBy[purpose]}: ${each.join(', ')}. ${CURE}`,
  ];
};

export const keptKeyFaults = async (db: Queries, vault: Vault): Promise<Faults> =>
  (await opensAccountIds(db, vault))
    ? []
    : [`TRAPEZA_SECRET does not open the key that the ids of accounts are made with. ${CURE}`];
