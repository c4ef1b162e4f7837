/** Which headers a policy wants of which operation, as a generated table; who decides about the policy; and what a flood costs. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CertificateChain, certificateOf } from '../../src/certificate/certificate.js';
import { type CertificateReport, reportOf } from '../../src/certificate/report.js';
import type { Operation } from '../../src/http/operation.js';
import { policyFor, type SignaturePolicy, signaturePolicies } from '../../src/model/signature-policy.js';
import { Seals } from '../../src/signature/seals.js';
import { World } from '../certificate/world.js';
import { ManualClock } from '../lib/manual-clock.js';
import { send } from '../support/client.js';
import { FUNDS, fundsBody } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import { callWith, digestOf, getSeal, type Plain, type Seal, setPolicy, signed, verdict } from './support.js';

const service = useService();

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const names = ['Digest', 'Signature', 'TPP-Signature-Certificate'];
const subsets = Array.from({ length: 8 }, (_, bits) => names.filter((_name, index) => bits & (1 << index)));

/** Only these of the headers of a signature. */
const cut = (headers: Record<string, string>, subset: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !names.includes(name) || subset.includes(name)),
  );

/** A call that gets past the headers. */
const plainOf = ({ method, path, body, headers }: Operation): Plain => {
  const needed = headers.filter(({ name, required }) => required && name === 'Consent-ID');
  return {
    method,
    path: path.replace(/:\w+/g, () => randomUUID()),
    headers: Object.fromEntries(needed.map(({ name }) => [name, randomUUID()])),
    ...(body ? { body: '{"unknown":1}' } : {}),
  };
};

/** The rules of the interface and of the policies; `plain` is what the call is answered with where no signature is looked at. */
const expected = (policy: SignaturePolicy, subset: readonly string[], plain: string): string => {
  const [digest, signature, certificate] = names.map((name) => subset.includes(name));
  if (digest !== signature || (signature && !certificate))
    return '400 signature-headers-incomplete SIGNATURE_HEADERS_INCOMPLETE';
  const isDemanded = policy === 'required' || policy === 'strict';
  return isDemanded && !signature ? '401 signature-required SIGNATURE_MISSING' : plain;
};

describe('while nobody is trusted', () => {
  it('signed requests are refused, and nothing breaks', async () => {
    const der = world.good();
    const answer = await callWith(
      service(),
      { method: 'GET', path: '/events/psd2/v1' },
      {
        Digest: digestOf(''),
        'TPP-Signature-Certificate': der.toString('base64'),
        Signature: `keyId="SN=${certificateOf(der).serial},CA=CN=Trapeza Test Issuing CA,O=Trapeza Test PKI,C=GR",algorithm="ecdsa-sha256",headers="digest x-request-id",signature="AAAA"`,
      },
    );
    expect(verdict(answer)).toBe('401 certificate-invalid CERTIFICATE_INVALID certificate-chain');
    expect((answer.json as { detail: string }).detail).toContain('trusts no issuer');
  });
});

describe('the headers of a signature', () => {
  it('are asked for and verified by policy, on every operation that takes them', async () => {
    const seal = await getSeal(service());
    // A registration has no policy: its certificate is all that it shows.
    const operations = service().app.operations.filter(
      ({ area, headers }) => typeof area === 'string' && headers.some(({ name }) => name === 'Signature'),
    );
    expect(operations.length).toBeGreaterThan(18);
    const calls = operations.map((operation) => ({ id: operation.id, plain: plainOf(operation), usual: '' }));
    await setPolicy(service(), 'off');
    for (const call of calls)
      call.usual = verdict(await callWith(service(), call.plain, cut(signed(seal, call.plain), [])));
    const wrong: string[] = [];
    const compare = (what: string, found: string, wanted: string): void => {
      if (found !== wanted) wrong.push(`${what}: ${found} instead of ${wanted}`);
    };
    for (const policy of signaturePolicies) {
      await setPolicy(service(), policy);
      for (const { id, plain, usual } of calls) {
        for (const subset of subsets) {
          const answer = await callWith(service(), plain, cut(signed(seal, plain), subset));
          compare(`${id} ${policy} [${subset.join()}]`, verdict(answer), expected(policy, subset, usual));
        }
        const bad = await callWith(service(), plain, signed(seal, plain, { signed: () => '' }));
        const refusal = '401 signature-invalid SIGNATURE_INVALID signature';
        compare(`${id} ${policy} badly signed`, verdict(bad), policy === 'off' ? usual : refusal);
      }
    }
    expect(wrong).toEqual([]);
    await setPolicy(service(), undefined);
  });

  it('are of a policy that a third party may have of its own, but never below one that demands them', () => {
    const table = signaturePolicies.map((bank) =>
      [undefined, ...signaturePolicies].map((own) => policyFor(bank, own)),
    );
    expect(table).toEqual([
      ['off', 'off', 'if-present', 'required', 'strict'],
      ['if-present', 'off', 'if-present', 'required', 'strict'],
      ['required', 'required', 'required', 'required', 'strict'],
      ['strict', 'strict', 'strict', 'strict', 'strict'],
    ]);
  });
});

interface Checked {
  readonly wouldPass: boolean;
  readonly policy: string;
  readonly signingString: string | null;
  readonly computedDigest: string;
  readonly checks: readonly { name: string; verdict: string; detail: string }[];
}

const body = JSON.stringify(fundsBody({ payee: 'Περίπτερο' }));
const funds: Plain = { method: 'POST', path: FUNDS, body };

const tryOut = async (request: object): Promise<Checked> => {
  const answer = await send(service().url, {
    method: 'POST',
    path: '/sandbox/signature-check',
    body: request,
  });
  expect(answer.status).toBe(200);
  return answer.json as Checked;
};

const failedIn = ({ checks }: Checked): string[] =>
  checks.filter((each) => each.verdict === 'failed').map(({ name }) => name);

describe('the dry run', () => {
  let seal: Seal;
  const key = () => ({ 'Ocp-Apim-Subscription-Key': service().keyOf() });

  it('shows the signing string, the digest and every check of a good request, and calls nothing', async () => {
    seal = await getSeal(service());
    const headers = signed(seal, funds);
    const made = await tryOut({ ...funds, headers: { ...headers, ...key() } });
    expect(made).toMatchObject({ wouldPass: true, policy: 'if-present', computedDigest: digestOf(body) });
    const lines = made.signingString?.split('\n') ?? [];
    expect(lines[0]).toBe(`(request-target): post ${FUNDS}`);
    expect(lines).toContain(`digest: ${digestOf(body)}`);
    expect(lines).toContain(`x-request-id: ${headers['X-Request-ID']}`);
    expect(made.checks.map(({ name }) => name)).toEqual([
      'operation',
      'headers',
      'format',
      'date',
      'coverage',
      'time',
      'signing-string',
      'certificate',
      'key-id',
      'algorithm',
      ...['block', 'validity', 'key', 'chain', 'statement', 'use', 'organisation', 'role', 'revocation'].map(
        (name) => `certificate-${name}`,
      ),
      'signature',
      'digest',
    ]);
    // The id is still free: nothing was recorded under it.
    expect(verdict(await callWith(service(), funds, headers))).toBe('200');
  });

  it('names everything that is wrong, not only what would answer', async () => {
    const headers = { ...signed(seal, funds, { covered: ['digest'], algorithm: 'hs2019' }), ...key() };
    const made = await tryOut({ ...funds, body: 'other', headers });
    expect(made.wouldPass).toBe(false);
    expect(failedIn(made)).toEqual(['coverage', 'algorithm', 'signature', 'digest']);
    const absent = await tryOut({
      ...funds,
      headers: signed(seal, funds, { covered: ['digest', 'x-request-id', 'psu-id'] }),
    });
    expect(absent.checks.find(({ name }) => name === 'signing-string')?.detail).toContain('(psu-id)');
    expect(absent.signingString).toBeNull();
  });

  it('tries other policies, other owners, and requests that are not signed or lead nowhere', async () => {
    const loose = signed(seal, funds, { covered: ['digest', 'x-request-id'] });
    expect((await tryOut({ ...funds, headers: loose })).wouldPass).toBe(true);
    expect(failedIn(await tryOut({ ...funds, headers: loose, policy: 'strict' }))).toEqual(['coverage']);
    const others = { 'Ocp-Apim-Subscription-Key': service().keyOf('demo-budget-app') };
    expect(failedIn(await tryOut({ ...funds, headers: { ...loose, ...others } }))).toEqual([
      'certificate-organisation',
    ]);
    const unsigned = { 'X-Request-ID': randomUUID() };
    expect(failedIn(await tryOut({ ...funds, headers: unsigned, policy: 'required' }))).toEqual(['presence']);
    expect((await tryOut({ ...funds, headers: unsigned })).wouldPass).toBe(true);
    expect(failedIn(await tryOut({ ...funds, headers: {} }))).toEqual(['headers']);
    expect(failedIn(await tryOut({ ...funds, headers: { Signature: 'x' } }))).toContain('headers');
    expect(failedIn(await tryOut({ method: 'GET', path: '/nowhere', headers: {} }))).toEqual(['operation']);
    const spoilt = { ...loose, Signature: 'x' };
    expect((await tryOut({ ...funds, headers: spoilt, policy: 'off' })).wouldPass).toBe(true);
    const twice = { method: 'GET', path: '/nowhere', headers: { A: '1', a: '2' } };
    const answer = await send(service().url, {
      method: 'POST',
      path: '/sandbox/signature-check',
      body: twice,
    });
    expect(verdict(answer)).toBe('400 validation-failed FORMAT_ERROR');
  });
});

describe('a flood of certificates', () => {
  /** Answers only when it is told to, and counts who was asked for. */
  const slowVerifier = () => {
    const asked: string[] = [];
    const waiting: ((report: CertificateReport) => void)[] = [];
    const known = new Map<string, CertificateReport>();
    return {
      asked,
      waiting,
      known,
      recall: ({ fingerprint }: { fingerprint: string }) => known.get(fingerprint),
      verify: ({ fingerprint }: { fingerprint: string }) => {
        asked.push(fingerprint);
        return new Promise<CertificateReport>((resolve) => waiting.push(resolve));
      },
    };
  };
  const fine = reportOf([{ name: 'validity', verdict: 'passed', detail: '' }]);
  const bad = reportOf([{ name: 'chain', verdict: 'failed', detail: '', reason: 'not-anchored' }]);
  const chain = (): CertificateChain => ({ certificate: certificateOf(world.good()), extra: [] });
  const nobody = { role: undefined, registration: undefined };
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it('of one kind asks once, and for a while nobody after it was refused', async () => {
    const verifier = slowVerifier();
    const clock = new ManualClock();
    const seals = new Seals(verifier, clock);
    const one = chain();
    const answers = Array.from({ length: 500 }, () => seals.verify(one, nobody));
    await settle();
    expect(verifier.asked.length).toBe(1);
    verifier.waiting[0]?.(bad);
    expect((await Promise.all(answers)).every(({ reason }) => reason === 'not-anchored')).toBe(true);
    expect(seals.verify(one, nobody)).toBe(bad);
    // For another owner the verdict may differ, and after a while for everybody.
    void seals.verify(one, { ...nobody, registration: 'PSDGR-BOG-1' });
    clock.advance(5001);
    void seals.verify(one, nobody);
    await settle();
    expect(verifier.asked.length).toBe(3);
  });

  it('that are new never keeps a known one waiting, and only so many are verified or wait', async () => {
    const verifier = slowVerifier();
    const seals = new Seals(verifier, new ManualClock());
    const friend = chain();
    verifier.known.set(friend.certificate.fingerprint, fine);
    const strangers = Array.from({ length: 8 + 200 + 1 }, (_, index) => ({
      ...chain(),
      // Of one certificate with so many others behind it: making hundreds would take long.
      certificate: { ...friend.certificate, fingerprint: `stranger ${index}` },
    }));
    const answers = strangers.map((each) => Promise.resolve(seals.verify(each, nobody)));
    const last = answers.at(-1);
    await expect(last).rejects.toMatchObject({ slug: 'overloaded' });
    expect(verifier.asked.length).toBe(8);
    expect(seals.verify(friend, nobody)).toBe(fine);
    while (verifier.waiting.length > 0) {
      verifier.waiting.shift()?.(bad);
      await settle();
    }
    expect((await Promise.all(answers.slice(0, -1))).length).toBe(208);
    expect(verifier.asked.length).toBe(208);
  });
});
