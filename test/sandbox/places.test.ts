/** A test facility with few places and little disk: what one developer does is not felt by another one. */
import { connect, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/lib/clock.js';
import { openDb } from '../../src/store/open.js';
import { type Answer, done, send, slugOf } from '../support/client.js';
import { useService } from '../support/use-service.js';
import { type Made, PASSPHRASE, pathOf } from './developers-support.js';

const ATTACKER = '192.0.2.1';
const STRANGER = '192.0.2.2';

const use = useService({
  env: {
    BASE_URL: 'http://127.0.0.1:1',
    TRAPEZA_DEMO_MONTHS: '1',
    TRAPEZA_TRUSTED_PROXIES: '127.0.0.1',
    TRAPEZA_SANDBOX_PLACES: '2',
    TRAPEZA_SANDBOX_DISK_MIB: '60',
  },
});
const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

const from = (source: string, path: string, body?: object): Promise<Answer> =>
  send(use().app.listenUrl, {
    method: body ? 'POST' : 'GET',
    path,
    headers: { 'X-Forwarded-For': source },
    outsideContract: true,
    ...(body ? { body } : {}),
  });

const signUpFrom = (source: string, name: string): Promise<Answer> =>
  from(source, '/sandbox/developers', { name, passphrase: PASSPHRASE });

/** A body of which one byte has come. */
const holdOpen = (path: string): Promise<void> =>
  new Promise((resolve) => {
    const { port } = new URL(use().app.listenUrl);
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${ATTACKER}\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n{`;
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(head, () => resolve()));
    sockets.push(socket.on('error', () => undefined));
  });

describe('places in the sandboxes of developers', () => {
  let stranger: Made;
  let first: Made;
  let second: Made;

  it('are not held by requests that never end, so that a stranger is served', async () => {
    stranger = done(await signUpFrom(STRANGER, 'stranger')).json as Made;
    first = done(await signUpFrom(ATTACKER, 'first')).json as Made;
    second = done(await signUpFrom(ATTACKER, 'second')).json as Made;
    for (const each of [first, second])
      for (let number = 0; number < 4; number += 1) await holdOpen(`${pathOf(each)}/sandbox/tokens`);
    expect((await from(STRANGER, `${pathOf(stranger)}/sandbox/clock`)).status).toBe(200);
  });

  it('are refused to the source that has them all, as an event with its reason', async () => {
    expect((await from(ATTACKER, `${pathOf(first)}/sandbox/clock`)).status).toBe(200);
    // One is the stranger's, the other was opened a moment ago.
    expect(slugOf(await from(ATTACKER, `${pathOf(second)}/sandbox/clock`))).toBe('overloaded');
    const events = use().logs.filter((line) => line.includes('"kind":"sandbox-refused"'));
    expect(events.join('')).toMatch(/"reason":"places"/);
    expect(events.join('')).toMatch(/"address":"[\w-]+"/);
  });

  it('do not let one store take the disk of all: it refuses writes, and stays readable', async () => {
    const { clientId: application } = stranger.application;
    const store = await openDb(`sqlite:${await ownFile('stranger')}`, 1);
    const call = (path: string, body?: object) => from(STRANGER, `${pathOf(stranger)}${path}`, body);
    try {
      await store.run('insert into settings (name, value) values (?, ?)', [
        'ballast',
        'x'.repeat(17 * 1_048_576),
      ]);
      use().clock.advance(3 * SECOND);
      const refused = await call('/sandbox/tokens', { application });
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('POST /sandbox/reset')]);
      expect((await call('/sandbox/clock')).status).toBe(200);
      expect((await call('/sandbox/reset', {})).status).toBe(204);
      await store.run('delete from settings where name = ?', ['ballast']);
      use().clock.advance(3 * SECOND);
      expect((await call('/sandbox/tokens', { application })).status).toBe(200);
    } finally {
      await store.close();
    }
  });

  it('end with the disk: a sign-up is told so, and nothing in use goes', async () => {
    const full = await signUpFrom('192.0.2.3', 'late');
    expect([full.status, full.text]).toEqual([409, expect.stringContaining('There are 3 sandboxes')]);
    expect((await from(STRANGER, `${pathOf(stranger)}/sandbox/clock`)).status).toBe(200);
  });
});

const ownFile = async (name: string): Promise<string> => {
  const db = await openDb(use().databaseUrl, 1);
  try {
    const row = await db.one<{ id: string }>('select id from sandbox_developers where name = ?', [name]);
    return `${use().databaseUrl.slice('sqlite:'.length)}.developers/${row?.id}.db`;
  } finally {
    await db.close();
  }
};
