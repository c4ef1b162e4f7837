/** Every certificate with one defect is refused for exactly that defect; the good ones pass, in every form they are sent in. */
import { X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCertificate } from '../../packages/sandbox/src/authority/build.js';
import { basicConstraints, keyUsage } from '../../packages/sandbox/src/authority/extensions.js';
import {
  type Certificate,
  certificateOf,
  pemOf,
  readCertificate,
} from '../../src/certificate/certificate.js';
import { OID } from '../../src/certificate/der/oids.js';
import { CertificateRefusal, reasons } from '../../src/certificate/reasons.js';
import { TrustFolder } from '../../src/certificate/trust.js';
import { chainDefects } from './defects/chains.js';
import type { Case } from './defects/defect.js';
import { formDefects } from './defects/forms.js';
import { keyDefects } from './defects/keys.js';
import { statementDefects } from './defects/statements.js';
import {
  buildCa,
  caPlan,
  ec,
  goodCall,
  linked,
  ok,
  REGISTRATION,
  rsa,
  verdictOn,
  World,
  withExtension,
} from './world.js';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const defects = [...keyDefects, ...chainDefects, ...statementDefects, ...formDefects];

const textOf = ({ text, ders = [] }: Case): string => text ?? pemOrBase64(ders);
const pemOrBase64 = (ders: readonly Buffer[]): string =>
  ders.length === 1 ? (ders[0]?.toString('base64') ?? '') : ders.map(pemOf).join('');

describe('a certificate is refused where', () => {
  it.each(defects)('$name: $reason', async ({ reason, make }) => {
    const spoilt = make(world);
    const verifier = world.verifier(spoilt.anchors ? { anchors: spoilt.anchors } : {});
    const { verdict, report } = await verdictOn(verifier, textOf(spoilt), spoilt.call);
    expect(verdict).toBe(reason);
    // One defect is one failed check, and what it says names nobody.
    const failed = report?.checks.filter((check) => check.verdict === 'failed') ?? [];
    if (report) expect(failed.map((check) => check.detail)).toEqual([reasons[reason].detail]);
  });

  it('any of more than a hundred things is wrong, for every reason there is', () => {
    expect(defects.length).toBeGreaterThan(100);
    expect(new Set(defects.map(({ name }) => name)).size).toBe(defects.length);
    expect(new Set(defects.map(({ reason }) => reason))).toEqual(new Set(Object.keys(reasons)));
  });
});

describe('a good certificate passes', () => {
  const verdict = async (text: string, verifier = world.verifier(), call = goodCall) =>
    (await verdictOn(verifier, text, call)).verdict;

  it.each([
    ['RSA 2048', () => rsa(2048)],
    ['RSA 3072', () => rsa(3072)],
    ['P-256', () => ec()],
    ['P-384', () => ec('P-384')],
    ['P-521', () => ec('P-521')],
  ])('with a key of %s', async (_kind, keys) => {
    const der = world.good({ publicKey: keys().publicKey });
    expect(await verdict(der.toString('base64'))).toBe(ok);
  });

  it.each(['sha256', 'sha384', 'sha512'] as const)('signed by an RSA authority with %s', async (hash) => {
    const keys = rsa(2048);
    const name = [{ oid: OID.commonName, value: 'RSA Root' }];
    const root = buildCa({ name, issuer: name, signer: keys.privateKey, keys, now: world.clock.now() });
    const der = buildCertificate(linked(world.plan(), name, keys.publicKey), keys.privateKey, hash);
    const verifier = world.verifier({ anchors: [certificateOf(root)], mode: 'off' });
    expect(await verdict(der.toString('base64'), verifier)).toBe(ok);
  });

  it.each(['PSP_AI', 'PSP_PI', 'PSP_IC'] as const)('in the area of its role %s', async (role) => {
    const text = world.good({ roles: [role] }).toString('base64');
    expect(await verdict(text, world.verifier(), { ...goodCall, role })).toBe(ok);
  });

  it('for a connection, being a QWAC', async () => {
    const text = world.good({ use: 'web' }).toString('base64');
    expect(await verdict(text, world.verifier(), { ...goodCall, use: 'web' })).toBe(ok);
  });

  it('below an intermediate that is in the folder, sent along, or trusted itself', async () => {
    const der = world.good();
    const { issuing, root } = world;
    expect(await verdict(der.toString('base64'), world.verifier({ intermediates: [issuing] }))).toBe(ok);
    expect(
      await verdict(der.toString('base64'), world.verifier({ anchors: [issuing], intermediates: [] })),
    ).toBe(ok);
    const bare = world.verifier({ intermediates: [] });
    expect(await verdict(pemOf(der) + pemOf(issuing.raw) + pemOf(root.raw), bare)).toBe(ok);
    expect(await verdict(der.toString('base64'), world.verifier({ intermediates: [] }))).toBe('not-anchored');
  });

  it('below an issuer that is limited to what it is', async () => {
    const keys = ec();
    const name = [
      { oid: OID.country, value: 'GR' },
      { oid: OID.commonName, value: 'Greek Authority' },
    ];
    const { rootName: issuer, rootKey: signer } = world.authority;
    const extensions = [basicConstraints(true, 0), keyUsage('keyCertSign')];
    const middle = buildCa({ name, issuer, signer, keys, now: world.clock.now(), extensions });
    const plan = withExtension(linked(world.plan(), name, keys.publicKey), basicConstraints(false));
    const text = pemOf(buildCertificate(plan, keys.privateKey)) + pemOf(middle);
    expect(await verdict(text, world.verifier({ mode: 'off' }))).toBe(ok);
  });

  it.each<[string, (der: Buffer) => string]>([
    ['base64 of DER', (der) => der.toString('base64')],
    ['base64 of DER in lines', (der) => der.toString('base64').replace(/(.{64})/g, '$1\r\n')],
    ['PEM', pemOf],
    ['PEM in one line', (der) => pemOf(der).replace(/\n/g, ' ')],
    ['PEM with a description before it', (der) => `Subject: CN = Somebody\n${pemOf(der)}`],
    ['base64 of PEM', (der) => Buffer.from(pemOf(der)).toString('base64')],
  ])('as %s', async (_form, textOfDer) => {
    expect(await verdict(textOfDer(world.good()))).toBe(ok);
  });

  it('below a root whose number is zero, as some old ones have it', async () => {
    const keys = ec();
    const name = [{ oid: OID.commonName, value: 'Old Root' }];
    const options = { name, issuer: name, signer: keys.privateKey, keys, now: world.clock.now() };
    const root = buildCertificate({ ...caPlan(options), serial: 0n }, keys.privateKey);
    const der = buildCertificate(linked(world.plan(), name, keys.publicKey), keys.privateKey);
    const verifier = world.verifier({ anchors: [certificateOf(root)], mode: 'off' });
    expect(await verdict(der.toString('base64'), verifier)).toBe(ok);
  });

  it('and everything in it is read as OpenSSL reads it', () => {
    const der = world.good();
    const read = readCertificate(der.toString('base64'));
    const other = new X509Certificate(der);
    expect(read).toMatchObject({
      fingerprint: other.fingerprint256.replaceAll(':', '').toLowerCase(),
      serial: BigInt(`0x${other.serialNumber}`),
      notAfter: Date.parse(other.validTo),
      organizationIdentifier: REGISTRATION,
      isQualified: true,
      qcTypes: ['seal'],
      psd2: { roles: ['PSP_AI', 'PSP_PI', 'PSP_IC'], ncaName: 'Bank of Greece', ncaId: 'GR-BOG' },
      ocspUrls: [`${world.url}/ocsp`],
      crlUrls: [`${world.url}/crl`],
    });
  });
});

describe('a certificate that was verified', () => {
  it('is answered at once the next time, for every caller, until five minutes are over', async () => {
    const verifier = world.verifier();
    const certificate = readCertificate(world.good().toString('base64'));
    expect(readCertificate(pemOf(certificate.raw))).toBe(certificate);
    await verifier.verify(certificate, goodCall);
    expect(verifier.verify(certificate, goodCall)).toMatchObject({ reason: undefined });
    expect(verifier.verify(certificate, { ...goodCall, registration: 'PSDGR-BOG-2' })).toMatchObject({
      reason: 'wrong-organisation',
    });
    expect(verifier.verify(certificate, { ...goodCall, use: 'web' })).toBeInstanceOf(Promise);
    world.offset = 301_000;
    expect(verifier.verify(certificate, goodCall)).toBeInstanceOf(Promise);
    world.offset = 0;
  });

  it('is not answered from memory after its own end', async () => {
    const verifier = world.verifier({ mode: 'off' });
    const ends = world.clock.now() + 60_000;
    const certificate = readCertificate(world.build({ ...world.plan(), notAfter: ends }).toString('base64'));
    expect(await verifier.verify(certificate, goodCall)).toMatchObject({ reason: undefined });
    world.offset = 61_000;
    expect(await verifier.verify(certificate, goodCall)).toMatchObject({ reason: 'expired' });
    world.offset = 0;
  });
});

describe('the folder of anchors', () => {
  it('is looked at again after a minute, and a broken file in it is told and left out', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trapeza-anchors-'));
    mkdirSync(join(folder, 'intermediates'));
    writeFileSync(join(folder, 'broken.pem'), 'no certificate');
    const told: string[] = [];
    const trust = new TrustFolder(folder, world.clock, (file) => void told.push(file));
    await trust.refresh();
    expect([trust.current().anchors.length, told]).toEqual([0, ['broken.pem']]);
    writeFileSync(join(folder, 'root.der'), world.root.raw);
    writeFileSync(join(folder, 'intermediates', 'issuing.crt'), pemOf(world.issuing.raw));
    expect(trust.current().anchors).toEqual([]);
    world.offset = 61_000;
    await expect.poll(() => trust.current().anchors).toEqual([world.root]);
    expect(trust.current().intermediates).toEqual([world.issuing]);
    rmSync(folder, { recursive: true });
    world.offset += 61_000;
    trust.current();
    await trust.refresh();
    // A folder that is away for a moment takes nobody's trust.
    expect(trust.current().anchors).toEqual([world.root]);
    world.offset = 0;
  });
});

describe('whatever bytes arrive', () => {
  const runs = Number(process.env.TEST_CERTIFICATES ?? 2000);
  const mutation = fc.record({
    at: fc.nat(),
    byte: fc.nat(255),
    kind: fc.constantFrom('replace', 'insert', 'remove', 'cut'),
  });

  const mutated = (der: Buffer, changes: readonly { at: number; byte: number; kind: string }[]): Buffer => {
    let bytes = der;
    for (const { at, byte, kind } of changes) {
      const place = at % bytes.length;
      const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
      const middle = kind === 'replace' || kind === 'insert' ? [Buffer.from([byte])] : [];
      const rest = kind === 'cut' ? after.subarray(byte) : kind === 'insert' ? after : after.subarray(1);
      bytes = Buffer.concat([before, ...middle, rest]);
      if (bytes.length === 0) break;
    }
    return bytes;
  };

  it(`reading gives a certificate or one refusal, and none of ${runs} changed ones is accepted`, async () => {
    const good: Certificate[] = [world.good(), world.good({ publicKey: rsa(2048).publicKey })].map(
      certificateOf,
    );
    const verifier = world.verifier({ mode: 'off' });
    const property = fc.asyncProperty(
      fc.constantFrom(...good),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      async ({ raw }, changes) => {
        const bytes = mutated(raw, changes);
        if (bytes.equals(raw)) return;
        let certificate: Certificate | undefined;
        try {
          certificate = certificateOf(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(CertificateRefusal);
        }
        if (certificate) expect((await verifier.verify(certificate, goodCall)).reason).toBeDefined();
      },
    );
    await fc.assert(property, { numRuns: runs });
  }, 3_600_000);
});
