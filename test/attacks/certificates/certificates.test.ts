/** Certificates that should no longer be good, or should never have been refused. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  answerOcsp,
  answerTimes,
  buildCrl,
  listTimes,
} from '../../../packages/sandbox/src/authority/answers.js';
import {
  psd2Statement,
  qcCompliance,
  qcStatements,
  qcType,
} from '../../../packages/sandbox/src/authority/extensions.js';
import { certificateOf, pemOf } from '../../../src/certificate/certificate.js';
import { OID } from '../../../src/certificate/der/oids.js';
import { oid, sequence } from '../../../src/certificate/der/write.js';
import { ocspQuestion } from '../../../src/certificate/revocation/ocsp.js';
import type { CertificateVerifier } from '../../../src/certificate/verifier.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/lib/clock.js';
import { lies, ocsp, onlyFor } from '../../certificate/answers.js';
import { goodCall, World, withExtension, without } from '../../certificate/world.js';
import { runCommand } from '../../cli/program.js';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());
beforeEach(() => {
  world.answer = undefined;
  world.offset = 0;
  world.requests = [];
});

const verdict = async (verifier: CertificateVerifier, der: Buffer, stapled?: Buffer): Promise<string> => {
  const report = await verifier.verify(certificateOf(der), { ...goodCall, ...(stapled ? { stapled } : {}) });
  return report.reason ?? 'accepted';
};

const modes = ['hard', 'soft'] as const;
const days = (count: number) => ({
  thisUpdate: world.clock.now() - SECOND,
  nextUpdate: world.clock.now() + count * DAY,
});

/** A responder whose answers would be good for thirty days. */
const generous = (isRevoked: () => boolean): RequestListener =>
  onlyFor(
    world,
    '/ocsp',
    ocsp(world, (plan) => ({
      ...plan,
      times: days(30),
      statusOf: () => (isRevoked() ? { kind: 'revoked', at: Date.now() } : { kind: 'good' }),
    })),
  );

describe.each(modes)('revocation, %s', (mode) => {
  it('signatures 2: an answer that promises thirty days is asked for anew after an hour', async () => {
    let isRevoked = false;
    const der = world.build(without(world.plan(), OID.crlDistributionPoints));
    world.answer = generous(() => isRevoked);
    const verifier = world.verifier({ mode });
    expect(await verdict(verifier, der)).toBe('accepted');
    isRevoked = true;
    world.offset = 59 * MINUTE;
    expect(await verdict(verifier, der)).toBe('accepted');
    world.offset = HOUR + SECOND;
    expect(await verdict(verifier, der)).toBe('revoked');
  });

  it('signatures 2: so is a list, and OCSP is asked before a list that is at hand', async () => {
    let isRevoked = false;
    const byList = world.build(without(world.plan(), OID.authorityInfoAccess));
    const { issuingName: name, issuingKey: key } = world.authority;
    const list = () => {
      const revoked = [byList, both].map((der) => ({ serial: certificateOf(der).serial, at: Date.now() }));
      return buildCrl({ name, key }, isRevoked ? revoked : [], days(30));
    };
    const both = world.build(world.plan());
    const rest = generous(() => isRevoked);
    world.answer = (request, response) =>
      request.url === '/crl' ? response.end(list()) : rest(request, response);
    const verifier = world.verifier({ mode });
    expect(await verdict(verifier, byList)).toBe('accepted');
    isRevoked = true;
    world.requests = [];
    expect(await verdict(verifier, both)).toBe('revoked');
    expect(world.requests).toContain('POST /ocsp');
    world.offset = HOUR + SECOND;
    expect(await verdict(verifier, byList)).toBe('revoked');
  });

  it('signatures 2: an old answer that the holder staples does not hide the revocation', async () => {
    const der = world.build(without(world.plan(), OID.crlDistributionPoints), Date.now());
    const subject = { certificate: certificateOf(der), issuer: world.issuing };
    const { issuingName: name, issuingKey: key } = world.authority;
    const times = { ...answerTimes(world.clock.now() - 2 * HOUR), nextUpdate: world.clock.now() + 30 * DAY };
    const plan = { name, key, times, statusOf: () => ({ kind: 'good' as const }) };
    const stapled = await answerOcsp(ocspQuestion(subject, Buffer.alloc(16)), plan);
    expect(await verdict(world.verifier({ mode }), der, stapled)).toBe('revoked');
  });

  it('signatures 2: while nobody answers, the last good answer counts for the grace period only', async () => {
    const der = world.build(without(world.plan(), OID.crlDistributionPoints));
    world.answer = generous(() => false);
    const verifier = world.verifier({ mode, anchors: [world.issuing], intermediates: [] });
    expect(await verdict(verifier, der)).toBe('accepted');
    world.answer = (_request, response) => response.destroy();
    world.offset = 24 * HOUR;
    expect(await verdict(verifier, der)).toBe('accepted');
    world.offset = 26 * HOUR;
    expect(await verdict(verifier, der)).toBe(mode === 'soft' ? 'accepted' : 'revocation-unknown');
  });
});

describe('soft', () => {
  const answered = lies.filter(
    ([lie]) => !/come back later|with an error|leads elsewhere|breaks off/.test(lie),
  );

  it.each(answered)('signatures 6: does not take an answer for silence: %s', async (_lie, answer) => {
    const der = world.build(without(world.plan(), OID.crlDistributionPoints));
    const verifier = world.verifier({ mode: 'soft' });
    world.answer = onlyFor(world, '/ocsp', answer(world));
    expect(await verdict(verifier, der)).toBe('revocation-unknown');
    // Nor does asking again within the pause.
    expect(await verdict(verifier, der)).toBe('revocation-unknown');
  });

  it('signatures 6: nor a list of somebody else', async () => {
    const der = world.build(without(world.plan(), OID.authorityInfoAccess));
    const { rootName: name, rootKey: key } = world.authority;
    world.answer = onlyFor(world, '/crl', (_request, response) =>
      response.end(buildCrl({ name, key }, [], listTimes(world.clock.now()))),
    );
    expect(await verdict(world.verifier({ mode: 'soft' }), der)).toBe('revocation-unknown');
  });
});

describe('statements', () => {
  const other = sequence(oid('1.3.6.1.5.5.7.11.2'));
  const good = psd2Statement(['PSP_AI'], { ncaName: 'Bank of Greece', ncaId: 'GR-BOG' });

  it('signatures 5: one that is not used may come twice; one that is used may not', async () => {
    const stated = (...statements: Buffer[]) =>
      world.build(withExtension(world.plan(), qcStatements(...statements)));
    const verifier = world.verifier();
    expect(await verdict(verifier, stated(other, other, qcCompliance(), qcType('seal'), good))).toBe(
      'accepted',
    );
    for (const twice of [qcCompliance(), qcType('seal'), good])
      expect(await verdict(verifier, stated(qcCompliance(), qcType('seal'), good, twice))).toBe(
        'malformed-statement',
      );
  });
});

describe('tpp register', () => {
  it('signatures 6: refuses an expired certificate, also if nobody is trusted yet', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trapeza-expired-'));
    try {
      const plan = world.plan();
      const old = { ...plan, notBefore: Date.UTC(2020, 0), notAfter: Date.UTC(2021, 5, 1, 12) };
      const file = join(folder, 'old.pem');
      writeFileSync(file, pemOf(world.build(old)));
      const env = { DATABASE_URL: `sqlite:${join(folder, 'register.db')}` };
      expect((await runCommand(['migrate'], { env })).code).toBe(0);
      for (const more of [[], ['--unverified']]) {
        const { code, stderr } = await runCommand(['tpp', 'register', '--certificate', file, ...more], {
          env,
        });
        expect(code).toBe(1);
        expect(stderr).toContain('the certificate expired on 2021-06-01T12:00:00');
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
