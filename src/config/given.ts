/**
 * Where the text of a setting comes from. Any setting comes from the environment; one that holds a secret comes from exactly one of its
 * variable, the file that NAME_FILE names, and the credential NAME of systemd. Faults name neither the text nor the path: a secret that was
 * put into the wrong variable must not get into a log.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Setting } from '../lib/setting.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export type GivenBy = 'environment' | 'file' | 'credential';

type Named = Pick<Setting<unknown>, 'variable' | 'isSecret'>;

export interface Given {
  /** Undefined if it is absent. */
  readonly text?: string;
  readonly fault?: string;
}

/** A secret is short; a device has no end. */
const MOST_BYTES = 65_536;

const fileVariable = ({ variable }: Named): string => `${variable}_FILE`;

/** Every variable that a setting is read from. */
export const variablesOf = (setting: Named): readonly string[] =>
  setting.isSecret ? [setting.variable, fileVariable(setting)] : [setting.variable];

const credentialPath = ({ variable }: Named, env: Environment): string | undefined => {
  const folder = env.CREDENTIALS_DIRECTORY;
  const path = folder ? join(folder, variable) : undefined;
  return path !== undefined && existsSync(path) ? path : undefined;
};

/** Where it is given; empty if it is absent. An empty variable counts as absent. */
export const sourcesOf = (setting: Named, env: Environment): readonly GivenBy[] => {
  const sources: GivenBy[] = env[setting.variable] ? ['environment'] : [];
  if (!setting.isSecret) return sources;
  if (env[fileVariable(setting)]) sources.push('file');
  if (credentialPath(setting, env) !== undefined) sources.push('credential');
  return sources;
};

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this account may not read it',
  EPERM: 'this account may not read it',
  ENAMETOOLONG: 'there is no such file',
  ENOTDIR: 'there is no such file',
};

/** Throws what is wrong, in words. */
const readSecret = (path: string): string => {
  const stats = statSync(path);
  if (!stats.isFile()) throw new Error('it is not a file');
  if (stats.size > MOST_BYTES) throw new Error('it is too long for a secret');
  const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  if (text.trim() === '') throw new Error('it is empty');
  if (/[\0\uFFFD]/.test(text)) throw new Error('it is not text in UTF-8');
  return text;
};

const readFrom = (source: string, path: string): Given => {
  try {
    return { text: readSecret(path) };
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    return { fault: `${source} cannot be read: ${reasons[code] ?? (code || message)}.` };
  }
};

export const givenIn = (setting: Named, env: Environment): Given => {
  const { variable } = setting;
  const [source, ...more] = sourcesOf(setting, env);
  if (source === undefined) return {};
  if (more.length > 0)
    return {
      fault: `${variable} is set more than once: keep one of ${variable}, ${fileVariable(setting)} and the systemd credential ${variable}.`,
    };
  if (source === 'environment') return { text: env[variable] ?? '' };
  if (source === 'file')
    return readFrom(`The file that ${fileVariable(setting)} names`, env[fileVariable(setting)] ?? '');
  return readFrom(`The systemd credential ${variable}`, credentialPath(setting, env) ?? '');
};
