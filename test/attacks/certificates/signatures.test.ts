/** Signatures that leave something open: the body, the query, a header with an effect. Each is tried in every policy that verifies. */
import { createHash, randomUUID, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SignaturePolicy } from '../../../src/model/signature-policy.js';
import {
  callWith,
  digestOf,
  getSeal,
  type Plain,
  type Seal,
  setPolicy,
  signed,
  verdict,
} from '../../signature/support.js';
import { FUNDS, fundsBody } from '../../support/operations.js';
import { useService } from '../../support/use-service.js';

let seal: Seal;
const service = useService({}, async (made) => {
  seal = await getSeal(made);
});

const body = JSON.stringify(fundsBody());
const funds: Plain = { method: 'POST', path: FUNDS, body };
const verifying: readonly SignaturePolicy[] = ['if-present', 'required', 'strict'];
const COVERAGE = '401 signature-invalid SIGNATURE_INVALID coverage';

const contentDigest = (text: string): string =>
  `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;

/** By RFC 9421, over exactly these components. */
const signed9421 = (plain: Plain, components: readonly string[], headers: Record<string, string>) => {
  const sent: Record<string, string> = { 'X-Request-ID': randomUUID(), ...headers };
  const target = `${service().url}${plain.path}`;
  const { pathname, search } = new URL(target);
  const values = new Map<string, string>([
    ...Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value] as const),
    ['@method', plain.method],
    ['@target-uri', target],
    ['@path', pathname],
    ['@query', search],
  ]);
  const created = Math.floor(Date.now() / 1000);
  const list = components.map((name) => `"${name}"`).join(' ');
  const parameters = `(${list});created=${created};keyid="${seal.keyId.replace(/["\\]/g, '\\$&')}";alg="ecdsa-p256-sha256"`;
  const lines = components.map((name) => `"${name}": ${values.get(name) ?? ''}`);
  const base = [...lines, `"@signature-params": ${parameters}`].join('\n');
  const bytes = sign('sha256', Buffer.from(base), { key: seal.key, dsaEncoding: 'ieee-p1363' });
  return {
    ...sent,
    'Signature-Input': `sig=${parameters}`,
    Signature: `sig=:${bytes.toString('base64')}:`,
    'TPP-Signature-Certificate': seal.certificate,
  };
};

const inEach = async (policies: readonly SignaturePolicy[], ask: () => Promise<string>) => {
  const found: Partial<Record<SignaturePolicy, string>> = {};
  for (const policy of policies) {
    await setPolicy(service(), policy);
    found[policy] = await ask();
  }
  return found;
};

const call = async (plain: Plain, headers: Record<string, string>): Promise<string> =>
  verdict(await callWith(service(), plain, headers));

describe('a signature that names no body', () => {
  const all = ['@method', '@target-uri', 'digest', 'x-request-id'];

  it('security F4: an empty Digest is refused, signed or not, whatever Content-Digest says', async () => {
    const other = { ...funds, body: JSON.stringify(fundsBody({ payee: 'Thief' })) };
    for (const sent of [funds, other]) {
      const ask = () =>
        call(sent, signed9421(sent, all, { Digest: '', 'Content-Digest': contentDigest(sent.body ?? '') }));
      const answers = Object.values(await inEach(['off', ...verifying], ask));
      expect(new Set(answers)).toEqual(new Set(['400 invalid-header FORMAT_ERROR']));
    }
  });

  it('security F4: no digest header is accepted that has no known hash in it', async () => {
    await setPolicy(service(), 'if-present');
    for (const bad of ['', 'md5=:AAAA:', 'sha-256=AAAA', '((('])
      expect([bad, await call(funds, { 'X-Request-ID': randomUUID(), 'Content-Digest': bad })]).toEqual([
        bad,
        '400 invalid-header FORMAT_ERROR',
      ]);
    expect(await call(funds, { 'X-Request-ID': randomUUID(), Digest: '' })).toBe(
      '400 signature-headers-incomplete SIGNATURE_HEADERS_INCOMPLETE',
    );
    expect(await call(funds, signed(seal, { ...funds, headers: { Digest: '' } }))).toBe(
      '400 signature-headers-incomplete SIGNATURE_HEADERS_INCOMPLETE',
    );
  });

  it('security F4: a signed digest ties the signature to its body, under both names', async () => {
    await setPolicy(service(), 'strict');
    for (const name of ['digest', 'content-digest']) {
      const value = name === 'digest' ? digestOf(body) : contentDigest(body);
      const headers = signed9421(funds, ['@method', '@target-uri', name, 'x-request-id'], { [name]: value });
      expect(await call(funds, headers)).toBe('200');
      expect(await call({ ...funds, body: `${body} ` }, headers)).toBe('400 digest-mismatch DIGEST_MISMATCH');
    }
  });

  it('code S9: draft-cavage does not take content-digest for digest', async () => {
    const headers = { Digest: digestOf(body), 'Content-Digest': contentDigest(body) };
    const covered = ['(request-target)', '(created)', 'content-digest', 'x-request-id'];
    const ask = () => call(funds, signed(seal, { ...funds, headers }, { covered }));
    expect(await inEach(verifying, ask)).toEqual({
      'if-present': COVERAGE,
      required: COVERAGE,
      strict: COVERAGE,
    });
  });
});

describe('a strict signature', () => {
  const events: Plain = { method: 'GET', path: '/events/psd2/v1?limit=5' };
  const empty = { 'Content-Digest': contentDigest('') };
  const asked = (...target: string[]) =>
    call(events, signed9421(events, ['@method', ...target, 'content-digest', 'x-request-id'], empty));

  it('code S2: covers the query too', async () => {
    await setPolicy(service(), 'strict');
    expect(await asked('@path')).toBe(COVERAGE);
    expect(await asked('@query')).toBe(COVERAGE);
    expect(await asked('@path', '@query')).toBe('200');
    expect(await asked('@target-uri')).toBe('200');
  });

  it('signatures 3, security F9: covers every header with an effect that is sent', async () => {
    const operations = service().app.operations.filter(({ headers }) =>
      headers.some(({ name }) => name === 'Signature'),
    );
    // By hand: what the operations say about themselves is what is tested.
    const effective = [
      'Consent-ID',
      'PSU-Accept-Language',
      'PSU-IP-Address',
      'TPP-Nok-Redirect-URI',
      'TPP-Notification-URI',
      'TPP-Redirect-URI',
      'TPP-State',
    ];
    const values: Record<string, string> = {
      'Consent-ID': randomUUID(),
      'PSU-IP-Address': '192.0.2.1',
      'PSU-Accept-Language': 'en',
    };
    const open: string[] = [];
    await setPolicy(service(), 'strict');
    for (const { id, method, path, body: hasBody, headers } of operations) {
      const plain: Plain = {
        method,
        path: path.replace(/:\w+/g, () => randomUUID()),
        ...(hasBody ? { body: '{}' } : {}),
      };
      const needed = headers.some(({ name, required }) => required && name === 'Consent-ID');
      for (const name of effective.filter((each) => headers.some((field) => field.name === each))) {
        const sent = {
          ...(needed ? { 'Consent-ID': randomUUID() } : {}),
          [name]: values[name] ?? 'https://a.example/',
        };
        const rest = Object.keys(sent).filter((each) => each !== name);
        const covered = [
          '(request-target)',
          '(created)',
          'digest',
          'x-request-id',
          ...rest.map((each) => each.toLowerCase()),
        ];
        const made = signed(seal, { ...plain, headers: sent }, { covered });
        const answer = await callWith(service(), plain, made);
        if (verdict(answer) !== COVERAGE) open.push(`${id} ${name}: ${verdict(answer)}`);
      }
    }
    expect(open).toEqual([]);
    expect(operations.length).toBeGreaterThan(18);
  });
});
