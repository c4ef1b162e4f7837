/** The settings as this process uses them, for people to read: secrets are never among them. */
import type { Setting } from '../lib/setting.js';
import { type Config, type Environment, environment, isExpert, settings } from './config.js';
import { type GivenBy, sourcesOf } from './given.js';

export interface SettingInForce {
  readonly variable: string;
  /** Empty if it has no value. */
  readonly value: string;
  /** `program`: by the command line, the sandbox or the program that embeds the service. */
  readonly source: 'default' | 'program' | GivenBy;
  readonly doc: string;
  /** Its default is right nearly everywhere. */
  readonly isExpert: boolean;
}

const MASK = '•••';
/** By name, so that a new one is masked too. */
const SECRET = /(SECRET|TOKEN|KEY|PASSWORD|SIGNERS)$/;
/** Their default depends on other settings. */
const computed: readonly string[] = ['DATABASE_URL', 'TRAPEZA_STATEMENT_MS', 'TRAPEZA_OPERATOR_PORT'];

/** An address without its password, and without the values of its query, which may be one. */
const maskedAddress = (text: string): string => {
  if (!URL.canParse(text)) return MASK;
  const { protocol, username, password, host, pathname, searchParams } = new URL(text);
  const user = username === '' && password === '' ? '' : `${username}${password === '' ? '' : `:${MASK}`}@`;
  const query = [...searchParams.keys()].map((name) => `${name}=${MASK}`).join('&');
  return `${protocol}//${user}${host}${pathname}${query === '' ? '' : `?${query}`}`;
};

const shown = (variable: string, value: unknown): string => {
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
  if (text === '') return '';
  if (SECRET.test(variable)) return MASK;
  return text.includes('://') ? text.split(', ').map(maskedAddress).join(', ') : text;
};

export const settingsInForce = (
  config: Config,
  env: Environment = environment(),
): readonly SettingInForce[] =>
  (Object.entries(settings) as [keyof Config, Setting<unknown>][]).map(([name, each]) => {
    const { variable, fallback, doc } = each;
    const value = config[name];
    const isDefault = String(value) === String(fallback) || computed.includes(variable);
    const [given = isDefault ? 'default' : 'program'] = sourcesOf(each, env);
    return { variable, value: shown(variable, value), source: given, doc, isExpert: isExpert(name) };
  });
