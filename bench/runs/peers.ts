/** The funds confirmation beside other programs in one run: a mock of the contract, and an app as it is usually written. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { tempFolder } from '../endings.js';
import { freePort } from '../free-port.js';
import { askOnce } from '../load/open-loop.js';
import type { Options } from '../options.js';
import { type Program, root, start, startUsual } from '../programs.js';
import type { Part, PeerRow } from '../report/result.js';
import { type Contestant, race, ratioOf } from './rounds.js';
import { floorOf, type Staged, stageOf } from './stage.js';

const PATH = '/piis/psd2/v1/funds-confirmations';
const PRISM = '@stoplight/prism-cli@5.14.2';
const KYSELY = 'kysely@0.28.18';
const INSTALLING_MS = 300_000;

const execute = promisify(execFile);

/**
 * The folder of its modules, beside the built benchmark: what a run has installed the next one finds. Undefined without a network: what
 * could not be installed is left out, and the run says so.
 */
const install = async (wanted: string): Promise<string | undefined> => {
  const folder = join(root, '.bench/peers', wanted.replaceAll('/', '-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  console.error(`installing ${wanted}`);
  try {
    const flags = [
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--no-save',
      '--prefer-offline',
      '--silent',
    ];
    await execute('npm', ['install', ...flags, wanted], { cwd: folder, timeout: INSTALLING_MS });
    return join(folder, 'node_modules');
  } catch (error) {
    console.error(`${wanted} could not be installed and is left out: ${String(error).slice(0, 300)}`);
    return undefined;
  }
};

/** The document with the one operation, as it is asked for. */
const oneOperation = (): string => {
  const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as {
    paths: Record<string, unknown>;
  };
  const file = join(tempFolder('bench-document'), 'openapi.json');
  writeFileSync(file, JSON.stringify({ ...document, paths: { [PATH]: document.paths[PATH] } }));
  return file;
};

const LOOK_MS = 50;
const STARTING_MS = 60_000;

/** Without a line for each request it does not say either where it listens. */
const startPrism = async (modules: string): Promise<Program> => {
  const port = await freePort();
  const program = join(modules, '@stoplight/prism-cli/dist/index.js');
  const started = await start({
    command: [process.execPath, program, 'mock', '-v', 'silent', '-p', String(port), oneOperation()],
    address: /Starting Prism/,
  });
  const url = `http://127.0.0.1:${port}`;
  const until = performance.now() + STARTING_MS;
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  ) {
    if (performance.now() > until) throw new Error('Prism does not answer');
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return { ...started, url };
};

/** What the usual app needs, from the rows that the service has. */
const TABLES = `
create schema usual;
create table usual.api_keys as
  select 'bench-primary-key-' || i as key, 'bench-' || i as client_id from generate_series(0, 49) i;
alter table usual.api_keys add primary key (key);
create table usual.consents as
  select c.id, c.client_id, c.psu_id, c.status, a.iban, a.account_id
  from consents c join consent_accounts a on a.consent_id = c.id where c.kind = 'ConfirmationOfFunds' and c.client_id like 'bench-%';
alter table usual.consents add primary key (id);
create index on usual.consents (psu_id, client_id);
create table usual.accounts as select id, booked_minor, pending_minor, credit_minor from demo_accounts;
alter table usual.accounts add primary key (id);
create table usual.funds_records (
  id uuid primary key default gen_random_uuid(), request_id uuid not null unique, consent_id text not null,
  amount_minor bigint not null, funds_available boolean not null, answered_at timestamptz not null default now()
);
analyze;
`;

const startUsualOn = async ({ databaseUrl, program }: Staged, modules: string): Promise<Program> => {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query(TABLES);
  } finally {
    await client.end();
  }
  const builder = pathToFileURL(join(modules, 'kysely/dist/esm/index.js')).href;
  return startUsual([builder, databaseUrl, `${program.url}/oauth/jwks`]);
};

const contestants = async (): Promise<Contestant[]> => {
  const embedded = await stageOf({ engine: 'sqlite' });
  const postgres = await stageOf({ engine: 'postgres' });
  const [set, postgresSet] = [embedded.setOf('funds'), postgres.setOf('funds')];
  const all: Contestant[] = [
    { name: 'bare POST', program: await floorOf(['bare', 'post']), set },
    { name: 'Trapeza, embedded', program: embedded.program, set },
    { name: 'Trapeza, PostgreSQL', program: postgres.program, set: postgresSet },
  ];
  const kysely = await install(KYSELY);
  if (kysely)
    all.push({
      name: 'Fastify, Kysely, PostgreSQL',
      program: await startUsualOn(postgres, kysely),
      set: postgresSet,
    });
  const prism = await install(PRISM);
  if (prism) all.push({ name: 'Prism mock', program: await startPrism(prism), set });
  return all;
};

/** A peer that refuses would be fast for nothing. */
const check = async ({ name, program, set }: Contestant): Promise<void> => {
  const [first] = set.requests;
  const asked = first && (await askOnce(program.url, first));
  if (asked?.status !== 200) throw new Error(`${name} answered with ${asked?.status}`);
};

export const measurePeers = async (options: Options): Promise<Part<PeerRow>> => {
  const { rounds, seconds, connections } = options;
  const all = await contestants();
  for (const each of all) await check(each);
  const raced = await race(all, options);
  const [bare] = raced;
  const rows = raced.map(({ samples, ...figures }, index) => ({
    ...figures,
    name: all[index]?.name ?? '',
    ratio: bare ? ratioOf({ samples, ...figures }, bare) : 0,
    cpuRatio: bare ? ratioOf(bare, { samples, ...figures }, 'cpuUs') : 0,
  }));
  return { takenAt: new Date().toISOString(), rounds, seconds, connections, rows };
};
