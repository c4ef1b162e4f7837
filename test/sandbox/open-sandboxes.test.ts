/** How many sandboxes of developers a process has open: few, those that are used, and never by cutting a request off. */
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { OpenSandboxes } from '../../packages/sandbox/src/developers/open-sandboxes.js';
import type { App } from '../../src/app/app.js';
import { MINUTE, SECOND } from '../../src/lib/clock.js';
import { Problem } from '../../src/problem/problem.js';
import { ManualClock } from '../lib/manual-clock.js';

const MOST = 8;

const used = () => {
  const clock = new ManualClock();
  const opened: string[] = [];
  const closed: string[] = [];
  const sandboxes = new OpenSandboxes({
    clock,
    start: async (id) => {
      if (id === 'broken') throw new Error('no store');
      opened.push(id);
      return { handle: () => undefined, close: async () => void closed.push(id) } as unknown as App;
    },
  });
  /** A request that is under way until it is ended. */
  const ask = async (id: string): Promise<() => void> => {
    const response = new EventEmitter() as ServerResponse;
    await sandboxes.serve({ id, place: id }, {} as IncomingMessage, response, () => false);
    return () => void response.emit('close');
  };
  const call = async (id: string): Promise<void> => (await ask(id))();
  return { clock, opened, closed, sandboxes, ask, call };
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

  it('refuse another while all were opened just now or are in use', async () => {
    const { clock, closed, sandboxes, ask, call } = used();
    for (const name of names) await ask(name);
    for (const _ of [1, 2]) {
      await expect(call('new')).rejects.toThrow(Problem);
      clock.advance(11 * SECOND);
    }
    expect([closed, sandboxes.ids]).toEqual([[], names]);
  });

  it('are tried again if they could not be opened', async () => {
    const { sandboxes, call } = used();
    for (const _ of [1, 2]) await expect(call('broken')).rejects.toThrow('no store');
    expect(sandboxes.ids).toEqual([]);
  });
});
