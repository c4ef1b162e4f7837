/** Secrets from files and systemd credentials: one mechanism for every setting that holds one, and no fault tells what is in a file. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, productionFaults, readConfig, settings } from '../../src/config/config.js';
import { settingsInForce } from '../../src/config/in-force.js';
import { faultsOf } from '../lib/setting-cases.js';
import { newFolder } from '../support/places.js';
import { testSecret } from '../support/service.js';

/** What each setting with a secret takes, and what must be set beside it. */
const values: Readonly<Record<string, { value: string; beside?: Environment }>> = {
  DATABASE_URL: { value: 'postgres://trapeza:word@db.bank.example/trapeza' },
  TRAPEZA_SECRET: { value: testSecret },
  TRAPEZA_CORE_TOKEN: { value: 'token-of-the-core' },
  TRAPEZA_CORE_NEWS_TOKEN: { value: 'token-of-the-news-of-the-core' },
  TRAPEZA_LOGIN_CLIENT_SECRET: {
    value: 'secret-at-the-provider',
    beside: { TRAPEZA_LOGIN_ISSUER: 'https://login.bank.example', TRAPEZA_LOGIN_CLIENT_ID: 'trapeza' },
  },
  TRAPEZA_EGRESS_PROXY: { value: 'http://user:word@proxy.bank.example:3128' },
};

const all = Object.entries(settings).map(([name, each]) => ({
  name: name as keyof typeof settings,
  ...each,
  isSecret: 'isSecret' in each,
}));
const secrets = all.filter(({ isSecret }) => isSecret);
const textOf = (variable: string): string => values[variable]?.value ?? '';
const besideOf = (variable: string): Environment => values[variable]?.beside ?? {};

/** Root may read every file. */
const NOBODY = 65_534;

let folder = '';
const fileWith = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
};

beforeAll(() => {
  folder = newFolder('secrets');
});

it('are all settings whose value nobody may read', () => {
  expect(secrets.map(({ variable }) => variable).sort()).toEqual(Object.keys(values).sort());
  const isPathOrPublic = /^TRAPEZA_(TLS|OPERATOR_TLS|CORE_CLIENT)_KEY$|^TRAPEZA_TRUST_LIST_SIGNERS$/;
  for (const { variable, isSecret } of all)
    if (/SECRET|TOKEN|KEY|PASSWORD|SIGNERS/.test(variable) && !isPathOrPublic.test(variable))
      expect(isSecret, variable).toBe(true);
});

describe.each(secrets)('$variable', ({ name, variable }) => {
  const value = textOf(variable);
  const beside = besideOf(variable);

  it.each([
    ['without a line feed', ''],
    ['with one', '\n'],
    ['with one of Windows', '\r\n'],
  ])('comes from a file, %s', (_, end) => {
    const env = { ...beside, [`${variable}_FILE`]: fileWith(variable, value + end) };
    expect(readConfig(env)[name]).toBe(value);
    expect(settingsInForce(readConfig(env), env).find((each) => each.variable === variable)?.source).toBe(
      'file',
    );
  });

  it('comes from a systemd credential', () => {
    const credentials = join(folder, `credentials-${variable}`);
    mkdirSync(credentials);
    writeFileSync(join(credentials, variable), `${value}\n`);
    const env = { ...beside, CREDENTIALS_DIRECTORY: credentials };
    expect(readConfig(env)[name]).toBe(value);
    expect(settingsInForce(readConfig(env), env).find((each) => each.variable === variable)?.source).toBe(
      'credential',
    );
    const twice = faultsOf({ ...env, [variable]: value });
    expect(twice.join('\n')).toContain(`${variable} is set more than once`);
    expect(twice.join('\n')).not.toContain(value);
  });

  it('is refused if it is given twice', () => {
    const env = { ...beside, [variable]: value, [`${variable}_FILE`]: fileWith(variable, value) };
    const faults = faultsOf(env).join('\n');
    expect(faults).toContain(`${variable} is set more than once: keep one of ${variable}, ${variable}_FILE`);
    expect(faults).not.toContain(value);
  });
});

describe('a file', () => {
  const faultFor = (path: string): string => faultsOf({ TRAPEZA_SECRET_FILE: path }).join('\n');

  it('may be a link, as those of Kubernetes are', () => {
    const link = join(folder, 'link');
    symlinkSync(fileWith('target', testSecret), link);
    expect(readConfig({ TRAPEZA_SECRET_FILE: link }).secret).toBe(testSecret);
  });

  it('keeps every line feed but the last', () => {
    const path = fileWith('blanks', ` ${testSecret} \n\n`);
    expect(readConfig({ TRAPEZA_SECRET_FILE: path }).secret).toBe(` ${testSecret} \n`);
  });

  it.each([
    ['that is not there', () => join(folder, 'none'), 'there is no such file'],
    ['that is a folder', () => folder, 'it is not a file'],
    ['that is a device', () => '/dev/zero', 'it is not a file'],
    ['that is empty', () => fileWith('empty', ''), 'it is empty'],
    ['with a line feed alone', () => fileWith('line', '\n'), 'it is empty'],
    ['that is long', () => fileWith('long', 'x'.repeat(70_000)), 'it is too long for a secret'],
    ['with bytes', () => fileWith('bytes', Buffer.from([0xff, 0xfe, 0x80, 0x81])), 'it is not text in UTF-8'],
    // Somebody put the secret itself into the wrong variable.
    ['named by the secret', () => testSecret, 'there is no such file'],
  ])('%s is refused in words', (_, pathOf, words) => {
    const path = pathOf();
    const fault = faultFor(path);
    expect(fault).toBe(`The file that TRAPEZA_SECRET_FILE names cannot be read: ${words}.`);
    expect(fault).not.toContain(path);
  });

  it('of another account is refused in words', () => {
    const path = fileWith('closed', testSecret);
    chmodSync(path, 0);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(NOBODY);
    try {
      expect(faultFor(path)).toContain('this account may not read it');
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it('with a bad value is refused without the value', () => {
    const fault = faultFor(fileWith('short', 'S3cr3t-V4lue'));
    expect(fault).toContain('TRAPEZA_SECRET must have at least 32 characters.');
    expect(fault).not.toContain('S3cr3t');
  });

  it('counts as absent if its variable is empty, and no other setting has one', () => {
    expect(readConfig({ TRAPEZA_SECRET_FILE: '' }).secret).toBeUndefined();
    expect(faultsOf({ TRAPEZA_CORE_URL_FILE: '/x' }).join('\n')).toContain(
      'TRAPEZA_CORE_URL_FILE is not a setting',
    );
    expect(faultsOf({ TRAPEZA_SECRET_FIEL: '/x' }).join('\n')).toContain('did you mean TRAPEZA_SECRET_FILE?');
  });

  it('is enough for production', () => {
    const env = { DATABASE_URL_FILE: fileWith('url', 'postgres://db.bank.example/trapeza') };
    expect(productionFaults(readConfig(env), env).join('\n')).not.toContain('DATABASE_URL');
    expect(productionFaults(readConfig({}), {}).join('\n')).toContain('DATABASE_URL is missing');
  });
});
