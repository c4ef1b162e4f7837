/** The sandbox's own authority, from the first certificate to its revocation; and the warnings before one ends. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { certificateOf, readCertificate } from '../../src/certificate/certificate.js';
import { Fetcher } from '../../src/certificate/revocation/fetch.js';
import { Revocation } from '../../src/certificate/revocation/revocation.js';
import { trustSet } from '../../src/certificate/trust.js';
import { CertificateVerifier } from '../../src/certificate/verifier.js';
import { DAY, HOUR, MINUTE } from '../../src/lib/clock.js';
import { registerHolder } from '../../src/tpp/certificates.js';
import { type Answer, send, slugOf } from '../support/client.js';
import { engines, racingEngines } from '../support/engines.js';
import { resetSandbox } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';
import { csrOf } from './csr.js';
import { ec, goodWish, World } from './world.js';

const CERTIFICATES = '/sandbox/pki/certificates';

interface Issued {
  readonly serial: string;
  readonly certificate: string;
  readonly header: string;
  readonly chain: readonly string[];
  readonly privateKey?: string;
}

const ask = (service: Service, body: object): Promise<Answer> =>
  send(service.url, { method: 'POST', path: CERTIFICATES, body });
const issued = async (service: Service, body: object = {}): Promise<Issued> =>
  (await ask(service, body)).json as Issued;
const file = async (service: Service, name: string): Promise<Response> =>
  fetch(`${service.url}/sandbox/pki/${name}`);

/** A bank that trusts the sandbox's root and asks its responder. */
const verifierOf = async (service: Service): Promise<CertificateVerifier> => {
  const [root, issuing] = await Promise.all(
    ['root.pem', 'issuing.pem'].map(async (name) =>
      readCertificate(await (await file(service, name)).text()),
    ),
  );
  if (!root || !issuing) throw new Error('two certificates were expected');
  const { clock } = service;
  const trust = trustSet([root], [issuing]);
  const fetcher = new Fetcher({ clock, hosts: () => [new URL(service.url).host] });
  const revocation = new Revocation({ fetcher, clock, maxAgeMs: HOUR, graceMs: 0 });
  return new CertificateVerifier({
    trust: { current: () => trust },
    blocked: () => new Set(),
    clock,
    revocation,
    mode: 'hard',
  });
};

const racing = racingEngines(
  'the first who ask at once make one authority: PostgreSQL decides by the key of its row, SQLite by its one writer',
);

describe.each(racing)('the first certificates of a sandbox on %s', (engine) => {
  const use = useService({ engine });

  it('verify from its published root, which is one for all who ask at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 4 }, () => issued(use(), { application: 'demo-budget-app', key: 'ec' })),
    );
    expect(new Set(all.flatMap(({ chain }) => chain)).size).toBe(1);
    expect(new Set(all.map(({ serial }) => serial)).size).toBe(4);
    const [first] = all;
    if (!first) throw new Error('a certificate was expected');
    const certificate = readCertificate(first.header);
    expect(readCertificate(first.certificate)).toBe(certificate);
    const own = createPublicKey(createPrivateKey(first.privateKey ?? ''));
    expect(own.equals(certificate.publicKey)).toBe(true);
    const verifier = await verifierOf(use());
    const call = { use: 'seal', role: 'PSP_PI', registration: 'PSDGR-BOG-DEMO0002' } as const;
    expect((await verifier.verify(certificate, call)).checks.map(({ verdict }) => verdict)).toEqual(
      Array.from({ length: 9 }, () => 'passed'),
    );
  });
});

describe.each(engines)('the authority of a sandbox on %s', (engine) => {
  const use = useService({ engine });

  it('revokes it, and says so by OCSP and in its list', async () => {
    const { serial, header } = await issued(use(), { key: 'ec' });
    const verifier = await verifierOf(use());
    const call = { use: 'seal', registration: 'PSDGR-BOG-DEMO0001' } as const;
    expect((await verifier.verify(readCertificate(header), call)).reason).toBeUndefined();
    const gone = await send(use().url, { method: 'DELETE', path: `${CERTIFICATES}/${serial}` });
    expect(gone.status).toBe(204);
    use().clock.advance(6 * MINUTE);
    expect((await verifier.verify(readCertificate(header), call)).reason).toBe('revoked');
    const list = Buffer.from(await (await file(use(), 'crl')).arrayBuffer());
    expect(list.toString('hex')).toContain(serial);
    const unknown = await send(use().url, { method: 'DELETE', path: `${CERTIFICATES}/abc` });
    expect([unknown.status, slugOf(unknown)]).toEqual([404, 'resource-not-found']);
  });

  it('certifies a key of the developer, who must hold it', async () => {
    const keys = ec('P-384');
    const csr = csrOf(keys);
    const made = await issued(use(), { use: 'web', roles: ['PSP_AI'], csr });
    expect(made.privateKey).toBeUndefined();
    const certificate = readCertificate(made.header);
    expect(certificate).toMatchObject({ qcTypes: ['web'], psd2: { roles: ['PSP_AI'] } });
    expect(certificate.publicKey.equals(keys.publicKey)).toBe(true);
    for (const bad of [
      'no request',
      csrOf(keys, ec('P-384').privateKey),
      csrOf(ec('secp256k1')),
      csr.slice(8),
    ]) {
      const refused = await ask(use(), { csr: bad });
      expect([refused.status, slugOf(refused)]).toEqual([400, 'validation-failed']);
      expect(refused.json).toMatchObject({ errors: { csr: [expect.any(String)] } });
    }
    for (const body of [{ application: 'nobody' }, { use: 'sign' }, { roles: ['PSP_XX'] }, { days: 3 }])
      expect((await ask(use(), body)).status).toBe(400);
  });

  it('survives a reset', async () => {
    const before = await (await file(use(), 'issuing.pem')).text();
    const { header } = await issued(use(), { key: 'ec' });
    expect((await resetSandbox(use())).status).toBe(204);
    expect(await (await file(use(), 'issuing.pem')).text()).toBe(before);
    const verifier = await verifierOf(use());
    const call = { use: 'seal', registration: 'PSDGR-BOG-DEMO0001' } as const;
    expect((await verifier.verify(readCertificate(header), call)).reason).toBeUndefined();
  });

  it('answers noise with an error of OCSP, and nothing else than what it has', async () => {
    const noise = await fetch(`${use().url}/sandbox/pki/ocsp`, { method: 'POST', body: 'noise' });
    expect(Buffer.from(await noise.arrayBuffer()).toString('hex')).toBe('30030a0101');
    expect((await file(use(), 'issuing.key')).status).toBe(404);
  });

  it('warns 30, 14, 7 and 1 days before a certificate ends, once each, and counts the days in a metric', async () => {
    const world = await World.open();
    const now = use().clock.now();
    const plan = world.plan({ ...goodWish, registration: 'PSDGR-BOG-WARNED' });
    const certificate = certificateOf(world.build({ ...plan, notAfter: now + 40 * DAY }));
    await world.close();
    const { id } = await withStore(use(), (db) =>
      db.transaction((tx) => registerHolder(tx, certificate, {}, now)),
    );
    const warned = (): number[] =>
      use()
        .logs.join('')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { tppId?: string; days?: number })
        .filter((line) => line.tppId === id)
        .map(({ days }) => days ?? -1);
    const metric = async (): Promise<number> => {
      const text = await (await fetch(`${use().app.managementUrl}/metrics`)).text();
      const line = text
        .split('\n')
        .find((each) => each.startsWith('trapeza_tpp_certificate_expires_seconds') && each.includes(id));
      return Number(line?.split(' ').at(-1));
    };
    const daysLeft = async (): Promise<number> => Math.round((await metric()) / 86_400);
    expect(await daysLeft()).toBe(40);
    const seen: number[][] = [];
    for (const days of [9, 2, 15, 7, 6, 2]) {
      use().clock.advance(days * DAY);
      await use().app.runJobs();
      await use().app.runJobs();
      seen.push(warned());
    }
    expect(seen).toEqual([[], [29], [29, 14], [29, 14, 7], [29, 14, 7, 1], [29, 14, 7, 1, 0]]);
    expect(await daysLeft()).toBe(-1);
    // A successor ends the matter.
    const later = certificateOf(
      world.build({ ...plan, serial: plan.serial + 1n, notAfter: now + 400 * DAY }),
    );
    const again = await withStore(use(), (db) =>
      db.transaction((tx) => registerHolder(tx, later, {}, now + HOUR)),
    );
    expect(again).toMatchObject({ id, isNew: false });
    expect(await daysLeft()).toBeGreaterThan(300);
  });
});
