/**
 * What one node is told about tokens, keys, certificates and third parties, another knows five seconds later; and if it cannot
 * reach the database, it lets nobody in by what it knew before. Only the ATMs are read for an hour longer.
 */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/lib/clock.js';
import type { Queries } from '../../../src/store/db.js';
import { blockCertificate } from '../../../src/tpp/blocked-certificates.js';
import { rollKey, setSuspended } from '../../../src/tpp/registry.js';
import { getSeal, type Plain, type Seal, signed } from '../../signature/support.js';
import { type Answer, done, sandboxToken, send, slugOf } from '../../support/client.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { hasPostgres } from '../../support/engines.js';
import { ATMS, BUDGET, FINANCE, FUNDS, fundsBody } from '../../support/operations.js';
import { subscribe } from '../../support/registry.js';
import { type Service, startService } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';
import { FaultyProxy } from '../faulty-proxy.js';

const onPostgres = describe.runIf(hasPostgres);
const test = it.runIf(hasPostgres);

let database: TestDatabase;
let proxy: FaultyProxy;
let first: Service;
/** Its way to the database can be cut. */
let second: Service;

beforeAll(async () => {
  database = await createDatabase('postgres');
  proxy = await FaultyProxy.beforeUrl(database.url);
  first = await startService({ databaseUrl: database.url });
  second = await startService({ databaseUrl: proxy.through(database.url), env: { BASE_URL: first.url } });
});
afterAll(async () => {
  await second?.close();
  await proxy?.close();
  await first?.close();
  await database?.drop();
});

afterEach(() => proxy.restore());

const pass = (ms: number): void => {
  for (const { clock } of [first, second]) clock.advance(ms);
};

const cut = (): void => {
  proxy.refuse();
  proxy.reset();
};

interface Credentials {
  readonly subscriptionId: string;
  readonly key: string;
  readonly token: string;
  readonly seal?: Seal;
}

const credentialsOf = async (application: string): Promise<Credentials> => {
  const { id, key } = await subscribe(first, { application });
  second.clock.advance(5 * SECOND);
  return { subscriptionId: id, key, token: await sandboxToken(first.app.listenUrl, { application }) };
};

const call = async (node: Service, credentials: Credentials, plain: Plain): Promise<Answer> => {
  const { key, token, seal } = credentials;
  const created = Math.floor(node.clock.now() / 1000);
  return send(node.app.listenUrl, {
    ...plain,
    headers: {
      ...(seal ? signed(seal, plain, { created }) : { 'X-Request-ID': randomUUID() }),
      'Ocp-Apim-Subscription-Key': key,
      Authorization: `Bearer ${token}`,
    },
  });
};

const told = (answer: Answer): string =>
  answer.status < 400 ? String(answer.status) : `${answer.status} ${slugOf(answer)}`;

const ask = async (node: Service, credentials: Credentials): Promise<string> =>
  told(await call(node, credentials, { method: 'POST', path: FUNDS, body: JSON.stringify(fundsBody()) }));
/** Who is let in hears about its body, which needs no store. */
const askWrongly = async (node: Service, credentials: Credentials): Promise<string> =>
  told(await call(node, credentials, { method: 'POST', path: FUNDS, body: '{}' }));
const readAtms = async (node: Service, { seal, ...unsigned }: Credentials): Promise<string> =>
  told(await call(node, unsigned, { method: 'GET', path: ATMS }));

interface Change {
  readonly application: string;
  readonly isSigned?: boolean;
  readonly make: (credentials: Credentials) => Promise<unknown>;
  readonly refusal: string;
}

const operate = (work: (tx: Queries) => Promise<unknown>): Promise<unknown> =>
  withStore(first, (db) => db.transaction(work));

const setBudget = (isSuspended: boolean): Promise<unknown> =>
  operate(async (tx) => {
    const row = await tx.one<{ id: string }>('select tpp_id as id from applications where client_id = ?', [
      BUDGET,
    ]);
    await setSuspended(tx, 'tpp', row?.id ?? '', isSuspended);
  });

const changes: Readonly<Record<string, Change>> = {
  'a revoked token': {
    application: FINANCE,
    make: async ({ token }) => {
      const { clientId, clientSecret } =
        first.credentials.applications.find((each) => each.clientId === FINANCE) ?? expect.fail();
      const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
      const headers = { Authorization: authorization, 'Content-Type': 'application/x-www-form-urlencoded' };
      const body = `token=${token}&token_type_hint=access_token`;
      done(
        await send(first.app.listenUrl, {
          method: 'POST',
          path: '/oauth/revocation',
          headers,
          body,
          outsideContract: true,
        }),
      );
    },
    refusal: '401 token-invalid',
  },
  'a rolled key': {
    application: FINANCE,
    make: ({ subscriptionId }) => operate((tx) => rollKey(tx, subscriptionId, 'primary', first.clock.now())),
    refusal: '401 subscription-key-invalid',
  },
  'a blocked certificate': {
    application: FINANCE,
    isSigned: true,
    make: ({ seal }) =>
      operate((tx) => {
        const der = Buffer.from(seal?.certificate ?? '', 'base64');
        const fingerprint = createHash('sha256').update(der).digest('hex');
        return blockCertificate(tx, fingerprint, undefined, first.clock.now());
      }),
    refusal: '401 certificate-invalid',
  },
  'a suspended third party': {
    application: BUDGET,
    make: () => setBudget(true),
    refusal: '403 access-blocked',
  },
};

onPostgres.each(Object.entries(changes))('%s', (_, { application, isSigned = false, make, refusal }) => {
  const begin = async (): Promise<Credentials> => {
    await setBudget(false);
    const credentials = await credentialsOf(application);
    return isSigned ? { ...credentials, seal: await getSeal(first) } : credentials;
  };

  it('faults 11: is known on the other node within five seconds', async () => {
    const credentials = await begin();
    for (const node of [first, second]) expect(await ask(node, credentials)).toBe('200');
    await make(credentials);
    pass(5 * SECOND);
    for (const node of [first, second]) expect(await ask(node, credentials)).toBe(refusal);
  });

  it('faults 11: is refused with 503 after five seconds by a node that cannot know it', async () => {
    const credentials = await begin();
    expect(await ask(second, credentials)).toBe('200');
    expect(await readAtms(second, credentials)).toBe('200');
    cut();
    expect(await askWrongly(second, credentials)).toBe('400 validation-failed');
    await make(credentials);
    pass(5 * SECOND);
    expect(await askWrongly(second, credentials)).toBe('503 dependency-unavailable');
    expect(await ask(second, credentials)).toBe('503 dependency-unavailable');
    expect(await readAtms(second, credentials)).toBe('200');
    await proxy.restore();
    const answers = new Set<string>();
    const isRefused = async (): Promise<boolean> => {
      const answer = await ask(second, credentials);
      answers.add(answer);
      return answer === refusal;
    };
    await expect.poll(isRefused).toBe(true);
    expect([...answers].filter((answer) => answer !== refusal && !answer.startsWith('503'))).toEqual([]);
  });
});

test('faults 11: without the database the ATMs are read for an hour, also with a token that is new', async () => {
  await setBudget(false);
  const credentials = await credentialsOf(FINANCE);
  expect(await readAtms(second, credentials)).toBe('200');
  const withNewToken = async (): Promise<Credentials> => ({
    ...credentials,
    token: await sandboxToken(first.app.listenUrl, { application: FINANCE }),
  });
  cut();
  pass(59 * MINUTE);
  expect(await readAtms(second, await withNewToken())).toBe('200');
  pass(HOUR - 59 * MINUTE);
  expect(await readAtms(second, await withNewToken())).toBe('503 dependency-unavailable');
  await proxy.restore();
  await expect.poll(async () => readAtms(second, await withNewToken())).toBe('200');
});
