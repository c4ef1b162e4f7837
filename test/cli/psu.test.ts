/** `trapeza psu export`: everything that is stored about a person, and nothing that opens anything. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoPsus } from '../../packages/sandbox/src/bank/people.js';
import { askForFunds, enter } from '../account-pages/dashboard/support.js';
import { ibanOf, psuId } from '../support/operations.js';
import { type Service, startService, testSecret } from '../support/service.js';
import { withStore } from '../support/use-service.js';
import { cleanUp, jsonOf, runCommand, tempFolder, type Variables } from './program.js';

let service: Service;
let env: Variables;
beforeAll(async () => {
  service = await startService();
  env = { DATABASE_URL: service.databaseUrl, TRAPEZA_SECRET: testSecret };
  await askForFunds(service, 12.5, { payee: 'Βιβλιοπωλείο Αθηνά' });
  await enter(service);
  await withStore(service, (db) =>
    db.run(
      `insert into oidc_records (kind, id_hash, payload, grant_id, expires_at) values ('Grant', 'hash', ?, 'secret-grant', ?)`,
      [
        `{"accountId":"${psuId('eleni')}","clientId":"demo-finance-app","iat":1700000000,"jti":"\u0001"}`,
        Date.UTC(2030, 0),
      ],
    ),
  );
});
afterAll(async () => {
  await service.close();
  await cleanUp();
});

interface Document {
  readonly accountHolder: string;
  readonly permissions: readonly {
    readonly id: string;
    readonly history: readonly object[];
    readonly accounts: readonly object[];
  }[];
  readonly fundsConfirmations: readonly object[];
  readonly accesses: readonly object[];
  readonly sessions: readonly { readonly codeGivenAt: string | null }[];
  readonly grants: readonly object[];
}

describe('the export of a person', () => {
  it('is one JSON document with all there is, by id and by user name alike', async () => {
    const byName = jsonOf<Document>(await runCommand(['psu', 'export', 'eleni'], { env }));
    const byId = jsonOf<Document>(await runCommand(['psu', 'export', psuId('eleni'), '--json'], { env }));
    expect({ ...byId, exportedAt: '' }).toEqual({ ...byName, exportedAt: '' });
    expect(byName.accountHolder).toBe(psuId('eleni'));
    const own = service.credentials.consents.filter(({ psu }) => psu === 'eleni').map(({ id }) => id);
    expect(byName.permissions.map(({ id }) => id).toSorted()).toEqual(own.toSorted());
    for (const { history, accounts } of byName.permissions)
      expect(history.length * accounts.length).toBeGreaterThan(0);
    expect(byName.fundsConfirmations).toMatchObject([
      {
        payee: 'Βιβλιοπωλείο Αθηνά',
        amount: '12.5',
        currency: 'EUR',
        fundsAvailable: true,
        account: ibanOf('eleni', 101),
      },
    ]);
    expect(byName.accesses).toEqual([]);
    expect(byName.sessions.filter(({ codeGivenAt }) => codeGivenAt !== null)).toHaveLength(1);
    expect(byName.grants).toEqual([
      {
        clientId: 'demo-finance-app',
        createdAt: '2023-11-14T22:13:20.000Z',
        expiresAt: '2030-01-01T00:00:00.000Z',
      },
    ]);
  });

  it('tells nothing that opens anything, and nothing of anybody else', async () => {
    const { stdout } = await runCommand(['psu', 'export', 'eleni'], { env });
    const hashes = await withStore(service, (db) =>
      db.all<{ id_hash: string }>('select id_hash from psu_sessions'),
    );
    for (const secret of [...hashes.map(({ id_hash }) => id_hash), 'secret-grant', 'password', 'card_hash'])
      expect(stdout).not.toContain(secret);
    for (const other of demoPsus.filter(({ username }) => username !== 'eleni'))
      expect(stdout).not.toContain(other.id);
  });

  it('goes to a file that only its owner can read, as CSV too', async () => {
    const out = join(tempFolder(), 'eleni.csv');
    const { code, stdout } = await runCommand(['psu', 'export', 'eleni', '--format', 'csv', '--out', out], {
      env,
    });
    expect([code, stdout]).toEqual([
      0,
      `Everything about account holder ${psuId('eleni')} was written to ${out}.\n`,
    ]);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    const text = readFileSync(out, 'utf8');
    expect(text.startsWith('\ufeffList,Time,App,')).toBe(true);
    expect(text).toContain('Balance check,');
  });

  it('of nobody is refused in words', async () => {
    const { code, stdout, stderr } = await runCommand(['psu', 'export', 'nobody'], { env });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('trapeza: nothing is stored about an account holder nobody');
  });
});
