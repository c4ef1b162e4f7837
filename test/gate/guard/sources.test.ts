/** Every limit that counts a source counts it by the one function: the last untrusted hop, without its port, by /64; and says whom it refused. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { raised } from '../../attacks/threats/events.js';
import { Visitor } from '../../operator/visitor.js';
import { send, type Wanted } from '../../support/client.js';
import { formTokenIn } from '../../support/form.js';
import { ATMS } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import { isRelease } from '../../support/tier.js';
import { useService } from '../../support/use-service.js';

const MOST = 3;

type Call = (
  service: Service,
  headers: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number }>;

const plain =
  (wanted: Wanted): Call =>
  (service, headers) =>
    send(service.url, { outsideContract: true, ...wanted, headers: { ...wanted.headers, ...headers } });

const login =
  (page: string, path: string, fieldsOf: () => object, base: (service: Service) => string): Call =>
  async (service, headers) => {
    const visitor = new Visitor(base(service));
    const token = formTokenIn((await visitor.get(page)).body);
    return visitor.post(path, { form_token: token, ...fieldsOf() }, headers);
  };

const body = { name: 'taken', passphrase: 'correct horse battery' };
const publicSide = ({ url }: Service): string => url;
const anybody = (): string => `a${randomUUID().slice(0, 8)}`;

/** So many calls pass, and what a refusal raises. */
const limits: Readonly<
  Record<string, { readonly most: number; readonly kind: string; readonly call: Call }>
> = {
  'failed keys': {
    most: MOST,
    kind: 'key-refused',
    call: (service, headers) =>
      send(service.url, { path: ATMS, headers: { 'Ocp-Apim-Subscription-Key': randomUUID(), ...headers } }),
  },
  'logins of account holders': {
    most: MOST,
    kind: 'login-refused',
    call: login('/dashboard', '/dashboard/login', () => ({ username: anybody(), password: 'x' }), publicSide),
  },
  'logins of operators': {
    most: MOST,
    kind: 'login-refused',
    call: login(
      '/operator/login',
      '/operator/login',
      () => ({ name: anybody(), passphrase: 'x', code: '0' }),
      ({ app }) => app.consoleUrl,
    ),
  },
  'logins of developers': {
    most: MOST,
    kind: 'login-refused',
    call: login('/portal', '/portal/login', () => ({ name: anybody(), passphrase: 'x' }), publicSide),
  },
  authorizations: { most: MOST, kind: 'source-limited', call: plain({ path: '/oauth/authorize' }) },
  'pushed authorizations': {
    most: MOST,
    kind: 'source-limited',
    call: plain({ method: 'POST', path: '/oauth/par', body: {} }),
  },
  registrations: {
    most: MOST,
    kind: 'source-limited',
    call: plain({ method: 'POST', path: '/registration', body: {} }),
  },
  'sign-ups': {
    most: 20,
    kind: 'source-limited',
    call: plain({ method: 'POST', path: '/sandbox/developers', body }),
  },
};

describe('a limit by source', () => {
  const use = useService({
    env: {
      TRAPEZA_TRUSTED_PROXIES: '127.0.0.1',
      TRAPEZA_DEMO_MONTHS: '1',
      TRAPEZA_FAILED_AUTH_PER_MINUTE: String(MOST),
      TRAPEZA_LOGINS_PER_ADDRESS: String(MOST),
      TRAPEZA_AUTHORIZATIONS_PER_ADDRESS: String(MOST),
      TRAPEZA_REGISTRATIONS_PER_MINUTE: String(MOST),
    },
  });

  // A sandbox for a developer takes seconds.
  const inThisTier = Object.entries(limits).filter(([name]) => isRelease || name !== 'sign-ups');

  it.each(inThisTier)('T-63, T-64: %s', async (name, { most, kind, call }) => {
    const network = Object.keys(limits).indexOf(name).toString(16);
    const inNetwork = (index: number): Readonly<Record<string, string>> => {
      const address = `2001:db8:${network}:1::${index.toString(16)}`;
      const hop = [address, `[${address}]:${1024 + index}`][index % 2] ?? '';
      return { 'x-forwarded-for': `203.0.113.${index}, ${hop}`, 'x-request-id': randomUUID() };
    };
    const statuses: number[] = [];
    for (let index = 0; index < most; index += 1) statuses.push((await call(use(), inNetwork(index))).status);
    expect(statuses).not.toContain(429);
    const asked = [inNetwork(77), inNetwork(78)];
    const events = await raised(use(), async () => {
      for (const headers of asked) expect((await call(use(), headers)).status).toBe(429);
    });
    expect(events).toHaveLength(2);
    const [first, second] = events;
    expect(first).toMatchObject({
      kind,
      reason: expect.stringContaining('too-many'),
      address: second?.address,
    });
    expect(events.map(({ requestId }) => requestId)).toEqual(asked.map((each) => each['x-request-id']));
    const other = {
      ...inNetwork(0),
      'x-forwarded-for': `2001:db8:${network}:1::1, 2001:db8:${network}:2::1`,
    };
    expect((await call(use(), other)).status).not.toBe(429);
  });
});
