/**
 * What a signature costs: the same requests with and without one, in turns, on certificates that the service has seen before. The
 * ids are fixed, because a signature covers them; so both sides send fixed ones.
 */
import { createHash, randomUUID, sign } from 'node:crypto';
import { join } from 'node:path';
import type { DemoApplication } from '#sandbox/applications.js';
import { type KeyKind, newKeyPair } from '#sandbox/authority/authority.js';
import { SandboxAuthority } from '#sandbox/pki/sandbox-authority.js';
import { certificateOf } from '#trapeza/certificate/certificate.js';
import { nameText } from '#trapeza/certificate/x509/name.js';
import { systemClock } from '#trapeza/lib/clock.js';
import { Vault } from '#trapeza/lib/vault.js';
import type { Db } from '#trapeza/store/db.js';
import { openDb } from '#trapeza/store/open.js';
import { type Dataset, fillStore, tokensFor } from '../data.js';
import { tempFolder } from '../endings.js';
import { saveRequests } from '../load/closed-loop.js';
import { cores } from '../machine.js';
import type { Options } from '../options.js';
import { BASE_URL, type Program, secret, startService } from '../programs.js';
import type { Kind, Part, SignedRow } from '../report/result.js';
import { requestsOf, type Split } from '../requests.js';
import { race, ratioOf } from './rounds.js';
import { FEW } from './stage.js';

type Sign = (clientId: string, split: Split, id: string) => string;

const ROLES = ['PSP_IC', 'PSP_AI', 'PSP_PI'] as const;

const digestOf = (text: string): string => `SHA-256=${createHash('sha256').update(text).digest('base64')}`;

/** The headers of a signature, with a certificate of the sandbox for each application. */
const signerFor = async (db: Db, kind: KeyKind, clientIds: readonly string[]): Promise<Sign> => {
  const site = { baseUrl: BASE_URL };
  const authority = new SandboxAuthority({ db, vault: new Vault(secret), clock: systemClock, site });
  const seals = new Map<string, { line: string; keyId: string; sign: (text: string) => string }>();
  for (const clientId of clientIds) {
    const registration = clientId.replace('bench-', 'PSDGR-BOG-B');
    const application = { tppName: clientId, registration, clientId } as DemoApplication;
    const { publicKey, privateKey } = await newKeyPair(kind);
    const { der } = await authority.issue({ application, use: 'seal', roles: ROLES, publicKey });
    const { serial, issuer } = certificateOf(der);
    seals.set(clientId, {
      line: `TPP-Signature-Certificate: ${der.toString('base64')}`,
      keyId: `SN=${serial.toString(16)},CA=${nameText(issuer)}`,
      sign: (text) => sign('sha256', Buffer.from(text), privateKey).toString('base64'),
    });
  }
  return (clientId, { head, tail }, id) => {
    const seal = seals.get(clientId);
    const [method = '', target] = head.split(' ');
    const digest = digestOf(tail.slice(tail.indexOf('\r\n\r\n') + 4));
    const text = `(request-target): ${method.toLowerCase()} ${target}\ndigest: ${digest}\nx-request-id: ${id}`;
    const algorithm = kind === 'ec' ? 'ecdsa-sha256' : 'rsa-sha256';
    const signature = `keyId="${seal?.keyId}",algorithm="${algorithm}",headers="(request-target) digest x-request-id",signature="${seal?.sign(text)}"`;
    return `\r\nDigest: ${digest}\r\nSignature: ${signature}\r\n${seal?.line}`;
  };
};

/** Whole requests; the load program adds nothing to one without a second half. */
const wholeRequests = (splits: readonly Split[], data: Dataset, write?: Sign): Split[] =>
  splits.map((split, index) => {
    const id = randomUUID();
    const clientId = data.people[index]?.clientId ?? '';
    return { head: `${split.head}${id}${write?.(clientId, split, id) ?? ''}${split.tail}`, tail: '' };
  });

const kinds: readonly Kind[] = ['funds', 'status'];
const keys: readonly KeyKind[] = ['rsa', 'ec'];

interface Place {
  readonly program: Program;
  readonly data: Dataset;
  readonly tokens: readonly string[];
}

const measureKey = async (
  key: KeyKind,
  write: Sign,
  place: Place,
  options: Options,
): Promise<SignedRow[]> => {
  const { program, data, tokens } = place;
  const rows: SignedRow[] = [];
  for (const kind of kinds.filter((each) => options.kinds.includes(each))) {
    const splits = requestsOf(kind, data, tokens);
    const [plain, signed] = await race(
      [
        { name: `${kind} unsigned`, program, set: saveRequests(wholeRequests(splits, data)) },
        { name: `${kind} signed, ${key}`, program, set: saveRequests(wholeRequests(splits, data, write)) },
      ],
      options,
    );
    if (!plain || !signed) continue;
    rows.push({
      kind,
      key,
      perSecond: plain.perSecond,
      signedPerSecond: signed.perSecond,
      cpuUs: plain.cpuUs,
      signedCpuUs: signed.cpuUs,
      ratio: ratioOf(signed, plain),
      errors: plain.errors + signed.errors,
    });
  }
  return rows;
};

export const measureSigned = async (options: Options): Promise<Part<SignedRow>> => {
  const { rounds, seconds, connections } = options;
  const url = `sqlite:${join(tempFolder('bench-store'), 'bench.db')}`;
  // The address of the benchmark does not exist, so nobody there could be asked about revocation.
  // Signatures are verified on threads of their own, which may use the cores that the event loop does not.
  const program = await startService(url, { env: { TRAPEZA_REVOCATION: 'off' }, cores });
  const db = await openDb(url, 2);
  const rows: SignedRow[] = [];
  try {
    const data = await fillStore(db, FEW);
    const tokens = await tokensFor(db, data);
    const clientIds = [...new Set(data.people.map(({ clientId }) => clientId))];
    for (const key of keys) {
      const write = await signerFor(db, key, clientIds);
      rows.push(...(await measureKey(key, write, { program, data, tokens }, options)));
    }
  } finally {
    await db.close();
  }
  return { takenAt: new Date().toISOString(), rounds, seconds, connections, rows };
};
