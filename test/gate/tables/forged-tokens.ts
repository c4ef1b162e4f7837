/**
 * Access tokens that must never open anything, each wrong in one way. Those with the right key show that a claim or header
 * alone refuses them; the others show that no header talks the gate into another key or algorithm.
 */
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { CompactEncrypt, type JWK } from 'jose';
import { Vault } from '../../../src/lib/vault.js';
import { BUDGET, FINANCE, psuId } from '../../support/operations.js';
import { type Service, testSecret } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';

export interface Forge {
  readonly issuer: string;
  readonly kid: string;
  readonly key: KeyObject;
  readonly publicJwk: JWK;
  /** An address that must never be asked. */
  readonly trap: string;
  readonly nowSeconds: number;
}

type Json = Readonly<Record<string, unknown>>;

/** The real signing key, as only the service has it. */
export const openForge = async (service: Service, trap: string): Promise<Forge> => {
  const row = await withStore(service, (db) =>
    db.one<{ kid: string; public_jwk: string; private_jwk: string }>('select * from signing_keys'),
  );
  if (!row) throw new Error('there is no signing key');
  const jwk = JSON.parse(new Vault(testSecret).open(row.private_jwk, `signing-key:${row.kid}`)) as JWK;
  return {
    issuer: service.url,
    kid: row.kid,
    key: createPrivateKey({ key: jwk, format: 'jwk' }),
    publicJwk: JSON.parse(row.public_jwk) as JWK,
    trap,
    nowSeconds: Math.floor(service.clock.now() / 1000),
  };
};

const attacker = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const attackerRsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const attackerJwk = attacker.publicKey.export({ format: 'jwk' });

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const headerOf = (forge: Forge, changes: Json = {}): Json => ({
  alg: 'ES256',
  kid: forge.kid,
  typ: 'at+jwt',
  ...changes,
});

const claimsOf = (forge: Forge, changes: Json = {}): Json => ({
  iss: forge.issuer,
  aud: forge.issuer,
  sub: psuId('eleni'),
  client_id: FINANCE,
  scope: 'piis ais pis',
  jti: 'forged',
  iat: forge.nowSeconds,
  exp: forge.nowSeconds + 300,
  ...changes,
});

type Signer = (data: string) => Buffer;
const es256 =
  (key: KeyObject): Signer =>
  (data) =>
    sign('sha256', Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' });
const rs256: Signer = (data) => sign('sha256', Buffer.from(data), attackerRsa.privateKey);
const hmac =
  (hash: string, secret: string | Buffer): Signer =>
  (data) =>
    createHmac(hash, secret).update(data).digest();

const compact = (header: unknown, payload: unknown, signer: Signer): string => {
  const data = `${part(header)}.${part(payload)}`;
  return `${data}.${signer(data).toString('base64url')}`;
};

/** A token with the right key: good, unless the changes spoil it. */
export const signed = (forge: Forge, claims: Json = {}, header: Json = {}): string =>
  compact(headerOf(forge, header), claimsOf(forge, claims), es256(forge.key));

type Maker = (forge: Forge) => string | Promise<string>;
type Table = Readonly<Record<string, Maker>>;

const wrongClaims: Table = {
  'exp missing': (f) => signed(f, { exp: undefined }),
  'exp a minute ago': (f) => signed(f, { exp: f.nowSeconds - 60 }),
  'exp in 1970': (f) => signed(f, { exp: 1 }),
  'exp negative': (f) => signed(f, { exp: -1 }),
  'exp a text': (f) => signed(f, { exp: String(f.nowSeconds + 300) }),
  'exp null': (f) => signed(f, { exp: null }),
  'exp a list': (f) => signed(f, { exp: [f.nowSeconds + 300] }),
  'nbf in a minute': (f) => signed(f, { nbf: f.nowSeconds + 60 }),
  'nbf a text': (f) => signed(f, { nbf: 'now' }),
  'iat a text': (f) => signed(f, { iat: 'now' }),
  'iss missing': (f) => signed(f, { iss: undefined }),
  'iss of another': (f) => signed(f, { iss: 'https://login.example' }),
  'iss with a slash': (f) => signed(f, { iss: `${f.issuer}/` }),
  'iss in capitals': (f) => signed(f, { iss: f.issuer.toUpperCase() }),
  'iss null': (f) => signed(f, { iss: null }),
  'aud missing': (f) => signed(f, { aud: undefined }),
  'aud of another': (f) => signed(f, { aud: 'https://api.example' }),
  'aud a list of others': (f) => signed(f, { aud: ['a', 'b'] }),
  'aud an empty list': (f) => signed(f, { aud: [] }),
  'aud with a path': (f) => signed(f, { aud: `${f.issuer}/piis` }),
  'aud the application': (f) => signed(f, { aud: FINANCE }),
  'sub missing': (f) => signed(f, { sub: undefined }),
  'sub a number': (f) => signed(f, { sub: 1 }),
  'sub a list': (f) => signed(f, { sub: [psuId('eleni')] }),
  'client_id missing': (f) => signed(f, { client_id: undefined }),
  'client_id of another application': (f) => signed(f, { client_id: BUDGET }),
  'client_id unknown': (f) => signed(f, { client_id: 'nobody' }),
  'client_id in capitals': (f) => signed(f, { client_id: FINANCE.toUpperCase() }),
  'client_id a list': (f) => signed(f, { client_id: [FINANCE] }),
  'scope a number': (f) => signed(f, { scope: 7 }),
  'payload a list': (f) => compact(headerOf(f), [claimsOf(f)], es256(f.key)),
  'payload null': (f) => compact(headerOf(f), 'null', es256(f.key)),
  'payload a text': (f) => compact(headerOf(f), '"x"', es256(f.key)),
  'payload not JSON': (f) => compact(headerOf(f), '{"iss":', es256(f.key)),
  'payload not UTF-8': (f) =>
    compact(headerOf(f), Buffer.from([0xff, 0xfe]).toString('latin1'), es256(f.key)),
  'payload empty': (f) => compact(headerOf(f), '', es256(f.key)),
  'a claim that makes it too long': (f) => signed(f, { extra: 'x'.repeat(8192) }),
};

const wrongHeaders: Table = {
  'typ missing': (f) => signed(f, {}, { typ: undefined }),
  'typ JWT': (f) => signed(f, {}, { typ: 'JWT' }),
  'typ of a logout token': (f) => signed(f, {}, { typ: 'logout+jwt' }),
  'typ of a DPoP proof': (f) => signed(f, {}, { typ: 'dpop+jwt' }),
  'typ a number': (f) => signed(f, {}, { typ: 1 }),
  'typ a list': (f) => signed(f, {}, { typ: ['at+jwt'] }),
  'kid missing': (f) => signed(f, {}, { kid: undefined }),
  'kid empty': (f) => signed(f, {}, { kid: '' }),
  'kid unknown': (f) => signed(f, {}, { kid: 'c0ffee00-0000-4000-8000-000000000000' }),
  'kid a path': (f) => signed(f, {}, { kid: '../../../../dev/null' }),
  'kid an injection': (f) => signed(f, {}, { kid: "' or 1=1 --" }),
  'kid a command': (f) => signed(f, {}, { kid: '$(id)|id' }),
  'kid with NUL': (f) => signed(f, {}, { kid: `${f.kid}\0` }),
  'kid in capitals': (f) => signed(f, {}, { kid: f.kid.toUpperCase() }),
  'kid a list': (f) => signed(f, {}, { kid: [f.kid] }),
  'kid an object': (f) => signed(f, {}, { kid: { toString: f.kid } }),
  'kid __proto__': (f) => signed(f, {}, { kid: '__proto__' }),
  'kid constructor': (f) => signed(f, {}, { kid: 'constructor' }),
  'kid of 4 KiB': (f) => signed(f, {}, { kid: 'k'.repeat(4096) }),
  'crit unknown': (f) => signed(f, {}, { crit: ['bank'], bank: 1 }),
  'crit absent member': (f) => signed(f, {}, { crit: ['exp'] }),
  'crit empty': (f) => signed(f, {}, { crit: [] }),
  'crit a text': (f) => signed(f, {}, { crit: 'exp' }),
  'b64 false': (f) => signed(f, {}, { crit: ['b64'], b64: false }),
  'alg of another curve': (f) => signed(f, {}, { alg: 'ES384' }),
  'alg of RSA': (f) => signed(f, {}, { alg: 'RS256' }),
  'alg of RSA-PSS': (f) => signed(f, {}, { alg: 'PS256' }),
  'alg in small letters': (f) => signed(f, {}, { alg: 'es256' }),
  'alg missing': (f) => signed(f, {}, { alg: undefined }),
  'alg a list': (f) => signed(f, {}, { alg: ['ES256'] }),
  'header a list': (f) => compact([headerOf(f)], claimsOf(f), es256(f.key)),
  'header null': (f) => compact('null', claimsOf(f), es256(f.key)),
};

const unsigned = (alg: string) => (f: Forge) =>
  compact(headerOf(f, { alg }), claimsOf(f), () => Buffer.alloc(0));
const withSecret =
  (secret: (f: Forge) => string | Buffer, bits = 256) =>
  (f: Forge) =>
    compact(headerOf(f, { alg: `HS${bits}` }), claimsOf(f), hmac(`sha${bits}`, secret(f)));
const byAttacker = (header: (f: Forge) => Json) => (f: Forge) =>
  compact(headerOf(f, header(f)), claimsOf(f), es256(attacker.privateKey));

const wrongKeys: Table = {
  ...Object.fromEntries(
    ['none', 'None', 'NONE', 'nOnE', ''].map((alg) => [`alg "${alg}" unsigned`, unsigned(alg)]),
  ),
  'HS256 with the public key as PEM': withSecret((f) =>
    createPublicKey(f.key).export({ type: 'spki', format: 'pem' }),
  ),
  'HS256 with the public key as DER': withSecret((f) =>
    createPublicKey(f.key).export({ type: 'spki', format: 'der' }),
  ),
  'HS256 with the public key as JWK': withSecret((f) => JSON.stringify(f.publicJwk)),
  'HS256 with the x coordinate': withSecret((f) => Buffer.from(f.publicJwk.x ?? '', 'base64url')),
  'HS256 with the kid': withSecret((f) => f.kid),
  'HS256 with an empty secret': withSecret(() => ''),
  'HS384 with the public key': withSecret((f) => JSON.stringify(f.publicJwk), 384),
  'HS512 with the public key': withSecret((f) => JSON.stringify(f.publicJwk), 512),
  'another key under our kid': byAttacker(() => ({})),
  'another key in jwk': byAttacker(() => ({ jwk: attackerJwk })),
  'another key in jwk without kid': byAttacker(() => ({ jwk: attackerJwk, kid: undefined })),
  'another key at jku': byAttacker((f) => ({ jku: f.trap, kid: 'attacker' })),
  'another key at jku under our kid': byAttacker((f) => ({ jku: f.trap })),
  'another key at x5u': byAttacker((f) => ({ x5u: f.trap })),
  'another key in x5c': byAttacker(() => ({
    x5c: [attacker.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')],
  })),
  'an RSA key under our kid': (f) => compact(headerOf(f, { alg: 'RS256' }), claimsOf(f), rs256),
  'an RSA key as PS256': (f) => compact(headerOf(f, { alg: 'PS256' }), claimsOf(f), rs256),
};

const reshaped = (change: (header: string, payload: string, signature: string) => string) => (f: Forge) => {
  const [header = '', payload = '', signature = ''] = signed(f).split('.');
  return change(header, payload, signature);
};
const resigned = (change: (signature: Buffer) => Buffer) =>
  reshaped((h, p, s) => `${h}.${p}.${change(Buffer.from(s, 'base64url')).toString('base64url')}`);

const encrypted: Maker = (f) =>
  new CompactEncrypt(Buffer.from(signed(f)))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', cty: 'JWT', typ: 'at+jwt' })
    .encrypt(attackerRsa.publicKey);

const wrongShapes: Table = {
  'signature cut off': reshaped((h, p) => `${h}.${p}.`),
  'two parts': reshaped((h, p) => `${h}.${p}`),
  'four parts': reshaped((h, p, s) => `${h}.${p}.${s}.${s}`),
  'five parts': reshaped((h, p, s) => `${h}.${p}.${s}.${p}.${s}`),
  'header twice': reshaped((h, _p, s) => `${h}.${h}.${s}`),
  'payload of another': (f) =>
    reshaped((h, _p, s) => `${h}.${part(claimsOf(f, { sub: psuId('nikos') }))}.${s}`)(f),
  'signature of zeros': resigned(() => Buffer.alloc(64)),
  'signature all ones': resigned(() => Buffer.alloc(64, 0xff)),
  'signature in DER': (f) =>
    compact(headerOf(f), claimsOf(f), (data) => sign('sha256', Buffer.from(data), f.key)),
  'signature one byte short': resigned((bytes) => bytes.subarray(1)),
  'signature one byte long': resigned((bytes) => Buffer.concat([bytes, Buffer.alloc(1)])),
  'signature with a flipped bit': resigned((bytes) =>
    Buffer.from(bytes.map((byte, at) => (at === 20 ? byte ^ 1 : byte))),
  ),
  'signature reversed': resigned((bytes) => Buffer.from(bytes).reverse()),
  'an encrypted token': encrypted,
  'a token in a token': (f) => compact(headerOf(f, { cty: 'JWT' }), signed(f), es256(f.key)),
  'JSON in place of the parts': reshaped((h, p, s) =>
    JSON.stringify({ protected: h, payload: p, signature: s }),
  ),
  'two tokens': (f) => `${signed(f)} ${signed(f)}`,
  'a comma after it': (f) => `${signed(f)},`,
  'quotes around it': (f) => `"${signed(f)}"`,
  'padding in every part': reshaped((h, p, s) => `${h}=.${p}=.${s}==`),
  dots: () => '..',
  'many dots': () => '.'.repeat(4000),
  'a word': () => 'null',
  'nothing but padding': () => '====',
  'a long word': () => 'a'.repeat(9000),
};

export const forgedTokens: readonly (readonly [string, Maker])[] = [
  wrongClaims,
  wrongHeaders,
  wrongKeys,
  wrongShapes,
].flatMap((table) => Object.entries(table));
