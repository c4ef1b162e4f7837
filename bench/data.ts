/**
 * A store with as many account holders as wanted: each has an account and two consents of one of many applications. Rows are
 * made by the database itself, so that two million of them are a matter of a minute; ids are scattered as random ones are.
 */
import { SignJWT } from 'jose';
import { systemClock } from '#trapeza/lib/clock.js';
import { Vault } from '#trapeza/lib/vault.js';
import { SigningKeys } from '#trapeza/oauth/signing-keys.js';
import type { Db } from '#trapeza/store/db.js';
import { createApplication, createSubscription, createTpp } from '#trapeza/tpp/registry.js';
import { BASE_URL, secret } from './programs.js';

const APPLICATIONS = 50;
/** As many differ in one run; they are spread over all rows. */
const SAMPLE = 5000;

interface Person {
  readonly psuId: string;
  readonly clientId: string;
  readonly key: string;
  readonly iban: string;
  readonly accessId: string;
}

export interface Dataset {
  readonly people: readonly Person[];
}

const SCATTER = 2_654_435_761n;

/** The same text as the SQL below makes. */
const idOf = (row: number, kind: number): string => {
  const n = BigInt(row) * 8n + BigInt(kind);
  const hex = (value: bigint, width: number): string => value.toString(16).padStart(width, '0');
  const scattered = hex((n * SCATTER) & 0xffffffffn, 8);
  return `${scattered}-${hex(n & 0xffffn, 4)}-4000-8000-${hex(n, 12)}`;
};

const sqlite = {
  rows: 'with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)',
  id: (kind: number) =>
    `printf('%08x-%04x-4000-8000-%012x', ((i * 8 + ${kind}) * 2654435761) & 4294967295, (i * 8 + ${kind}) & 65535, i * 8 + ${kind})`,
  digits: `printf('%010d', i)`,
  two: (value: string) => `printf('%02d', ${value})`,
};
const postgres = {
  rows: 'with n(i) as (select generate_series(1, cast(? as bigint)))',
  id: (kind: number) =>
    `lpad(to_hex(((i * 8 + ${kind}) * 2654435761) & 4294967295), 8, '0') || '-' || lpad(to_hex((i * 8 + ${kind}) & 65535), 4, '0') || '-4000-8000-' || lpad(to_hex(i * 8 + ${kind}), 12, '0')`,
  digits: `lpad(cast(i as text), 10, '0')`,
  two: (value: string) => `lpad(cast(${value} as text), 2, '0')`,
};

const dialectOf = (engine: Db['engine']): typeof sqlite => (engine === 'sqlite' ? sqlite : postgres);

/** A Greek number of bank 999, branch 0002, whose last ten digits are the row. */
const PREFIX = '9990002000000';
const remainder = (digits: string): number => Number(BigInt(digits) % 97n);
const FIXED = remainder(`${PREFIX}0000000000162700`);
const STEP = remainder('1000000');

const ibanOf = (row: number): string => {
  const check = 98 - ((FIXED + (row % 97) * STEP) % 97);
  return `GR${String(check).padStart(2, '0')}${PREFIX}${String(row).padStart(10, '0')}`;
};

const kinds = { account: 0, psu: 1, funds: 2, access: 3 } as const;

const DETAILS = {
  ConfirmationOfFunds: '{"cardInformation":"Debit card"}',
  AccountAccess: '{"permissions":["AccountsBasic","Balances"],"recurring":true,"frequencyPerDay":4}',
} as const;

const ibanIn = (own: typeof sqlite): string =>
  `'GR' || ${own.two(`98 - ((${FIXED} + (i % 97) * ${STEP}) % 97)`)} || '${PREFIX}' || ${own.digits}`;

/** Account holders and accounts of the demo bank. */
const fillBank = async (db: Db, count: number): Promise<void> => {
  const own = dialectOf(db.engine);
  const iban = ibanIn(own);
  const run = (sql: string) => db.run(sql, [count]);
  await run(`insert into demo_accounts (id, iban, currency, name, product, status, booked_minor, pending_minor, credit_minor)
    ${own.rows} select ${own.id(kinds.account)}, ${iban}, 'EUR', 'Current', 'Current account', 'enabled',
    100000 + i % 900000, 500, 0 from n`);
  await run(`insert into demo_psus (id, username, name)
    ${own.rows} select ${own.id(kinds.psu)}, 'bench-' || i, 'Bench' from n`);
  await run(`insert into demo_holders (account_id, psu_id)
    ${own.rows} select ${own.id(kinds.account)}, ${own.id(kinds.psu)} from n`);
};

const fillConsents = async (db: Db, count: number): Promise<void> => {
  const own = dialectOf(db.engine);
  const iban = ibanIn(own);
  const run = (sql: string) => db.run(sql, [count]);
  const consents = [
    ['ConfirmationOfFunds', kinds.funds],
    ['AccountAccess', kinds.access],
  ] as const;
  for (const [kind, number] of consents) {
    const id = own.id(number);
    await run(`insert into consents (id, kind, client_id, psu_id, status, created_at, details)
      ${own.rows} select ${id}, '${kind}', 'bench-' || (i % ${APPLICATIONS}), ${own.id(kinds.psu)}, 'Valid',
      ${Date.now() - 86_400_000} + i % 80000000, '${DETAILS[kind]}' from n`);
    await run(`insert into consent_accounts (consent_id, position, account_id, iban, currency)
      ${own.rows} select ${id}, 0, ${own.id(kinds.account)}, ${iban}, 'EUR' from n`);
  }
};

const addApplications = (db: Db): Promise<void> =>
  db.transaction(async (tx) => {
    for (let number = 0; number < APPLICATIONS; number += 1) {
      const roles = ['PSP_IC', 'PSP_AI', 'PSP_PI'];
      const tppId = await createTpp(
        tx,
        { name: `Bench ${number}`, registration: `PSDGR-BOG-B${number}`, roles },
        Date.now(),
      );
      const clientId = `bench-${number}`;
      await createApplication(tx, { clientId, tppId, name: clientId, redirectUris: [] }, Date.now());
      const keys = { primary: `bench-primary-key-${number}`, secondary: `bench-secondary-key-${number}` };
      await createSubscription(tx, { clientId, keys }, Date.now());
    }
  });

/** The service has made its tables before. */
export const fillStore = async (db: Db, count: number, hasDemoBank: boolean): Promise<Dataset> => {
  await addApplications(db);
  // Rows in a scattered order: with all of them in memory each page is written once.
  if (db.engine === 'sqlite') await db.script('pragma cache_size = -4000000; pragma synchronous = off');
  if (hasDemoBank) await fillBank(db, count);
  await fillConsents(db, count);
  // PostgreSQL keeps statistics by itself, some time later. SQLite is left without: with samples at hand it would plan anew for
  // every value that is bound.
  await db.script(db.engine === 'sqlite' ? 'pragma wal_checkpoint(truncate)' : 'analyze');
  const step = Math.max(1, Math.floor(count / SAMPLE));
  const people = Array.from({ length: Math.min(SAMPLE, count) }, (_each, index) => {
    const number = 1 + index * step;
    return {
      psuId: idOf(number, kinds.psu),
      clientId: `bench-${number % APPLICATIONS}`,
      key: `bench-primary-key-${number % APPLICATIONS}`,
      iban: ibanOf(number),
      accessId: idOf(number, kinds.access),
    };
  });
  return { people };
};

const HOURS = 6;

/** One for each account holder that is asked about; signed by the service's own key. */
export const tokensFor = async (db: Db, { people }: Dataset): Promise<string[]> => {
  const keys = new SigningKeys(db, new Vault(secret), systemClock);
  await keys.ensure();
  const { key, privateKey } = await keys.current();
  const now = Math.floor(Date.now() / 1000);
  return Promise.all(
    people.map(({ psuId, clientId }) =>
      new SignJWT({ client_id: clientId, scope: 'piis ais pis' })
        .setProtectedHeader({ alg: key.algorithm, kid: key.kid, typ: 'at+jwt' })
        .setIssuer(BASE_URL)
        .setAudience(BASE_URL)
        .setSubject(psuId)
        .setJti(crypto.randomUUID())
        .setIssuedAt(now)
        .setExpirationTime(now + HOURS * 3600)
        .sign(privateKey),
    ),
  );
};
