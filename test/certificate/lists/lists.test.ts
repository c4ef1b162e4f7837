/** Trusted lists: who may sign them, what is taken from them, and that a bad one never takes away what a good one gave. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ImportOutcome, importLists } from '../../../src/admin/trust-lists.js';
import { certificateOf } from '../../../src/certificate/certificate.js';
import { ListedTrust } from '../../../src/certificate/lists/listed-trust.js';
import { listTrustLists } from '../../../src/certificate/lists/stored-lists.js';
import { joinedTrust, trustSet } from '../../../src/certificate/trust.js';
import { DAY, MINUTE } from '../../../src/lib/clock.js';
import type { Db } from '../../../src/store/db.js';
import { migrate } from '../../../src/store/migrate.js';
import { openDb } from '../../../src/store/open.js';
import { filesUnder, importsOf } from '../../lib/source.js';
import { testAudit } from '../../support/audit.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { engines } from '../../support/engines.js';
import { TestClock } from '../../support/service.js';
import { World } from '../world.js';
import { listXml, newSigner, type Service, type Signer, signList } from './make-list.js';

describe('the reader of trusted lists', () => {
  it('is imported by its own thread alone: its libraries take long to load, and a large list takes seconds', () => {
    const slow = /^(xml-crypto|@xmldom\/.+)$|\/lists\/(signed-xml|read-list|list-thread)\.js$/;
    const found = filesUnder('src').filter((file) => importsOf(file).some((each) => slow.test(each)));
    expect(found.map(({ path }) => path)).toEqual(
      ['list-thread', 'read-list', 'signed-xml'].map((name) => `src/certificate/lists/${name}.ts`),
    );
  });
});

describe.each(engines)('trusted lists on %s', (engine) => {
  const clock = new TestClock();
  const folder = mkdtempSync(join(tmpdir(), 'trapeza-lists-'));
  let world: World;
  let database: TestDatabase;
  let db: Db;
  let union: Signer;
  let greece: Signer;
  let services: Service[];

  beforeAll(async () => {
    world = await World.open();
    database = await createDatabase(engine);
    db = await openDb(database.url, 2);
    await migrate(db, clock.now());
    [union, greece] = [newSigner(world), newSigner(world)];
    const { root, issuing } = world.authority;
    services = [
      { name: 'Issuing', der: issuing },
      { name: 'Gone', der: root, status: 'withdrawn' },
      { name: 'Stamps', der: root, type: 'TSA/QTST' },
      { name: 'Signatures', der: root, uses: ['ForeSignatures'] },
    ];
  });
  afterAll(async () => {
    await db?.close();
    await database?.drop();
    await world?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const take = async (name: string, text: string): Promise<ImportOutcome | undefined> => {
    const by = { actor: 'cli:test' };
    const parts = { db, audit: testAudit, clock, signers: [union.fingerprint], proxy: undefined, by };
    return (await importLists(parts, [file(name, text)]))[0];
  };
  const faultOf = async (text: string): Promise<string> => {
    const outcome = await take('EL.xml', text);
    return outcome && 'fault' in outcome ? outcome.fault : 'accepted';
  };
  const greek = (plan: object = {}, signer = greece): string =>
    signList(listXml({ services, ...plan }), signer);

  it('count only if the list of the lists names their signer, and that is signed by one of ours', async () => {
    expect(await faultOf(greek())).toContain('its signer is not one of those that may sign it');
    const lists = listXml({ pointers: { EL: greece } });
    expect(await take('eu.xml', signList(lists, greece))).toHaveProperty('fault');
    expect(await take('eu.xml', signList(lists, union))).toMatchObject({ territory: 'EU', added: [] });
    expect(await take('EL.xml', greek())).toMatchObject({
      territory: 'EL',
      added: [{ provider: 'Provider SA', name: 'Issuing', uses: 'seal' }],
      removed: [],
    });
    expect(await take('EL.xml', greek())).toMatchObject({ added: [], removed: [] });
  });

  it('give anchors for their use alone, and the hosts that answer about revocation', async () => {
    const listed = new ListedTrust(db, clock, (error) => {
      throw error;
    });
    await listed.refresh();
    const print = certificateOf(world.authority.issuing).fingerprint;
    const { anchors, uses } = await listed.current();
    expect(anchors.map(({ fingerprint }) => fingerprint)).toEqual([print]);
    expect([...(uses.get(print) ?? [])]).toEqual(['seal']);
    expect(listed.hosts()).toContain('ocsp.issuing.example');
    const seal = certificateOf(world.good());
    expect((await world.verifier({ trust: listed }).verify(seal, { use: 'seal' })).reason).toBeUndefined();
    const web = certificateOf(world.build(world.plan({ use: 'web' })));
    expect((await world.verifier({ trust: listed }).verify(web, { use: 'web' })).reason).toBe('not-anchored');
    const folderToo = joinedTrust(listed, {
      current: () => trustSet([certificateOf(world.authority.issuing)]),
    });
    expect((await world.verifier({ trust: folderToo }).verify(web, { use: 'web' })).reason).toBeUndefined();
  });

  it('are refused with the reason, and the last good one goes on counting', async () => {
    const good = greek();
    const inner = good.slice(good.indexOf('<TrustServiceStatusList'));
    const signature = /<Signature[\s\S]*<\/Signature>/.exec(inner)?.[0] ?? '';
    const wrapped = listXml({ services: [{ name: 'Evil', der: world.authority.root }] })
      .replace('Id="list"', 'Id="evil"')
      .replace(
        '</TrustServiceStatusList>',
        `<Extra>${inner.replace(signature, '')}</Extra>${signature}</TrustServiceStatusList>`,
      );
    const sha1 = 'http://www.w3.org/2000/09/xmldsig#sha1';
    const partly = signList(listXml({ services }), greece, { root: 'SchemeInformation' });
    const refused: readonly (readonly [string, string])[] = [
      [good.replace('withdrawn', 'granted'), 'its signature is not valid'],
      [wrapped, 'its signature is not valid'],
      [partly, 'does not cover the whole list'],
      [signList(listXml({ services }), greece, { hash: sha1 }), 'its signature is not valid'],
      [good.replace(signature, ''), 'it is not signed'],
      [good.replace(signature, signature + signature), 'more than one signature'],
      [`<!DOCTYPE a [<!ENTITY b "c">]>${good}`, 'document type'],
      [good.slice(0, 500), 'not well-formed'],
      [greek({ nextUpdate: clock.now() - MINUTE }), 'it has expired on'],
      [greek({ sequence: 0 }), 'it is older'],
      [greek({ issuedAt: clock.now() - 9 * DAY }), 'was issued before it'],
      [greek({ issuedAt: clock.now() + 2 * DAY }), 'in the future'],
      [greek({ nextUpdate: clock.now() + 200 * DAY }), 'more than the six months'],
      [greek({ territory: 'CY' }), 'its signer is not one'],
    ];
    for (const [text, reason] of refused) expect(await faultOf(text)).toContain(reason);
    expect(await listTrustLists(db)).toMatchObject([
      { territory: 'EL', sequence: 1, services: 1, fault: expect.stringContaining('its signer') as string },
      { territory: 'EU', services: 0 },
    ]);
  });

  it('of another country count neither in the place of ours nor for it', async () => {
    const cyprus = newSigner(world);
    const lists = listXml({ pointers: { EL: greece, CY: cyprus }, sequence: 2 });
    expect(await take('eu.xml', signList(lists, union))).toMatchObject({ territory: 'EU' });
    const cypriot = signList(listXml({ territory: 'CY', services }), cyprus);
    expect(await faultOf(cypriot)).toBe('it is the list of CY, in the place of that of EL');
    // Around what is signed stands the name of the country whose signer it has.
    const around = listXml({ territory: 'CY' }).replace('Id="list"', 'Id="around"');
    const forged = signList(
      around.replace(
        '</TrustServiceStatusList>',
        `<Extra>${listXml({ sequence: 9, services })}</Extra></TrustServiceStatusList>`,
      ),
      cyprus,
      { below: 'Extra' },
    );
    expect(await take('CY.xml', forged)).toMatchObject({
      fault: 'it says that it is of CY, but what is signed is of EL',
    });
    expect(await take('CY.xml', cypriot)).toMatchObject({ territory: 'CY', sequence: 1 });
    expect((await listTrustLists(db)).find(({ territory }) => territory === 'EL')).toMatchObject({
      sequence: 1,
    });
  });

  it('that do not end or that grow when they are opened are refused while they are read', async () => {
    const bomb = `<!ENTITY a "ha">${Array.from({ length: 30 }, (_, at) => `<!ENTITY a${at} "${'&a;'.repeat(10)}">`).join('')}`;
    for (const text of [`<?xml version="1.0"?><!DOCTYPE x [${bomb}]>${greek()}`, `<!doctype x>${greek()}`])
      expect(await faultOf(text)).toContain('document type');
    const wide = Buffer.from(
      `\uFEFF<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE x [${bomb}]><x/>`,
      'utf16le',
    );
    writeFileSync(join(folder, 'wide.xml'), wide);
    let sent = 0;
    const part = Buffer.alloc(1 << 20, 0x20);
    const host = createServer((_request, response) => {
      const send = (): void => {
        while (sent < 400 && !response.destroyed) {
          sent += 1;
          if (!response.write(part)) return;
        }
        response.end();
      };
      response.on('drain', send);
      send();
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    const endless = `http://127.0.0.1:${(host.address() as AddressInfo).port}/EL.xml`;
    const by = { actor: 'cli:test' };
    const parts = { db, audit: testAudit, clock, signers: [union.fingerprint], proxy: undefined, by };
    const outcomes = await importLists(parts, [join(folder, 'wide.xml'), endless, '/dev/zero']);
    expect(outcomes).toEqual([
      { source: join(folder, 'wide.xml'), fault: 'it is not well-formed XML', isRefusal: true },
      ...[endless, '/dev/zero'].map((source) => ({
        ...{ source, fault: 'it is larger than 32 MiB', isRefusal: true },
      })),
    ]);
    expect(sent).toBeLessThan(64);
    host.closeAllConnections();
    await new Promise((resolve) => host.close(resolve));
  });

  it('tell what has changed, in the audit log too', async () => {
    const both = { name: 'Root', der: world.authority.root, uses: ['ForWebSiteAuthentication', 'ForeSeals'] };
    expect(await take('EL.xml', greek({ sequence: 2, services: [both] }))).toMatchObject({
      added: [{ name: 'Root', uses: 'web seal' }],
      removed: [{ name: 'Issuing' }],
    });
    expect((await listTrustLists(db))[1]).toMatchObject({ sequence: 2, fault: null });
    const last = `select subject, details from audit_log where act = 'trust.import' order by position desc`;
    const row = await db.one<{ subject: string; details: string }>(last);
    expect(row?.subject).toBe('trust-list:EL');
    expect(row?.details).toContain(certificateOf(world.authority.root).fingerprint);
  });
});
