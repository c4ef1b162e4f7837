/** One certificate is stolen: the bank blocks it, and no node accepts it any more, whatever its issuer says. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificateOf, pemOf } from '../../../src/certificate/certificate.js';
import { SECOND } from '../../../src/lib/clock.js';
import { goodCall, World } from '../../certificate/world.js';
import { runCommand } from '../../cli/program.js';
import { fetchAs, type Holder, Pki, secure, told } from '../../oauth/binding/support.js';
import { applicationOf, obtainTokens } from '../../oauth/provider-journey.js';
import { getSeal, type Plain, signed, verdict } from '../../signature/support.js';
import { send } from '../../support/client.js';
import { engines } from '../../support/engines.js';
import { FINANCE, FUNDS, fundsBody } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { eventsOf } from '../threats/events.js';

const fingerprintOf = (der: Buffer): string => createHash('sha256').update(der).digest('hex');

/** As an operator does it, on the store of a running service. */
const operator = async (service: Pick<Service, 'databaseUrl'>, ...args: string[]): Promise<string> => {
  const env = { DATABASE_URL: service.databaseUrl };
  const { code, stdout, stderr } = await runCommand(['tpp', 'certificates', ...args], { env });
  return code === 0 ? stdout : `${code} ${stderr}`;
};

const body = JSON.stringify(fundsBody());
const funds: Plain = { method: 'POST', path: FUNDS, body };

describe.each(engines)('a blocked QSealC on %s', (engine) => {
  it('signatures 2: signs nothing any more, on both nodes within five seconds', async () => {
    const service = await startService({ engine });
    const second = await startService({ databaseUrl: service.databaseUrl, env: { BASE_URL: service.url } });
    try {
      const seal = await getSeal(service);
      const token = await service.token();
      const ask = async (base: string): Promise<string> =>
        verdict(
          await send(base, {
            ...funds,
            headers: {
              ...signed(seal, funds),
              'Ocp-Apim-Subscription-Key': service.keyOf(),
              Authorization: `Bearer ${token}`,
            },
          }),
        );
      const both = async () => [await ask(service.url), await ask(second.app.listenUrl)];
      const pass = (): void => {
        for (const { clock } of [service, second]) clock.advance(5 * SECOND);
      };
      expect(await both()).toEqual(['200', '200']);
      const fingerprint = fingerprintOf(Buffer.from(seal.certificate, 'base64'));
      expect(await operator(service, 'block', fingerprint, '--reason', 'key lost')).toContain('is blocked');
      pass();
      const refusal = '401 certificate-invalid CERTIFICATE_BLOCKED certificate-block';
      expect(await both()).toEqual([refusal, refusal]);
      expect(await operator(service, 'unblock', fingerprint)).toContain('no longer blocked');
      pass();
      // What was refused is not looked at again for five seconds.
      pass();
      expect(await both()).toEqual(['200', '200']);
    } finally {
      await second.close();
      await service.close();
    }
  });
});

describe('a blocked QWAC', () => {
  let pki: Pki;
  let service: Service;
  let holder: Holder;
  beforeAll(async () => {
    pki = await Pki.open();
    service = await startService({ env: { ...pki.tlsEnv, TRAPEZA_TLS_CLIENT_CERTIFICATE: 'optional' } });
    holder = pki.holder();
  });
  afterAll(async () => {
    await service?.close();
    await pki?.close();
  });

  it('signatures 2: opens no operation, no token endpoint and no bound token, on connections that are open too', async () => {
    await secure(service, FINANCE, { binding: 'certificate' });
    const configuration = await client.discovery(
      new URL(service.url),
      FINANCE,
      undefined,
      client.ClientSecretBasic(applicationOf(service).clientSecret),
      { algorithm: 'oauth2', [client.customFetch]: fetchAs(holder) },
    );
    const tokens = await obtainTokens(service, configuration);
    const call = async (): Promise<string> =>
      told(
        await service.call({
          ...funds,
          identity: holder,
          headers: { Authorization: `Bearer ${tokens.access_token}` },
        }),
      );
    expect(await call()).toBe('200');
    await operator(service, 'block', fingerprintOf(holder.der));
    service.clock.advance(5 * SECOND);
    expect(await call()).toBe('401 certificate-invalid CERTIFICATE_BLOCKED');
    await expect(client.refreshTokenGrant(configuration, tokens.refresh_token ?? '')).rejects.toMatchObject({
      status: 401,
    });
    const kinds = eventsOf(service).map(({ kind }) => kind);
    expect(kinds).toEqual(['certificate-blocked', 'certificate-blocked']);
    await operator(service, 'unblock', fingerprintOf(holder.der));
    service.clock.advance(5 * SECOND);
    expect(await call()).toBe('200');
  });
});

describe('tpp certificates', () => {
  it('signatures 2: blocks by fingerprint, also what was never registered, and shows it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trapeza-blocks-'));
    const databaseUrl = `sqlite:${join(folder, 'blocks.db')}`;
    const world = await World.open();
    try {
      const env = { DATABASE_URL: databaseUrl };
      expect((await runCommand(['migrate'], { env })).code).toBe(0);
      const [known, stranger] = [world.good(), world.good()];
      writeFileSync(join(folder, 'known.pem'), pemOf(known));
      await runCommand(['tpp', 'register', '--certificate', join(folder, 'known.pem')], { env });
      const colons = fingerprintOf(stranger)
        .toUpperCase()
        .replace(/(..)(?=.)/g, '$1:');
      await operator({ databaseUrl }, 'block', fingerprintOf(known));
      await operator({ databaseUrl }, 'block', colons, '--reason', 'seen in an attack');
      const rows = JSON.parse(await operator({ databaseUrl }, '--json')) as Record<string, unknown>[];
      expect(rows).toMatchObject([
        { fingerprint: fingerprintOf(stranger), tppId: null, blockReason: 'seen in an attack' },
        { fingerprint: fingerprintOf(known), use: 'seal', blockReason: null },
      ]);
      for (const { blockedAt } of rows) expect(blockedAt).toMatch(/^20\d\d-/);
      expect(await operator({ databaseUrl }, 'block', 'AB:CD')).toContain('1 ');
      expect(await operator({ databaseUrl }, 'block', 'AB:CD')).toContain('64 hexadecimal digits');
      await operator({ databaseUrl }, 'unblock', fingerprintOf(known));
      expect(await operator({ databaseUrl }, 'unblock', fingerprintOf(known))).toContain('is not blocked');
    } finally {
      await world.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('signatures 2: a blocked issuer takes what it has issued along', async () => {
    const world = await World.open();
    try {
      const der = world.good();
      const verifier = world.verifier();
      const ask = async () => (await verifier.verify(certificateOf(der), goodCall)).reason;
      expect(await ask()).toBeUndefined();
      world.blocked.add(world.issuing.fingerprint);
      expect(await ask()).toBe('blocked');
    } finally {
      await world.close();
    }
  });
});
