/** A sandbox of a developer ends with its store: when it makes room for another, while another node has it open, and after a crash. */
import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../src/lib/clock.js';
import { slugOf } from '../support/client.js';
import { bothEngines } from '../support/engines.js';
import type { Service } from '../support/service.js';
import { withStore } from '../support/use-service.js';
import { callIn, type Made, made, signUp, useNodes } from './developers-support.js';

const FILL = `insert into sandbox_developers (id, name, place, passphrase_hash, tpp_id, created_at, used_at)
  values (?, ?, ?, '', 'x', ?, ?)`;

const idOf = (service: Service, name: string): Promise<string> =>
  withStore(service, async (db) => {
    const found = await db.one<{ id: string }>('select id from sandbox_developers where name = ?', [name]);
    return found?.id ?? '';
  });

const hasStore = (service: Service, id: string): Promise<boolean> =>
  withStore(service, async (db) => {
    if (db.engine === 'sqlite')
      return existsSync(`${service.databaseUrl.slice('sqlite:'.length)}.developers/${id}.db`);
    const schema = `developer_${id.replaceAll('-', '')}`;
    return (await db.one('select 1 as one from pg_namespace where nspname = ?', [schema])) !== undefined;
  });

const clockOf = (service: Service, developer: Made) => callIn(service, developer, { path: '/sandbox/clock' });

const engines = bothEngines(
  'a sandbox of a developer is a schema of PostgreSQL or a file of SQLite, which goes while a node has it open',
);

describe.each(engines)('the end of a sandbox on %s', (engine) => {
  const node = useNodes(engine);
  let old: Made;
  beforeAll(async () => {
    old = await made(node(0), 'old');
  });

  it('of a sign-up that was killed comes with the next one, and its name is free again', async () => {
    await made(node(0), 'killed');
    const id = await idOf(node(0), 'killed');
    await withStore(node(0), (db) => db.run("update sandbox_developers set tpp_id = '' where id = ?", [id]));
    expect(slugOf(await signUp(node(0), 'killed'))).toBe('state-conflict');
    node(0).clock.advance(11 * MINUTE);
    expect((await signUp(node(0), 'killed')).status).toBe(201);
    expect([await idOf(node(0), 'killed'), await hasStore(node(0), id)]).toEqual([
      expect.not.stringMatching(id),
      false,
    ]);
  });

  it('of the least used one makes room for the 201st, also while another node has it open', async () => {
    const now = node(0).clock.now();
    await withStore(node(0), async (db) => {
      for (let number = 2; number < 200; number += 1)
        await db.run(FILL, [`id-${number}`, `d${number}`, `place-${number}`, now, now]);
    });
    expect(slugOf(await signUp(node(0), 'new'))).toBe('state-conflict');
    expect(await idOf(node(0), 'new')).toBe('');

    const id = await idOf(node(0), 'old');
    const open = await Promise.all([0, 1].map((place) => clockOf(node(place), old)));
    expect(open.map(({ status }) => status)).toEqual([200, 200]);
    await withStore(node(0), (db) =>
      db.run('update sandbox_developers set used_at = ? where id = ?', [now - 8 * DAY, id]),
    );
    expect((await signUp(node(0), 'new')).status).toBe(201);
    expect([await idOf(node(0), 'old'), await hasStore(node(0), id)]).toEqual(['', false]);
    for (const place of [1, 0]) expect((await clockOf(node(place), old)).status).toBe(404);
  });
});
