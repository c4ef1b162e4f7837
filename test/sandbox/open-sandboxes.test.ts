/** Which sandboxes of developers a process has open: few, those that are used, and of every source as many as of others. */
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { OpenSandboxes } from '../../packages/sandbox/src/developers/open-sandboxes.js';
import { MINUTE, SECOND } from '../../src/lib/clock.js';
import { networkOf, type Source } from '../../src/lib/net/address.js';
import { Problem } from '../../src/problem/problem.js';
import { ManualClock } from '../lib/manual-clock.js';

const MOST = 8;
const [COMPANY, STRANGER, THIRD] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(networkOf) as [
  Source,
  Source,
  Source,
];

const used = () => {
  const clock = new ManualClock();
  const opened: string[] = [];
  const closed: string[] = [];
  const refused: string[] = [];
  const sandboxes = new OpenSandboxes({
    clock,
    places: MOST,
    start: async (id) => {
      if (id === 'broken') throw new Error('no store');
      opened.push(id);
      return {
        handle: () => undefined,
        close: async () => void closed.push(id),
        isFull: async (isWrite) => id === 'full' && isWrite,
      };
    },
    onRefused: (reason, source) => void refused.push(`${reason} ${source}`),
  });
  const wanted = (id: string, source: Source = COMPANY) => ({ id, place: id, source });
  /** A request that is under way until it is ended. */
  const ask = async (
    id: string,
    source?: Source,
    request: object = { method: 'POST' },
  ): Promise<() => void> => {
    const response = new EventEmitter() as ServerResponse;
    const whole =
      request instanceof PassThrough ? request : { headers: {}, complete: true, url: '/', ...request };
    await sandboxes.serve(wanted(id, source), whole as IncomingMessage, response, () => false);
    return () => void response.emit('close');
  };
  const call = async (id: string, source?: Source): Promise<void> => (await ask(id, source))();
  return { clock, opened, closed, refused, sandboxes, wanted, ask, call };
};

const names = Array.from({ length: MOST }, (_, index) => `d${index}`);

describe('the sandboxes that are open', () => {
  it('are opened once and closed when they are idle', async () => {
    const { clock, opened, closed, sandboxes, ask, call } = used();
    const end = await ask('a');
    await call('a');
    await call('b');
    expect(opened).toEqual(['a', 'b']);
    clock.advance(11 * MINUTE);
    await sandboxes.closeIdle();
    expect(closed).toEqual(['b']);
    end();
    await sandboxes.closeIdle();
    expect(closed).toEqual(['b', 'a']);
    expect(sandboxes.ids).toEqual([]);
  });

  it('make room for another: the one that was not used for longest and has nothing under way', async () => {
    const { clock, closed, sandboxes, ask, call } = used();
    await ask('d0');
    for (const name of names.slice(1)) await call(name);
    clock.advance(11 * SECOND);
    await call('d1');
    await call('new');
    expect(closed).toEqual(['d2']);
    expect(sandboxes.ids).toHaveLength(MOST);
  });

  it('refuse another one of their own source while all were opened just now', async () => {
    const { clock, closed, refused, sandboxes, ask, call } = used();
    for (const name of names) await ask(name);
    await expect(call('new')).rejects.toThrow(Problem);
    expect([closed, sandboxes.ids, refused]).toEqual([[], names, [`places ${COMPANY}`]]);
    clock.advance(11 * SECOND);
    await ask('new');
    expect(sandboxes.ids).toEqual([...names.slice(1), 'new']);
  });

  it('give way at once to a source that has fewer, and also if requests are under way in all of them', async () => {
    const { refused, sandboxes, ask, call } = used();
    for (const name of names) await ask(name);
    for (const [index, stranger] of ['s1', 's2', 's3'].entries()) {
      await call(stranger, STRANGER);
      expect(sandboxes.ids).toEqual([...names.slice(index + 1), 's1', 's2', 's3'].slice(0, MOST));
    }
    // Of two sources with about as many each, none takes a place from the other.
    await call('s4', STRANGER);
    await expect(call('s5', STRANGER)).rejects.toThrow(Problem);
    await call('t1', THIRD);
    expect(refused).toEqual([`places ${STRANGER}`]);
    expect(sandboxes.ids).toContain('t1');
  });

  it('let a request that is under way end before they close', async () => {
    const { closed, sandboxes, ask } = used();
    const end = await ask('a');
    const closing = sandboxes.close('a');
    const first = await Promise.race([closing, new Promise((next) => setImmediate(next, 'waits'))]);
    expect([first, closed]).toEqual(['waits', []]);
    end();
    await closing;
    expect(closed).toEqual(['a']);
  });

  it('are neither opened nor kept open by a request whose body has not arrived', async () => {
    const { clock, opened, closed, sandboxes, ask, call } = used();
    await call('a');
    const slow = Object.assign(new PassThrough(), {
      headers: { 'content-length': '5' },
      complete: false,
      url: '/',
    });
    const waits = [ask('a', COMPANY, slow), ask('b', COMPANY, slow)];
    clock.advance(11 * MINUTE);
    await sandboxes.closeIdle();
    expect([opened, closed]).toEqual([['a'], ['a']]);
    slow.complete = true;
    slow.write('12345');
    for (const end of await Promise.all(waits)) end();
    expect(opened).toEqual(['a', 'a', 'b']);
  });

  it('give up the place of a sign-up at once, so that more can sign up than there are places', async () => {
    const { refused, sandboxes, wanted } = used();
    for (let number = 0; number < 3 * MOST; number += 1) await sandboxes.prepare(wanted(`n${number}`));
    expect([sandboxes.ids.length, refused]).toEqual([MOST, []]);
  });

  it('are opened at most thirty times a minute for one source', async () => {
    const { clock, opened, refused, sandboxes, call } = used();
    const open = async (source?: Source): Promise<void> => {
      await call('a', source);
      await sandboxes.close('a');
    };
    for (let number = 0; number < 30; number += 1) await open();
    await expect(open()).rejects.toThrow(Problem);
    await open(STRANGER);
    expect([opened.length, refused]).toEqual([31, [`openings ${COMPANY}`]]);
    clock.advance(MINUTE);
    await open();
  });

  it('take no more writes when they are full, but reads and a reset', async () => {
    const { refused, ask, call } = used();
    await expect(call('full')).rejects.toThrow(Problem);
    (await ask('full', COMPANY, { method: 'GET' }))();
    (await ask('full', COMPANY, { method: 'POST', url: '/sandbox/reset' }))();
    expect(refused).toEqual([`size ${COMPANY}`]);
  });

  it('are tried again if they could not be opened', async () => {
    const { sandboxes, call } = used();
    for (const _ of [1, 2]) await expect(call('broken')).rejects.toThrow('no store');
    expect(sandboxes.ids).toEqual([]);
  });
});
