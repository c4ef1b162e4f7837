/**
 * The load program, a process of its own. `closed`: each connection sends when it has its answer. `open`: requests are due at a constant
 * rate, whether answers come or not, and latency counts from the time at which a request was due. `flood`: the same rate, but what finds no
 * free connection is never sent, as with any client whose connections are all waiting.
 */
import { readFileSync } from 'node:fs';
import type { Split } from '../requests.js';
import { Latencies } from './latencies.js';
import { Line } from './line.js';
import { scheduleOf } from './schedule.js';
import { joinRequest } from './wire.js';

export interface LoadOrder {
  readonly url: string;
  /** With the requests as JSON. */
  readonly file: string;
  /** The first of them for this process. */
  readonly from: number;
  readonly mode: 'closed' | 'open' | 'flood';
  readonly connections: number;
  readonly seconds: number;
  /** Of this process. */
  readonly perSecond: number;
}

export interface LoadResult {
  /** By status; 0 is a connection that broke, 1 a request that was never answered. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Of requests that were answered with success. */
  readonly latencies: readonly number[];
}

const DRAIN_MS = 10_000;
const REPLACE_MS = 100;

const run = async (order: LoadOrder, requests: readonly Split[]): Promise<LoadResult> => {
  const { mode, connections, seconds, perSecond } = order;
  const url = new URL(order.url);
  const statuses: Record<number, number> = {};
  const latencies = new Latencies();
  const [idle, all] = [[] as Line[], new Set<Line>()];
  let [sent, busy, at, isOver] = [0, 0, order.from, false];
  const startedAt = performance.now();
  const elapsed = (): number => performance.now() - startedAt;
  const count = (status: number): void => {
    busy -= 1;
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const send = (line: Line, dueMs: number): void => {
    const request = requests[at % requests.length] as Split;
    [at, sent, busy] = [at + 1, sent + 1, busy + 1];
    line.send(joinRequest(request), (status, isLast) => {
      count(status);
      if (status < 400) latencies.add(elapsed() - dueMs);
      if (isLast) return;
      if (mode === 'closed' && !isOver) send(line, elapsed());
      else idle.push(line);
    });
  };
  const addLine = (): void => {
    if (isOver) return;
    const line = new Line(url, (wasBusy) => {
      if (wasBusy) count(0);
      all.delete(line);
      const place = idle.indexOf(line);
      if (place >= 0) idle.splice(place, 1);
      // A server that refuses everything ends the run by its time, not by a storm of connections.
      setTimeout(addLine, REPLACE_MS).unref();
    });
    all.add(line);
    if (mode === 'closed') send(line, elapsed());
    else idle.push(line);
  };
  for (let line = 0; line < connections; line += 1) addLine();
  const { dueAt, dueBy } = scheduleOf(perSecond, seconds);
  while (elapsed() < seconds * 1000) {
    const due = mode === 'closed' ? 0 : dueBy(elapsed());
    // The longest idle first, so that every connection has its turn.
    while (sent < due && idle.length > 0)
      send(idle.shift() as Line, mode === 'open' ? dueAt(sent) : elapsed());
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  isOver = true;
  while (mode !== 'flood' && busy > 0 && elapsed() < seconds * 1000 + DRAIN_MS)
    await new Promise((resolve) => setTimeout(resolve, 1));
  const late = mode === 'flood' ? 0 : busy;
  for (const line of all) line.close();
  return { statuses: { ...statuses, ...(late > 0 ? { 1: late } : {}) }, latencies: latencies.counts };
};

process.once('message', (order: LoadOrder) => {
  const requests = JSON.parse(readFileSync(order.file, 'utf8')) as Split[];
  process.once('message', () => {
    void run(order, requests).then((result) => process.send?.(result, () => process.exit()));
  });
  process.send?.('ready');
});
process.once('disconnect', () => process.exit());
