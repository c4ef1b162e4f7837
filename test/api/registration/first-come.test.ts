/** In a sandbox, whose authority issues certificates in any name, a number belongs to the key that registered it first. */
import { createPublicKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { csrOf } from '../../certificate/csr.js';
import { getSeal, type Seal } from '../../signature/support.js';
import { type Answer, done, send, slugOf } from '../../support/client.js';
import { useService } from '../../support/use-service.js';
import {
  ask,
  metadata,
  newParty,
  ownPath,
  type Party,
  type Registered,
  register,
  sealOf,
  successorOf,
  type Wish,
} from './support.js';

const EVIL = { ...metadata, redirect_uris: ['https://evil.example/cb'] };

describe('a number that is registered', () => {
  const party = newParty();
  let owner: Seal;
  let made: Registered;
  /** Issued before the owner came. */
  let attacker: Seal;
  const use = useService({}, async (service) => {
    attacker = await sealOf(service, { ...party, name: 'Mallory' });
    owner = await sealOf(service, party);
    made = await register(service, owner);
  });
  const shown = async (seal: Seal): Promise<Answer> =>
    ask(use(), seal, { method: 'GET', path: ownPath(made) });
  const issue = (body: object): Promise<Answer> =>
    send(use().url, { method: 'POST', path: '/sandbox/pki/certificates', body });

  it('is refused to another key, which learns nothing of the registration', async () => {
    for (const body of [metadata, EVIL, { ...metadata, software_id: 'more' }]) {
      const answer = await ask(use(), attacker, { body });
      expect([answer.status, slugOf(answer)]).toEqual([409, 'state-conflict']);
      expect(answer.text).not.toContain(made.client_id);
      expect(answer.text).not.toContain('registration_client_uri');
    }
  });

  it('is not read, changed, removed or given a new secret by it', async () => {
    const before = (await shown(owner)).text;
    const tries: Wish[] = [
      { method: 'GET' },
      { method: 'PUT', body: EVIL },
      { method: 'DELETE' },
      ...['client_secret', 'primary_key', 'secondary_key'].map((secret) => ({
        more: '/secrets',
        body: { secret },
      })),
    ].map(({ more = '', ...wish }: Wish & { readonly more?: string }) => ({
      ...wish,
      path: `${ownPath(made)}${more}`,
    }));
    for (const wish of tries)
      expect((await ask(use(), attacker, wish)).status, JSON.stringify(wish)).toBe(404);
    expect((await shown(owner)).text).toBe(before);
  });

  it('does not share its memory of request ids', async () => {
    const wish = { method: 'PUT', path: ownPath(made), requestId: randomUUID() };
    expect((await ask(use(), owner, wish)).status).toBe(200);
    expect((await ask(use(), attacker, wish)).status).toBe(404);
    expect((await ask(use(), owner, wish)).status).toBe(200);
  });

  it('gets no more certificates, whoever asks, without the key of an earlier one', async () => {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const csr = csrOf(keys);
    const proof = (by: Seal['key'], text = csr) => sign('sha256', Buffer.from(text), by).toString('base64');
    const bodies: object[] = [
      { party },
      { party, use: 'web' },
      { party: { ...party, name: 'Mallory' }, csr },
      { party, csr, proof: proof(keys.privateKey) },
      { party, csr, proof: proof(attacker.key) },
      { party, csr, proof: proof(owner.key, 'another request') },
      { party, csr, proof: 'AAAA' },
      { application: made.client_id },
    ];
    for (const body of bodies) expect((await issue(body)).status, JSON.stringify(body)).toBe(409);
    expect((await issue({ party, proof: proof(owner.key) })).status).toBe(400);
  });

  it('is that of its key, also with another certificate', async () => {
    const csr = csrOf({ privateKey: owner.key, publicKey: createPublicKey(owner.keyPem) });
    const { header, serial } = done(await issue({ party, csr })).json as Record<'header' | 'serial', string>;
    const keyId = owner.keyId.replace(owner.serial, serial);
    expect(await ask(use(), { ...owner, certificate: header, serial, keyId })).toMatchObject({
      status: 409,
      json: { extensions: { registration: { client_id: made.client_id } } },
    });
  });

  it('goes over to a new key that the old one has proven, and stays with the old one', async () => {
    const successor = await successorOf(use(), party, owner);
    expect((await shown(successor)).status).toBe(200);
    expect((await ask(use(), successor, { method: 'PUT', path: ownPath(made) })).status).toBe(200);
    expect((await shown(owner)).status).toBe(200);
    expect((await shown(attacker)).status).toBe(404);
  });
});

describe('the number of an application that was made here', () => {
  const use = useService();
  let party: Party;
  let clientId: string;
  beforeAll(async () => {
    const body = { name: 'Own' };
    const answer = done(await send(use().url, { method: 'POST', path: '/sandbox/applications', body }));
    const own = answer.json as { readonly clientId: string; readonly registration: string };
    party = { name: 'Mallory', registration: own.registration };
    ({ clientId } = own);
  });

  it('gets certificates for its application, and none for those who know the number alone', async () => {
    const path = '/sandbox/pki/certificates';
    expect((await send(use().url, { method: 'POST', path, body: { party } })).status).toBe(409);
    const seal = await getSeal(use(), { application: clientId });
    expect((await ask(use(), seal)).status).toBe(409);
  });
});
