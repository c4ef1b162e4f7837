/** A busy machine changes no verdict: tests wait for conditions, as long as it takes, and never for a time. */
import { describe, expect, it } from 'vitest';
import { codeOf, filesUnder, type SourceFile } from './lib/source.js';

const tests = filesUnder('test').map((file) => ({ ...file, code: codeOf(file) }));
type Code = Pick<SourceFile, 'path'> & { readonly code: string };

const matching = (files: readonly Code[], pattern: RegExp): string[] =>
  files.filter(({ code }) => pattern.test(code)).map(({ path }) => path);

/** A limit below half a minute decides something that a busy machine may take as long for. */
const SHORTEST_LIMIT_MS = 30_000;

const limitsIn = (code: string): number[] =>
  [...code.matchAll(/(?:\btimeout: |AbortSignal\.timeout\()([\d_]+)/g)].map(([, digits = '']) =>
    Number(digits.replaceAll('_', '')),
  );

const hasShortLimit = ({ code }: Code): boolean => limitsIn(code).some((limit) => limit < SHORTEST_LIMIT_MS);

describe('tests', () => {
  /** No verdict depends on how long these timers take. */
  const timers: Readonly<Record<string, string>> = {
    'test/account-pages/kill-approvals.release.test.ts': 'a pause between two tries of a person',
    'test/api/confirm-funds-alone.test.ts': 'the timers of the service are noted, none is set',
    'test/api/registration/kills.release.test.ts': 'a pause between two tries of a third party',
    'test/attacks/behaviour/guessing-logins.release.test.ts': 'a core that is slow on purpose',
    'test/attacks/transport/mixes.ts': 'a client that leaves without an answer',
    'test/bank/http/faults.test.ts': 'a core that dies while it is asked',
    'test/bank/http/guard.test.ts': 'the pace of the load while something is measured',
    'test/core-kit/core-check/cores/legacy.ts': 'a core that is slow on purpose',
    'test/deploy/rehearsal.ts': 'the pace of the load; no proxy says when it believes that a node is back',
    'test/events/delivery/order.release.test.ts': 'a receiver that is slow on purpose',
    'test/faults/campaign/break/node-process.ts': 'a clock that moves, and a limit of a minute',
    'test/faults/campaign/campaign.ts': 'the moments of the faults, and a limit of half a minute',
    'test/faults/campaign/embedded.release.test.ts': 'the moments of the faults',
    'test/faults/campaign/ha-parts.ts': 'how long a fault lasts',
    'test/faults/campaign/load/caller.ts':
      'the pace of the load, and the time in which an answer is promised',
    'test/faults/campaign/load/journal.ts': 'the limit that its caller gives',
    'test/faults/campaign/load/third-party.ts': 'the pace of the load',
    'test/faults/campaign/parts.ts': 'how long a fault lasts',
    'test/faults/faulty-proxy.ts': 'a proxy that is slow on purpose',
    'test/faults/store/reads.release.test.ts': 'a limit of half a minute, after which a read hangs',
    'test/journeys/example-cores.release.test.ts': 'the moments of restarts, and a pause between two tries',
    'test/journeys/production.ts': 'a proxy that is slow on purpose',
    'test/payment/mortal.ts': 'the moments of death',
    'test/payment/nodes.ts': 'a caller who gives up on purpose, and a pause between two tries',
    'test/payment/remote/core-kills.release.test.ts': 'the moments of death',
    'test/attacks/transport/headers-first.test.ts': 'the limit of a request that waits for its body',
    'test/payment/remote/paused.release.test.ts': 'for how long a process is stopped',
    'test/payment/remote/instant.release.test.ts': 'a pause between two looks at the same list',
    'test/support/until.ts': 'the one way to wait for a condition',
    'test/upgrade/people.ts': 'the pace of the load',
    'test/upgrade/rolling.ts': 'how long each version serves',
  };

  it('use no timer, but for this list: they wait with `until` or `expect.poll`', () => {
    expect(matching(tests, /\bsetTimeout\b/).toSorted()).toEqual(Object.keys(timers).toSorted());
  });

  it('do not wait with vi.waitFor, which gives up after a second', () => {
    expect(matching(tests, /\bvi\.wait(For|Until)\b/)).toEqual([]);
  });

  it('give up after half a minute at the earliest', () => {
    expect(tests.filter(hasShortLimit).map(({ path }) => path)).toEqual([]);
  });

  it('get free ports from bench/free-port.ts alone', () => {
    const all = [...tests, ...filesUnder('bench').map((file) => ({ ...file, code: codeOf(file) }))];
    const finders = matching(all, /\bfreePort =|\bclose\(\(\) => resolve\(\w+\)\)/);
    expect(finders).toEqual(['bench/free-port.ts']);
  });

  it.each([
    ['await expect.poll(read, { timeout: 20_000 }).toBe(1);', true],
    ['const signal = AbortSignal.timeout(5000);', true],
    ['await expect.poll(read, { timeout: 60_000 }).toBe(1);', false],
    ['await expect.poll(read).toBe(1);', false],
  ])('are held to it: %s', (code, isShort) => {
    expect(hasShortLimit({ path: 'test/x.test.ts', code })).toBe(isShort);
  });
});
