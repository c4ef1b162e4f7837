/** Trusted lists in a running service: what the schedule takes in counts without a restart, on every node, and a bad list changes nothing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificateOf } from '../../../src/certificate/certificate.js';
import { listTrustLists } from '../../../src/certificate/lists/stored-lists.js';
import { nameText } from '../../../src/certificate/x509/name.js';
import { MINUTE } from '../../../src/lib/clock.js';
import { ask, newParty, verdict } from '../../api/registration/support.js';
import type { Seal } from '../../signature/support.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { bothEngines } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';
import { leafKeys, World } from '../world.js';
import { listXml, newSigner, type Signer, signList } from './make-list.js';

/** A certificate of an authority that only the trusted list knows. */
const newSeal = (world: World): Seal => {
  const der = world.good(newParty());
  const { serial, issuer } = certificateOf(der);
  const number = serial.toString(16);
  return {
    ...{ certificate: der.toString('base64'), key: leafKeys.privateKey, keyPem: '', serial: number },
    keyId: `SN=${number},CA=${nameText(issuer)}`,
  };
};

const REFUSED = '401 certificate-invalid CERTIFICATE_INVALID certificate-chain';

const engines = bothEngines(
  'two nodes on one PostgreSQL take in the same lists; SQLite has one process alone',
);

describe.each(engines)('the schedule of trusted lists on %s', (engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'trapeza-lists-'));
  const unionFile = join(folder, 'eu.xml');
  let world: World;
  let greece: Signer;
  let database: TestDatabase;
  /** The one that the lists come to, and another on the same store. */
  const nodes: Service[] = [];
  let list = '';
  const sendList: RequestListener = (_request, response) => response.end(list);
  let answer = sendList;
  const host = createServer((request, response) => answer(request, response));
  let address = '';

  beforeAll(async () => {
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(host.address() as AddressInfo).port}/EL.xml`;
    world = await World.open();
    const union = newSigner(world);
    greece = newSigner(world);
    writeFileSync(unionFile, signList(listXml({ pointers: { EL: greece } }), union));
    database = await createDatabase(engine);
    const env = {
      TRAPEZA_TRUST_LISTS: `${address} ${unionFile}`,
      TRAPEZA_TRUST_LIST_SIGNERS: union.fingerprint,
      TRAPEZA_REVOCATION_HOSTS: world.host,
    };
    for (const _ of engine === 'postgres' ? [1, 2] : [1])
      nodes.push(await startService({ databaseUrl: database.url, env }));
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
    await database?.drop();
    await world?.close();
    host.closeAllConnections();
    await new Promise((resolve) => host.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  const greek = (sequence: number, status = 'granted'): string =>
    signList(
      listXml({ sequence, services: [{ name: 'Issuing', der: world.authority.issuing, status }] }),
      greece,
    );

  /** Lets the schedule have its turn; other nodes notice within two minutes. Returns what a newcomer gets from each node. */
  const verdicts = async (): Promise<string[]> => {
    await nodes[0]?.app.runJobs();
    const found: string[] = [];
    for (const node of nodes) {
      node.clock.advance(3 * MINUTE);
      const answered = await ask(node, newSeal(world));
      found.push(answered.status === 201 ? 'registered' : verdict(answered));
    }
    return found;
  };
  const everywhere = (wanted: string) => nodes.map(() => wanted);
  const stored = async () => {
    const [node] = nodes;
    return node && (await withStore(node, listTrustLists)).find(({ territory }) => territory === 'EL');
  };
  const isWarned = (text: string): boolean =>
    nodes[0]?.logs.some((line) => line.includes('"level":40') && line.includes(text)) ?? false;

  it('takes a list from an address: who was unknown is let in by every node', async () => {
    answer = (_request, response) => response.writeHead(404).end();
    expect(await verdicts()).toEqual(everywhere(REFUSED));
    list = greek(1);
    answer = sendList;
    expect(await verdicts()).toEqual(everywhere('registered'));
    expect(await stored()).toMatchObject({ source: address, sequence: 1, fault: null });
  });

  it('keeps the last good list if the next one is changed, redirected, too large or gone, and warns', async () => {
    const bad: readonly (readonly [RequestListener, string])[] = [
      [
        (_request, response) => response.end(greek(2).replace('Issuing', 'Evil')),
        'its signature is not valid',
      ],
      [
        (_request, response) => response.writeHead(302, { location: `file://${unionFile}` }).end(),
        'status 302',
      ],
      [(_request, response) => response.end(Buffer.alloc(33 * 1024 * 1024)), 'it is larger than 32 MiB'],
      [(request) => request.socket.destroy(), 'UND_ERR_SOCKET'],
    ];
    for (const [how, fault] of bad) {
      answer = how;
      expect(await verdicts()).toEqual(everywhere('registered'));
      expect(await stored()).toMatchObject({ sequence: 1, fault: expect.stringContaining(fault) as string });
      expect(isWarned(fault)).toBe(true);
    }
  });

  it('ends the trust in the certificates of an authority that is withdrawn, even if it was the last one', async () => {
    list = greek(3, 'withdrawn');
    answer = sendList;
    expect(await verdicts()).toEqual(everywhere(REFUSED));
    expect(await stored()).toMatchObject({ sequence: 3, services: 0, fault: null });
    expect(isWarned('Provider SA: Issuing')).toBe(true);
    list = greek(2);
    expect(await verdicts()).toEqual(everywhere(REFUSED));
    expect(isWarned('it is older')).toBe(true);
  });
});
