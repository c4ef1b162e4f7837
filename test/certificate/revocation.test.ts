/** Who is asked whether a certificate was revoked, which answers count, and what happens when there is none. */
import type { KeyObject } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  answerOcsp,
  answerTimes,
  buildCrl,
  listTimes,
} from '../../packages/sandbox/src/authority/answers.js';
import {
  authorityInfoAccess,
  crlDistributionPoint,
} from '../../packages/sandbox/src/authority/extensions.js';
import { certificateOf } from '../../src/certificate/certificate.js';
import { OID } from '../../src/certificate/der/oids.js';
import { ocspQuestion } from '../../src/certificate/revocation/ocsp.js';
import type { CertificateVerifier } from '../../src/certificate/verifier.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/clock.js';
import { delegate, forOcsp, lies, lists, ocsp, onlyFor, strangers } from './answers.js';
import { chainDefects } from './defects/chains.js';
import { keyDefects } from './defects/keys.js';
import { goodCall, World, withExtension, without } from './world.js';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());
beforeEach(() => {
  world.answer = undefined;
  world.offset = 0;
  world.connections = 0;
  world.requests = [];
});

const verdict = async (verifier: CertificateVerifier, der: Buffer, stapled?: Buffer): Promise<string> => {
  const report = await verifier.verify(certificateOf(der), { ...goodCall, ...(stapled ? { stapled } : {}) });
  return report.reason ?? report.checks.at(-1)?.verdict ?? '';
};

const byOcsp = (): Buffer => world.build(without(world.plan(), OID.crlDistributionPoints));
const byList = (): Buffer => world.build(without(world.plan(), OID.authorityInfoAccess));
const issuingKey = (): KeyObject => world.authority.issuingKey;

describe('an answer of a responder counts', () => {
  it('for its whole life, and is fetched once for all who ask at the same time', async () => {
    const verifier = world.verifier();
    const der = byOcsp();
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => verdict(verifier, der)));
    expect(new Set(verdicts)).toEqual(new Set(['passed']));
    expect(world.requests.toSorted()).toEqual(['GET /root.crl', 'POST /ocsp']);
    world.offset = 4 * MINUTE;
    expect(await verdict(verifier, der)).toBe('passed');
    expect(world.requests).toHaveLength(2);
    world.offset = 6 * MINUTE;
    expect(await verdict(verifier, der)).toBe('passed');
    expect(world.requests.filter((each) => each === 'POST /ocsp')).toHaveLength(2);
  });

  it('where the issuer has named the responder', async () => {
    const plan = delegate(world, [forOcsp], issuingKey());
    world.answer = onlyFor(
      world,
      '/ocsp',
      ocsp(world, (each) => ({ ...each, delegate: plan })),
    );
    expect(await verdict(world.verifier(), byOcsp())).toBe('passed');
    world.answer = onlyFor(
      world,
      '/ocsp',
      ocsp(world, (each) => ({
        ...each,
        delegate: plan,
        statusOf: () => ({ kind: 'revoked', at: Date.now() }),
      })),
    );
    expect(await verdict(world.verifier(), byOcsp())).toBe('revoked');
  });
});

/** Nobody answers, or with an error of the connection or the protocol, which is nobody's word. */
const silences: readonly string[] = [
  'to come back later',
  'with an error',
  'that leads elsewhere',
  'that breaks off',
];

describe('an answer of a responder does not count', () => {
  it.each(lies)('%s', async (lie, answer) => {
    const der = byOcsp();
    world.answer = onlyFor(world, '/ocsp', answer(world));
    const hard = world.verifier();
    expect(await verdict(hard, der)).toBe('revocation-unknown');
    // Only silence is let pass.
    const isSilence = silences.includes(lie);
    expect(await verdict(world.verifier({ mode: 'soft' }), der)).toBe(
      isSilence ? 'unknown' : 'revocation-unknown',
    );
    expect(world.requests).not.toContain('GET /elsewhere');
    // With a list beside it, the list decides.
    const both = world.build(world.plan());
    const { issuingName: name } = world.authority;
    const list = buildCrl({ name, key: issuingKey() }, [], listTimes(world.clock.now()));
    world.answer = onlyFor(world, '/ocsp', answer(world));
    const withList: RequestListener = (request, response) =>
      request.url === '/crl' ? response.end(list) : onlyFor(world, '/ocsp', answer(world))(request, response);
    world.answer = withList;
    expect(await verdict(world.verifier(), both)).toBe('passed');
  });

  it('that takes longer than two seconds', async () => {
    const faults: string[] = [];
    world.answer = onlyFor(world, '/ocsp', () => undefined);
    expect(await verdict(world.verifier({ faults }), byOcsp())).toBe('revocation-unknown');
    expect(faults).toEqual(['timeout']);
  });
});

describe('a list', () => {
  const crl = (list: Buffer): RequestListener =>
    onlyFor(world, '/crl', (_request, response) => response.end(list));
  const signer = () => ({ name: world.authority.issuingName, key: issuingKey() });
  const now = (): ReturnType<typeof listTimes> => listTimes(world.clock.now());

  it.each(lists)('%s: %s', async (_list, expected, make) => {
    world.answer = crl(make(world));
    expect(await verdict(world.verifier(), byList())).toBe(expected);
  });

  it('of many thousands is searched as well', async () => {
    const der = byList();
    const others = Array.from({ length: 15_000 }, (_, index) => ({
      serial: 2n ** 127n + BigInt(index),
      at: Date.now(),
    }));
    const own = { serial: certificateOf(der).serial, at: Date.now() };
    world.answer = crl(buildCrl(signer(), [...others, own], now()));
    expect(await verdict(world.verifier(), der)).toBe('revoked');
    expect(await verdict(world.verifier(), byList())).toBe('passed');
  });

  it('of the root revokes the issuing authority, and with it everything below', async () => {
    const { rootName: name, rootKey: key } = world.authority;
    const serial = world.issuing.serial;
    const list = buildCrl({ name, key }, [{ serial, at: Date.now() }], now());
    const der = byOcsp();
    world.answer = (request, response) =>
      request.url === '/root.crl' ? response.end(list) : ocsp(world, (plan) => plan)(request, response);
    expect(await verdict(world.verifier(), der)).toBe('revoked');
  });
});

describe('while nobody answers', () => {
  const down: RequestListener = (_request, response) => response.destroy();

  it.each([
    ['OCSP', byOcsp, 5 * MINUTE],
    ['a list, which would live for a day,', byList, HOUR],
  ])('the last answer by %s counts for the grace period, then nobody knows', async (_kind, make, life) => {
    const verifier = world.verifier();
    const der = make();
    // The list of the root would run out as well; here the issuing authority is trusted itself.
    const anchored = world.verifier({ anchors: [world.issuing], intermediates: [] });
    expect([await verdict(verifier, der), await verdict(anchored, der)]).toEqual(['passed', 'passed']);
    world.answer = down;
    world.offset = life + HOUR;
    expect(await verdict(anchored, der)).toBe('passed');
    world.offset = life + 25 * HOUR;
    expect(await verdict(anchored, der)).toBe('revocation-unknown');
    world.answer = undefined;
    world.offset += 31 * SECOND;
    expect(await verdict(anchored, der)).toBe('passed');
  });

  it('what was revoked stays revoked, however long it takes', async () => {
    const verifier = world.verifier();
    const der = world.build(world.plan(), Date.now());
    expect(await verdict(verifier, der)).toBe('revoked');
    world.answer = down;
    world.offset = 3 * DAY;
    expect(await verdict(world.verifier(), der)).toBe('revocation-unknown');
    expect(await verdict(verifier, der)).toBe('revoked');
  });

  it('a source is asked at most every half minute', async () => {
    world.answer = onlyFor(world, '/ocsp', down);
    const verifier = world.verifier();
    const der = byOcsp();
    const asked = (): number => world.requests.filter((each) => each === 'POST /ocsp').length;
    for (let round = 0; round < 5; round += 1)
      expect(await verdict(verifier, der)).toBe('revocation-unknown');
    expect(asked()).toBe(1);
    expect(await verdict(verifier, byOcsp())).toBe('revocation-unknown');
    expect(asked()).toBe(1);
    world.offset = 31 * SECOND;
    await verdict(verifier, der);
    expect(asked()).toBe(2);
  });

  it('an answer that comes with the connection is enough, if it is the right one', async () => {
    const der = byOcsp();
    const subject = { certificate: certificateOf(der), issuer: world.issuing };
    const question = ocspQuestion(subject, Buffer.alloc(16));
    const { issuingName: name } = world.authority;
    const staple = (key: KeyObject, kind: 'good' | 'revoked'): Promise<Buffer> =>
      answerOcsp(question, {
        name,
        key,
        times: answerTimes(world.clock.now()),
        statusOf: () => (kind === 'good' ? { kind } : { kind, at: Date.now() }),
      });
    const verifier = (): CertificateVerifier =>
      world.verifier({ anchors: [world.issuing], intermediates: [] });
    world.answer = down;
    expect(await verdict(verifier(), der, await staple(issuingKey(), 'good'))).toBe('passed');
    expect(await verdict(verifier(), der, await staple(issuingKey(), 'revoked'))).toBe('revoked');
    expect(world.connections).toBe(0);
    expect(await verdict(verifier(), der, await staple(strangers.privateKey, 'good'))).toBe(
      'revocation-unknown',
    );
    expect(world.connections).toBe(1);
    const remembering = verifier();
    expect(await verdict(remembering, der, await staple(issuingKey(), 'good'))).toBe('passed');
    expect(await verdict(remembering, der, await staple(issuingKey(), 'revoked'))).toBe('revoked');
    expect(await verdict(remembering, der)).toBe('revoked');
  });
});

describe('no connection is made', () => {
  it('before the chain is anchored, nor for a certificate that is refused anyway', async () => {
    const others = [...keyDefects, ...chainDefects].filter(
      ({ reason }) => !['revoked', 'revocation-unknown', 'no-revocation-source'].includes(reason),
    );
    expect(others.length).toBeGreaterThan(40);
    for (const { make } of others) {
      const { ders = [], anchors } = make(world);
      const [leaf, ...extra] = ders.map(certificateOf);
      if (!leaf) throw new Error('a certificate was expected');
      const verifier = world.verifier(anchors ? { anchors } : {});
      expect((await verifier.verify(leaf, { ...goodCall, extra })).reason).toBeDefined();
    }
    expect(world.connections).toBe(0);
  });

  it.each([
    ['this machine, unless it is named with its port', () => world.url, ['*', '127.0.0.1']],
    ['the metadata of a cloud', () => 'http://169.254.169.254/latest', ['*', '169.254.169.254']],
    ['a private network', () => 'http://10.0.0.1', ['*', '10.0.0.1']],
    ['a name that leads to a private network', () => 'http://inside.example', ['*', 'inside.example']],
    ['a name that leads there and elsewhere', () => 'http://both.example', ['*']],
    ['a host that is not named', () => 'http://public.example', ['other.example', 'public.example:8080']],
    ['another port of a host that is named', () => 'http://public.example:8080', ['public.example', '*']],
    ['a file', () => 'file:///etc/passwd', ['*']],
    ['another protocol', () => 'ldap://public.example', ['*', 'public.example']],
    ['an address with a user name', () => 'http://user@public.example', ['*']],
    ['nothing that is an address', () => 'nowhere', ['*']],
  ])('to %s', async (_what, base, hosts) => {
    const faults: string[] = [];
    const plan = withExtension(world.plan(), authorityInfoAccess(`${base()}/ocsp`, `${base()}/ca`));
    const der = world.build(withExtension(plan, crlDistributionPoint(`${base()}/crl`)));
    const resolve = async (host: string) => {
      const found = host === 'both.example' ? ['93.184.215.14', '127.0.0.1'] : ['192.168.1.1'];
      return found.map((address) => ({ address, family: 4 }));
    };
    const trusted = { anchors: [world.issuing], intermediates: [] };
    const verifier = world.verifier({ ...trusted, hosts, resolve, faults });
    expect(await verdict(verifier, der)).toBe('revocation-unknown');
    expect(world.connections).toBe(0);
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(['host not allowed', 'forbidden address']).toContain(fault);
  });
});
