/**
 * More than a server can do: requests are due at a constant rate, far above its capacity, and leave as soon as one of many connections
 * is free. What finds none is never sent, as with any client whose connections are all waiting.
 */
import { percentile } from '../report/statistics.js';
import type { Split } from '../requests.js';
import { Line } from './open-loop.js';
import { joinRequest, newRequestId } from './wire.js';

export interface FloodOptions {
  readonly url: string;
  readonly requests: readonly Split[];
  readonly perSecond: number;
  readonly seconds: number;
  readonly connections: number;
}

export interface Flooded {
  readonly due: number;
  readonly sent: number;
  /** By status; 0 stands for a connection that broke. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly goodPerSecond: number;
  /** From the sending of a request that was answered with success. */
  readonly goodP50Ms: number;
  readonly goodP99Ms: number;
  readonly refusedP99Ms: number;
}

const REPLACE_MS = 100;
const TICK_MS = 1;

export const flood = async ({
  url,
  requests,
  perSecond,
  seconds,
  connections,
}: FloodOptions): Promise<Flooded> => {
  const statuses: Record<number, number> = {};
  const [good, refused]: [number[], number[]] = [[], []];
  const [idle, all] = [[] as Line[], new Set<Line>()];
  let [sent, isOver] = [0, false];
  const count = (status: number): void => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const addLine = (): void => {
    if (isOver) return;
    const line = new Line(new URL(url), (wasBusy) => {
      if (wasBusy) count(0);
      all.delete(line);
      if (idle.includes(line)) idle.splice(idle.indexOf(line), 1);
      setTimeout(addLine, REPLACE_MS).unref();
    });
    all.add(line);
    idle.push(line);
  };
  for (let each = 0; each < connections; each += 1) addLine();

  const startedAt = performance.now();
  const elapsed = (): number => performance.now() - startedAt;
  const send = (line: Line): void => {
    const sentAt = elapsed();
    const request = requests[sent % requests.length] as Split;
    sent += 1;
    line.send(joinRequest(request, newRequestId()), (status) => {
      if (isOver) return;
      count(status);
      (status < 400 ? good : refused).push(elapsed() - sentAt);
      idle.push(line);
    });
  };
  while (elapsed() < seconds * 1000) {
    const due = (elapsed() / 1000) * perSecond;
    // Oldest first, so that every connection has its turn.
    while (sent < due && idle.length > 0) send(idle.shift() as Line);
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  isOver = true;
  for (const line of all) line.close();
  good.sort((one, other) => one - other);
  refused.sort((one, other) => one - other);
  return {
    due: Math.round(perSecond * seconds),
    sent,
    statuses,
    goodPerSecond: good.length / seconds,
    goodP50Ms: percentile(good, 0.5),
    goodP99Ms: percentile(good, 0.99),
    refusedP99Ms: refused.length > 0 ? percentile(refused, 0.99) : 0,
  };
};
