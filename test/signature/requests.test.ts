/** Signed requests through the front door: what is accepted, and every way of spoiling one with the answer that it gets. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readCertificate } from '../../src/certificate/certificate.js';
import { MINUTE } from '../../src/lib/clock.js';
import { ACCOUNTS, BUDGET, FUNDS, fundsBody, statusPath } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import {
  callWith,
  digestOf,
  getSeal,
  type Plain,
  type Seal,
  type Spoil,
  setPolicy,
  signed,
  verdict,
} from './support.js';

let ec: Seal;
let rsa: Seal;
const service = useService({}, async (made) => {
  [ec, rsa] = await Promise.all([getSeal(made), getSeal(made, { key: 'rsa' })]);
});

const body = JSON.stringify(fundsBody({ payee: 'Περίπτερο' }));
const funds: Plain = { method: 'POST', path: FUNDS, body };
const status = (): Plain => ({ method: 'GET', path: statusPath(service().consent('AccountAccess').id) });
const seconds = (): number => Math.floor(service().clock.now() / 1000);

const ask = async (seal: Seal, spoil: Spoil = {}, plain = funds): Promise<string> =>
  verdict(await callWith(service(), plain, signed(seal, plain, spoil)));

const invalid = (check: string): string => `401 signature-invalid SIGNATURE_INVALID ${check}`;
const refused = (check: string, code = 'CERTIFICATE_INVALID'): string =>
  `401 certificate-invalid ${code} certificate-${check}`;

describe('a signature', () => {
  it('is accepted with every algorithm of the profile, and one key for many requests', async () => {
    expect(await ask(ec)).toBe('200');
    expect(await ask(rsa)).toBe('200');
    expect(await ask(rsa, { algorithm: 'rsa-sha512' })).toBe('200');
    expect(await ask(ec, {}, status())).toBe('200');
    expect(await ask(ec, { covered: ['digest', 'x-request-id'] })).toBe('200');
  });

  it('is found by its keyId in every spelling of serial number and issuer', async () => {
    const { serial, issuer } = readCertificate(ec.certificate);
    const [country, organization, name] = issuer.flat().map(({ value }) => value);
    const hex = serial.toString(16);
    const ca = `CN=${name},O=${organization},C=${country}`;
    const good = [
      `SN=${hex},CA=${ca}`,
      `SN=${hex.toUpperCase()},CA=${ca}`,
      `SN=0x00${hex},CA=${ca}`,
      `SN=${hex.replace(/(..)(?=.)/g, '$1:')},CA=${ca}`,
      `SN=${serial},CA=${ca}`,
      `SN=${hex},CA=C=${country},O=${organization},CN=${name}`,
      `SN=${hex},CA=${ca.replace(/,/g, ', ').toLowerCase()}`,
      `SN=${hex},CA=${ca.replace(/,/g, ';')}`,
      `SN=${hex},CA=${ca.replace(/ /g, '%20')}`,
      `SN=${hex},CA=${encodeURIComponent(ca)}`,
      `SN=${hex},CA=CN="${name}",O="${organization}",C=${country}`,
      `SN=${hex},CA=CN=${name?.replace(/ /g, '\\ ')},O=${organization},C=${country}`,
      `SN=${hex},CA=2.5.4.3=${name},OID.2.5.4.10=${organization},c=${country}`,
      `SN=${hex},CA=CN=#0c${Buffer.from([name?.length ?? 0]).toString('hex')}${Buffer.from(name ?? '').toString('hex')},O=${organization},C=${country}`,
    ];
    for (const keyId of good) expect([keyId, await ask(ec, { keyId })]).toEqual([keyId, '200']);
    const bad = [
      `SN=${(serial + 1n).toString(16)},CA=${ca}`,
      `SN=${hex},CA=CN=${name},O=${organization}`,
      `SN=${hex},CA=${ca},OU=More`,
      `SN=${hex},CA=${ca},C=${country}`,
      `SN=${hex},CA=CN=Another,O=${organization},C=${country}`,
      `SN=${hex},CA=`,
      `SN=,CA=${ca}`,
      `CA=${ca},SN=${hex}`,
      'Test',
      `SN=${hex},CA=CN="${name}`,
      `SN=${hex},CA=CN=#0c,O=${organization},C=${country}`,
    ];
    for (const keyId of bad) expect([keyId, await ask(ec, { keyId })]).toEqual([keyId, invalid('key-id')]);
  });

  it.each<[string, string, (spoil: { now: number }) => Spoil]>([
    ['over other text', 'signature', () => ({ signed: (text) => `${text} ` })],
    [
      'over a header with another value',
      'signature',
      () => ({ signed: (text) => text.replace(/x-request-id: ./, 'x-request-id: g') }),
    ],
    [
      'over the headers in another order',
      'signature',
      () => ({ signed: (text) => text.split('\n').toReversed().join('\n') }),
    ],
    ['over another path', 'signature', () => ({ signed: (text) => text.replace('/v1/', '/v2/') })],
    [
      'with a byte flipped',
      'signature',
      () => ({
        header: (value) =>
          value.replace(
            /signature="(.{20})(.)/,
            (_all, head: string, one: string) => `signature="${head}${one === 'A' ? 'B' : 'A'}`,
          ),
      }),
    ],
    [
      'that is no base64',
      'format',
      () => ({ header: (value) => value.replace(/signature="/, 'signature="*') }),
    ],
    [
      'that is empty',
      'format',
      () => ({ header: (value) => value.replace(/signature="[^"]+"/, 'signature=""') }),
    ],
    ['without keyId', 'format', () => ({ header: (value) => value.replace(/keyId="[^"]+",/, '') })],
    ['without algorithm', 'format', () => ({ header: (value) => value.replace(/algorithm="[^"]+",/, '') })],
    ['with a parameter twice', 'format', () => ({ header: (value) => `${value},algorithm="ecdsa-sha256"` })],
    ['with a quote that is not closed', 'format', () => ({ header: (value) => `${value},x="` })],
    ['that is not a list', 'format', () => ({ header: () => 'x' })],
    ['that is too long', 'format', () => ({ header: (value) => `${value},x="${'x'.repeat(5000)}"` })],
    ['with the digest left out', 'coverage', () => ({ covered: ['(request-target)', 'x-request-id'] })],
    ['with X-Request-ID left out', 'coverage', () => ({ covered: ['digest'] })],
    ['over nothing', 'coverage', () => ({ header: (value) => value.replace(/headers="[^"]+",/, '') })],
    [
      'over a header that was not sent',
      'signing-string',
      () => ({ covered: ['digest', 'x-request-id', 'psu-id'] }),
    ],
    [
      'over a name of every object',
      'signing-string',
      () => ({ covered: ['digest', 'x-request-id', 'constructor'] }),
    ],
    ['created in the future', 'time', ({ now }) => ({ created: now + 60 })],
    ['created long ago', 'time', ({ now }) => ({ created: now - 301 })],
    ['that has expired', 'time', ({ now }) => ({ expires: now - 1 })],
    ['by hs2019, which names no algorithm', 'algorithm', () => ({ algorithm: 'hs2019' })],
    ['by SHA-1', 'algorithm', () => ({ algorithm: 'rsa-sha1' })],
    ['by HMAC', 'algorithm', () => ({ algorithm: 'hmac-sha256' })],
    ['by MD5', 'algorithm', () => ({ algorithm: 'rsa-md5' })],
    ['by an algorithm of another kind of key', 'algorithm', () => ({ algorithm: 'rsa-sha256' })],
  ])('%s is refused by the check "%s"', async (_what, check, spoil) => {
    expect(await ask(ec, spoil({ now: seconds() }))).toBe(invalid(check));
  });

  it('that names a header twice is no signature at all: 400', async () => {
    const covered = ['digest', 'x-request-id', 'digest'];
    expect(await ask(ec, { covered })).toBe('400 invalid-header FORMAT_ERROR format');
  });

  it.each(['PSU-ID', 'PSU-Corporate-ID', 'TPP-Redirect-URI', 'Date'])(
    'must cover %s where it is sent',
    async (name) => {
      const value = name === 'Date' ? new Date().toUTCString() : 'https://app.example/x';
      const plain = { ...funds, headers: { [name]: value } };
      expect(await ask(ec, { covered: ['digest', 'x-request-id'] }, plain)).toBe(invalid('coverage'));
      expect(await ask(ec, {}, plain)).toBe('200');
    },
  );

  it.each([
    ['in five minutes', () => new Date(Date.now() + 5.2 * MINUTE).toUTCString()],
    ['of five minutes ago', () => new Date(Date.now() - 5.2 * MINUTE).toUTCString()],
    ['in another form', () => new Date().toISOString()],
  ])('with a Date %s is 400', async (_what, date) => {
    const plain = { ...funds, headers: { Date: date() } };
    expect(await ask(ec, {}, plain)).toBe('400 invalid-header FORMAT_ERROR date');
  });

  it('does not depend on how headers are sent, only on how they are listed', async () => {
    // A character is written as a byte: these are the bytes of UTF-8.
    const person = Buffer.from('ελένη').toString('latin1');
    const bytes = { ...status(), headers: { 'PSU-ID': person, 'PSU-User-Agent': 'a  b' } };
    const headers = Object.entries(signed(ec, bytes));
    const turned = [
      headers,
      headers.toReversed(),
      headers.map(([name, value]) => [name.toUpperCase(), value] as const),
      headers.map(([name, value]) => [name.toLowerCase(), `  ${value}\t `] as const),
    ];
    for (const each of turned)
      expect(verdict(await callWith(service(), bytes, Object.fromEntries(each)))).toBe('200');
    const inner = headers.map(([name, value]) => [name, name === 'PSU-User-Agent' ? 'a b' : value] as const);
    expect(verdict(await callWith(service(), bytes, Object.fromEntries(inner)))).toBe(invalid('signature'));
  });
});

describe('a signed request', () => {
  it('whose body was changed by one bit is 400, because the signature itself is good', async () => {
    for (let at = 0; at < body.length; at += 11) {
      const bytes = Buffer.from(body);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      const answer = await service().call({ ...funds, body: bytes, headers: signed(ec, funds) });
      expect(verdict(answer)).toBe('400 digest-mismatch DIGEST_MISMATCH');
    }
  });

  it('is refused for its signature before its body is looked at', async () => {
    const plain = { ...funds, body: ' '.repeat(17_000) };
    expect(await ask(ec, { signed: () => '' }, plain)).toBe(invalid('signature'));
    expect(await ask(ec, {}, plain)).toBe('400 message-too-large MESSAGE_TOO_LARGE');
  });

  it('with a header changed, exchanged or repeated on the way is refused', async () => {
    const headers = signed(ec, funds);
    const changed = { ...headers, 'X-Request-ID': randomUUID() };
    expect(verdict(await callWith(service(), funds, changed))).toBe(invalid('signature'));
    const exchanged = { ...headers, Digest: digestOf('') };
    expect(verdict(await callWith(service(), funds, exchanged))).toBe(invalid('signature'));
    const repeated = { ...headers, Digest: [headers.Digest ?? '', headers.Digest ?? ''] };
    expect(verdict(await callWith(service(), funds, repeated))).toBe('400 duplicate-header FORMAT_ERROR');
    const twice = { ...headers, Signature: [headers.Signature ?? '', headers.Signature ?? ''] };
    expect(verdict(await callWith(service(), funds, twice))).toBe('400 duplicate-header FORMAT_ERROR');
  });

  it('cannot be moved to another path or method where the policy is strict', async () => {
    const [one, other] = [status(), { method: 'GET', path: '/events/psd2/v1' }];
    const loose = signed(ec, one, { covered: ['digest', 'x-request-id'] });
    expect(verdict(await callWith(service(), other, loose))).toBe('200');
    await setPolicy(service(), 'strict');
    expect(verdict(await callWith(service(), one, loose))).toBe(invalid('coverage'));
    const tight = signed(ec, one);
    expect(verdict(await callWith(service(), one, tight))).toBe('200');
    expect(verdict(await callWith(service(), other, tight))).toBe(invalid('signature'));
    const limited = { ...other, path: `${other.path}?limit=1` };
    expect(verdict(await callWith(service(), limited, signed(ec, other)))).toBe(invalid('signature'));
    const timeless = signed(ec, one, { covered: ['(request-target)', 'digest', 'x-request-id'] });
    expect(verdict(await callWith(service(), one, timeless))).toBe(invalid('coverage'));
    const dated = { ...one, headers: { Date: new Date().toUTCString() } };
    const withDate = signed(ec, dated, { covered: ['(request-target)', 'digest', 'x-request-id', 'date'] });
    expect(verdict(await callWith(service(), dated, withDate))).toBe('200');
    await setPolicy(service(), undefined);
  });
});

describe('the certificate of a signature', () => {
  it('must be of the third party that calls', async () => {
    const foreign = await getSeal(service(), { application: BUDGET });
    expect(await ask(foreign)).toBe(refused('organisation'));
    // Also where it is known from calls of its owner.
    const headers = signed(foreign, funds);
    expect(verdict(await callWith(service(), funds, headers, { application: BUDGET }))).not.toContain(
      'certificate',
    );
    expect(await ask(foreign)).toBe(refused('organisation'));
  });

  it('must have the role of the area, and be made for signatures', async () => {
    const roles = await getSeal(service(), { roles: ['PSP_AI'] });
    expect(await ask(roles)).toBe(refused('role', 'ROLE_INVALID'));
    expect(await ask(roles, {}, status())).toBe('200');
    expect(await ask(await getSeal(service(), { use: 'web' }))).toBe(refused('use'));
  });

  it('must be the one whose key has signed', async () => {
    expect(await ask({ ...ec, certificate: rsa.certificate, keyId: rsa.keyId })).toBe(invalid('algorithm'));
    const other = await getSeal(service());
    expect(await ask({ ...ec, certificate: other.certificate })).toBe(invalid('key-id'));
    expect(await ask({ ...ec, certificate: other.certificate, keyId: other.keyId })).toBe(
      invalid('signature'),
    );
  });

  it('is refused when it cannot be read, and when it was revoked', async () => {
    expect(await ask({ ...ec, certificate: 'AAAA' })).toBe(
      '401 certificate-invalid CERTIFICATE_INVALID certificate',
    );
    const seal = await getSeal(service(), { application: ACCOUNTS });
    const as = { application: ACCOUNTS };
    const send = async (): Promise<string> =>
      verdict(await callWith(service(), status(), signed(seal, status(), { created: seconds() }), as));
    expect(await send()).not.toContain('certificate');
    await service().call({ method: 'DELETE', path: `/sandbox/pki/certificates/${seal.serial}` });
    service().clock.advance(5.5 * MINUTE);
    expect(await send()).toBe(refused('revocation', 'CERTIFICATE_REVOKED'));
    service().clock.advance(-5.5 * MINUTE);
  });

  it('tells with every refusal how to sign', async () => {
    const answer = await callWith(service(), funds, signed(ec, funds, { signed: () => '' }));
    expect(answer.headers['www-authenticate']).toBe(
      'Signature realm="trapeza",headers="digest x-request-id"',
    );
  });
});
