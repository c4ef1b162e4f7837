/** Ten times the capacity: how much of the capacity is left, and how long those wait who are answered. */
import { load } from './load/load.js';
import { usageOf } from './machine.js';
import type { Options } from './options.js';
import type { Overload } from './result.js';
import type { Subject } from './subjects.js';

const TIMES = 10;
const CONNECTIONS = 2_000;
const SAMPLE_MS = 500;

export const measureOverload = async (
  subject: Subject,
  { seconds, warm, connections, overload }: Options,
): Promise<Overload> => {
  const { url, pid, stop } = await subject.start();
  const { set } = subject;
  const closed = (lasting: number) => load({ url, set, mode: 'closed', seconds: lasting, connections });
  await closed(Math.max(1, warm));
  const before = await closed(seconds);
  let rssMb = 0;
  const watch = setInterval(() => {
    rssMb = Math.max(rssMb, usageOf(pid).rssMb);
  }, SAMPLE_MS);
  const perSecond = TIMES * before.perSecond;
  const flooded = await load({
    url,
    set,
    mode: 'flood',
    seconds: overload,
    connections: CONNECTIONS,
    perSecond,
  });
  clearInterval(watch);
  // The machine may be slower or faster than a minute ago: the capacity is what it was before and is after.
  const after = await closed(seconds);
  await stop();
  const refused = flooded.statuses[503] ?? 0;
  return {
    capacity: (before.perSecond + after.perSecond) / 2,
    sentPerSecond: (flooded.good + flooded.errors) / overload,
    goodPerSecond: flooded.perSecond,
    goodP50Ms: flooded.p50Ms,
    goodP99Ms: flooded.p99Ms,
    refusedPerSecond: refused / overload,
    rssMb,
    errors: before.errors + flooded.errors - refused + after.errors,
  };
};
