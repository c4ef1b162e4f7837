/**
 * Every user of TRAPEZA_SECRET. Of three versions any may be the first one of a node: what one node makes, every other accepts as
 * long as it lists that version. A file that uses the secret and is not in a list here fails the first test.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cursor, openCursor, sealCursor } from '../../src/api/ais/reads/cursor.js';
import { AuditLog } from '../../src/audit/audit-log.js';
import { verifyAudit } from '../../src/audit/verify.js';
import { KnownDevices } from '../../src/gate/guard/known-devices.js';
import type { PageRequest } from '../../src/http/pages.js';
import { systemClock } from '../../src/lib/clock.js';
import { Vault } from '../../src/lib/vault.js';
import { Nonces } from '../../src/oauth/binding/nonces.js';
import type { Db } from '../../src/store/db.js';
import { keepKeys, pairwiseKey } from '../../src/store/kept-keys.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { hasLoginToken, loginToken } from '../../src/web/form-token.js';
import { codeOf, filesUnder } from '../lib/source.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { pageRequest } from '../web/support.js';

/** They make and check by the secret's own keys; each has a walk below. */
const walked = [
  'packages/sandbox/src/demo-consents.ts',
  'src/admin/cut-over/check-consents.ts',
  'src/api/piis/confirm-funds.ts',
  'src/api/piis/create-funds-consent.ts',
  'src/app/binding.ts',
  'src/audit/audit-log.ts',
  'src/gate/guard/guard.ts',
  'src/gate/guard/known-devices.ts',
  'src/store/kept-keys.ts',
  'src/web/form-token.ts',
];
/** What they make is never checked: hashes for the log. */
const madeOnly = ['src/app/foundation.ts'];
/** What they seal is opened by every listed version: the vault alone decides it (`test/lib/vault.test.ts`). */
const sealing = [
  'packages/sandbox/src/pki/sandbox-authority.ts',
  'packages/sandbox/src/tpp/walks.ts',
  'src/admin/operators.ts',
  'src/api/ais/reads/cursor.ts',
  'src/bank/openid/openid-login.ts',
  'src/bank/openid/step-up.ts',
  'src/oauth/signing-keys.ts',
  'src/psu/sent-codes.ts',
  'src/store/sealed-rows.ts',
];
/** Of these the rows stay, so they are described for `trapeza secret` and the doctor. */
const atRest = [
  'packages/sandbox/src/pki/sandbox-authority.ts',
  'packages/sandbox/src/tpp/walks.ts',
  'src/admin/operators.ts',
  'src/oauth/signing-keys.ts',
  'src/psu/sent-codes.ts',
  'src/store/kept-keys.ts',
];

const files = [...filesUnder('src'), ...filesUnder('packages/sandbox/src')];
const calling = (pattern: RegExp): string[] =>
  files.flatMap((file) => (pattern.test(codeOf(file)) ? [file.path] : [])).sort();

const [A, B, C] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)] as const;
/** As a node lists them in the course of a change, and after the next one. */
const listings = [`${A},${B}`, `${B},${A}`, `${C},${B},${A}`, `${B},${C},${A}`];

const site = { baseUrl: 'https://bank.example' };

interface Walk {
  readonly name: string;
  /** What another node is given. */
  make(vault: Vault): unknown;
  accepts(vault: Vault, made: never): boolean;
}

const walkOf = <T>(
  name: string,
  make: (vault: Vault) => T,
  accepts: (vault: Vault, made: T) => boolean,
): Walk => ({ name, make, accepts });

const withCookie = ({ name, value }: { name: string; value: string }, query = {}): PageRequest => ({
  ...pageRequest,
  query,
  cookies: { [`__Host-${name}`]: value },
});

const ownerUnder = (vault: Vault) =>
  ({ audience: 'holder', names: vault.marks('security-event', 'login:holder:anna') }) as const;

const read = { consentId: 'c' as Cursor['consentId'], resourceId: 'r', at: 5 };
const cursor = {
  ...read,
  ...{ from: '2026-01-01', to: '2026-02-01', bookingStatus: 'booked', limit: 10, page: 2, madeAt: 1 },
  after: 'next',
} as unknown as Cursor;

const doesNotThrow = (work: () => unknown): boolean => {
  try {
    work();
    return true;
  } catch {
    return false;
  }
};

const walks: readonly Walk[] = [
  walkOf(
    'the token of a form',
    (vault) => loginToken({ vault, site }, pageRequest, 'owner'),
    (vault, { formToken, cookie }) =>
      hasLoginToken({ vault, site }, withCookie(cookie, { form_token: formToken }), 'owner'),
  ),
  walkOf(
    'a browser that has logged in before',
    (vault) => new KnownDevices(vault).cookie(site, pageRequest, ownerUnder(vault)),
    (vault, cookie) =>
      new KnownDevices(vault).find(site, withCookie(cookie), ownerUnder(vault)) !== undefined,
  ),
  walkOf(
    'the nonce of a proof',
    (vault) => new Nonces(vault.keys('dpop-nonce'), systemClock).next(),
    (vault, nonce) => new Nonces(vault.keys('dpop-nonce'), systemClock).accepts(nonce),
  ),
  walkOf(
    'the nonce of a proof at the token endpoint',
    (vault) => new Nonces(vault.keys('dpop-nonce'), systemClock).next(),
    (vault, nonce) => {
      const nonces = new Nonces(vault.keys('dpop-nonce'), systemClock);
      return new Nonces([{ name: '', key: nonces.keyOf(nonce) }], systemClock).accepts(nonce);
    },
  ),
  walkOf(
    'the cursor of a page',
    (vault) => sealCursor(vault, cursor),
    (vault, text) => doesNotThrow(() => openCursor(vault, text, read, {})),
  ),
  walkOf(
    'a card number',
    (vault) => vault.mark('card-number', '4111111111111111'),
    (vault, hash) => vault.marks('card-number', '4111111111111111').includes(hash),
  ),
  walkOf(
    'what a service has sealed',
    (vault) => vault.seal('text', 'place'),
    (vault, sealed) => vault.canOpen(sealed, 'place'),
  ),
];

describe('every user of the secret', () => {
  it('is listed here', () => {
    expect(calling(/[vV]ault(Of\(config\))?\.(mark|marks|isMark|keys|remember)\(/)).toEqual(
      [...walked, ...madeOnly].sort(),
    );
    expect(calling(/[vV]ault\.(seal|open)\(/)).toEqual([...sealing, 'src/store/kept-keys.ts'].sort());
    expect(calling(/: SealedKind =|\(keeping: Keeping\): SealedKind/)).toEqual([...atRest].sort());
  });

  it.each(walks.map((walk) => [walk.name, walk] as const))(
    'accepts what any listed version has made: %s',
    (_, walk) => {
      for (const [index, maker] of listings.entries()) {
        const made = walk.make(new Vault(maker)) as never;
        for (const listed of listings) {
          const isListed = listed.split(',').includes(maker.split(',')[0] ?? '');
          expect(walk.accepts(new Vault(listed), made), `${index} at ${listings.indexOf(listed)}`).toBe(
            isListed,
          );
        }
      }
    },
  );
});

describe('what a secret has made for ever', () => {
  let database: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    database = await createDatabase('sqlite');
    db = await openDb(database.url, 1);
    await migrate(db, 0);
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  it('is accepted and stays the same after three changes, in every order of the nodes', async () => {
    const card = '4111111111111111';
    const log = (vault: Vault) => new AuditLog(() => vault);
    const append = (vault: Vault) =>
      db.transaction((tx) =>
        log(vault).append(tx, { actor: 'system', act: 'store.accept', subject: 'store' }, 1),
      );
    const before = new Vault(A);
    await keepKeys(db, before);
    const key = await pairwiseKey(db, before);
    await append(before);
    const steps = [`${A},${B}`, `${B},${A}`, B, `${B},${C}`, `${C},${B}`, C];
    const hashes = [before.mark('card-number', card)];
    for (const listed of steps) {
      const vault = new Vault(listed);
      await keepKeys(db, vault);
      await append(vault);
      hashes.push(vault.mark('card-number', card));
      expect(await pairwiseKey(db, vault)).toEqual(key);
      for (const hash of hashes) expect(vault.marks('card-number', card)).toContain(hash);
      expect(await verifyAudit(db, vault)).toMatchObject({ rows: hashes.length });
      expect((await verifyAudit(db, vault)).broken).toBeUndefined();
    }
  });

  it('is missed in words by a secret that was never listed beside it', async () => {
    await expect(pairwiseKey(db, new Vault('d'.repeat(40)))).rejects.toThrow(
      'TRAPEZA_SECRET that is not configured',
    );
  });
});
