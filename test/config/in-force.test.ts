/** What people may read of the settings: everything but a secret. */
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { settingsInForce } from '../../src/config/in-force.js';
import { configurationDocument, settingsSchemaText } from '../../src/documents.js';
import { runCommand } from '../cli/program.js';

const HIDDEN = 'q3VtZ0J8yKfLw2Xn5HrPb7DcUa9GeMsT4iOx1RkYhN0';
const env = {
  TRAPEZA_SECRET: HIDDEN,
  DATABASE_URL: `postgres://bank:${HIDDEN}@db.example:5432/trapeza?sslpassword=${HIDDEN}`,
  TRAPEZA_EGRESS_PROXY: `http://us:${HIDDEN}@proxy.example:3128`,
  TRAPEZA_CORE_URL: 'https://core.example',
  TRAPEZA_CORE_TOKEN: HIDDEN,
  TRAPEZA_CORE_NEWS_TOKEN: HIDDEN,
  TRAPEZA_LOGIN_ISSUER: 'https://login.example',
  TRAPEZA_LOGIN_CLIENT_ID: 'trapeza',
  TRAPEZA_LOGIN_CLIENT_SECRET: HIDDEN,
  PORT: '9000',
};

it('shows each setting with its value and source, and no secret', () => {
  const rows = settingsInForce({ ...readConfig(env), databasePool: 3 }, env);
  expect(JSON.stringify(rows)).not.toContain(HIDDEN);
  const rowOf = (variable: string) => {
    const { value, source } = rows.find((each) => each.variable === variable) ?? {};
    return [value, source];
  };
  expect(rowOf('TRAPEZA_SECRET')).toEqual(['•••', 'environment']);
  expect(rowOf('DATABASE_URL')).toEqual([
    'postgres://bank:•••@db.example:5432/trapeza?sslpassword=•••',
    'environment',
  ]);
  expect(rowOf('PORT')).toEqual(['9000', 'environment']);
  expect(rowOf('TRAPEZA_DATABASE_POOL')).toEqual(['3', 'program']);
  expect(rowOf('HOST')).toEqual(['127.0.0.1', 'default']);
  expect(rowOf('TRAPEZA_LOGIN_ISSUER')).toEqual(['https://login.example/', 'environment']);
  expect(rows.every(({ doc }) => doc.length > 10)).toBe(true);
});

it('says of each setting in the same way whom it is for, wherever it is shown', () => {
  const rows = settingsInForce(readConfig(env), env);
  const namesIn = (areExpert: boolean): string[] =>
    rows.filter(({ isExpert }) => isExpert === areExpert).map(({ variable }) => variable);
  const [, forBanks = '', forExperts = ''] = configurationDocument().split(/^## /m);
  const documented = (part: string): string[] =>
    [...part.matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name);
  expect([documented(forBanks), documented(forExperts)]).toEqual([namesIn(false), namesIn(true)]);
  const { properties } = JSON.parse(settingsSchemaText()) as {
    properties: Readonly<Record<string, { 'x-expert'?: boolean }>>;
  };
  for (const { variable, isExpert } of rows)
    expect(properties[variable]?.['x-expert'] ?? false).toBe(isExpert);
  // As many as a person reads.
  expect(namesIn(false).length).toBeLessThanOrEqual(30);
});

it('has a doctor who names what an expert has changed', async () => {
  const { stdout } = await runCommand(['doctor', '--sandbox', '--json'], {
    env: { TRAPEZA_DRAIN_MS: '20000', TRAPEZA_BANK_NAME: 'Bank', TRAPEZA_DEMO_MONTHS: undefined },
  });
  const findings = JSON.parse(stdout) as readonly { check: string; verdict: string; detail: string }[];
  expect(findings.find(({ check }) => check === 'experts')).toEqual({
    check: 'experts',
    verdict: 'ok',
    detail: 'settings for experts that are changed: TRAPEZA_DRAIN_MS',
  });
});
