/**
 * What keeps a service from starting. `startApp` refuses by these checks, and `trapeza doctor --start` names what they find, so both judge
 * alike. Nothing remote but the store is asked: a core or an identity provider that is away keeps no node from starting.
 */
import { missingInBank, missingInHolders } from '../bank/guard/module.js';
import { coreTlsOf } from '../bank/http/tls-files.js';
import { type Config, ConfigError } from '../config/config.js';
import { sharedPortFaults } from '../config/shared-port.js';
import { TlsFiles } from '../lib/net/tls-files.js';
import type { SigningKeys } from '../oauth/signing-keys.js';
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
  readonly faults: (started: Started) => Faults | Promise<Faults>;
}

/** Of everything but the store. */
export const settingChecks: readonly SettingCheck[] = [
  { check: 'listeners', faults: listenerFaults },
  { check: 'bank', faults: moduleFaults },
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

/** A node that cannot sign would answer 500 to every login. */
export const signingFaults = async (keys: Pick<SigningKeys, 'all' | 'canSign'>): Promise<Faults> =>
  (await keys.all()).length === 0 || keys.canSign()
    ? []
    : [
        'TRAPEZA_SECRET is not the secret that the signing keys of this database were encrypted with: use that one, or both as NEW,OLD.',
      ];
