/**
 * What a signature costs: the same requests with and without one, in turns, on certificates that the service has seen before. The
 * ids are fixed, because a signature covers them; so both sides send fixed ones.
 */
import { createHash, randomUUID, sign } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificateOf } from '#trapeza/certificate/certificate.js';
import { type KeyKind, newKeyPair } from '#trapeza/certificate/pki/authority.js';
import { nameText } from '#trapeza/certificate/x509/name.js';
import { systemClock } from '#trapeza/lib/clock.js';
import { Vault } from '#trapeza/lib/vault.js';
import type { DemoApplication } from '#trapeza/sandbox/applications.js';
import { SandboxAuthority } from '#trapeza/sandbox/pki/sandbox-authority.js';
import type { Db } from '#trapeza/store/db.js';
import { openDb } from '#trapeza/store/open.js';
import { type Dataset, fillStore } from './data.js';
import { load, saveRequests } from './load.js';
import { median, usageOf } from './machine.js';
import { BASE_URL, type Program, secret, startService, stopAll } from './programs.js';
import { type Kind, requestsOf, type Split, tokensFor } from './requests.js';

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

const CONNECTIONS = 32;
const PEOPLE = 1000;

const measure = async (service: Program, file: string, seconds: number) => {
  const before = usageOf(service.pid);
  const measured = await load({ url: service.url, file, seconds, connections: CONNECTIONS });
  const spent = usageOf(service.pid).cpuSeconds - before.cpuSeconds;
  return { ...measured, cpuUs: (spent / measured.requests) * 1e6 };
};

const kinds: readonly Kind[] = ['funds', 'status'];
const keys: readonly KeyKind[] = ['rsa', 'ec'];

export const benchSigned = async (rounds: number, seconds: number): Promise<void> => {
  const url = `sqlite:${join(mkdtempSync(join(tmpdir(), 'trapeza-bench-')), 'b.db')}`;
  // The address of the benchmark does not exist, so nobody there could be asked about revocation.
  const service = await startService(url, { env: { TRAPEZA_REVOCATION: 'off' } });
  const db = await openDb(url, 2);
  // So few that all tokens and certificates are known after the first run.
  const filled = await fillStore(db, 10_000);
  const data = { ...filled, people: filled.people.slice(0, PEOPLE) };
  const tokens = await tokensFor(db, data);
  const clientIds = [...new Set(data.people.map(({ clientId }) => clientId))];
  for (const key of keys) {
    const write = await signerFor(db, key, clientIds);
    for (const kind of kinds) {
      const splits = requestsOf(kind, data, tokens);
      const plain = saveRequests(wholeRequests(splits, data));
      const signed = saveRequests(wholeRequests(splits, data, write));
      for (const file of [plain, signed]) await measure(service, file, seconds);
      const ratios: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const one = await measure(service, plain, seconds);
        const other = await measure(service, signed, seconds);
        ratios.push(other.perSecond / one.perSecond);
        console.log(
          `${kind} ${key}: ${Math.round(one.perSecond)}/s (${one.cpuUs.toFixed(0)} µs), signed ${Math.round(other.perSecond)}/s (${other.cpuUs.toFixed(0)} µs), errors ${one.errors + other.errors}`,
        );
      }
      console.log(`${kind} ${key}: signed/unsigned ${median(ratios).toFixed(3)}`);
    }
  }
  await db.close();
  await stopAll();
};
