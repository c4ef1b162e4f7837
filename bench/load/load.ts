/** Load from as many processes as it needs: they begin together, and their figures are joined. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asLastResort, tempFolder } from '../endings.js';
import type { Split } from '../requests.js';
import type { LoadOrder, LoadResult } from './client.js';
import { Latencies } from './latencies.js';

/** Written once, read by every process of a load. */
export interface RequestSet {
  readonly file: string;
  readonly count: number;
}

export const saveRequests = (requests: readonly Split[]): RequestSet => {
  const file = join(tempFolder('load'), 'requests.json');
  writeFileSync(file, JSON.stringify(requests));
  return { file, count: requests.length };
};

export interface Load extends Pick<LoadOrder, 'url' | 'mode' | 'connections' | 'seconds'> {
  readonly set: RequestSet;
  readonly perSecond?: number;
  readonly processes?: number;
}

export interface Measured {
  /** Answered with success. */
  readonly good: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly statuses: Readonly<Record<number, number>>;
  /** What was not answered with success. */
  readonly errors: number;
}

const program = fileURLToPath(new URL('client.js', import.meta.url));
const running = new Set<ChildProcess>();
asLastResort(() => {
  for (const child of running) child.kill('SIGKILL');
});

const startClient = async (order: LoadOrder): Promise<ChildProcess> => {
  const child = fork(program, { execArgv: [] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.send(order);
  await once(child, 'message');
  return child;
};

const resultOf = async (child: ChildProcess): Promise<LoadResult> => {
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`the load ended with ${code}`)),
  );
  const result = once(child, 'message').then(([message]) => message as LoadResult);
  child.send('go');
  return Promise.race([result, ended]);
};

/** `whenReady` is called when the load begins, after it was prepared. */
export const load = async (
  { url, set, mode, connections, seconds, perSecond = 0, processes = 1 }: Load,
  whenReady: () => void = () => undefined,
): Promise<Measured> => {
  const order = (index: number): LoadOrder => ({
    url,
    file: set.file,
    from: Math.floor((set.count * (index + Math.random())) / processes),
    mode,
    connections: Math.ceil(connections / processes),
    seconds,
    perSecond: perSecond / processes,
  });
  const clients: ChildProcess[] = [];
  for (let index = 0; index < processes; index += 1) clients.push(await startClient(order(index)));
  whenReady();
  const results = await Promise.all(clients.map(resultOf));
  const latencies = new Latencies();
  const statuses: Record<number, number> = {};
  for (const result of results) {
    latencies.join(result.latencies);
    for (const [status, count] of Object.entries(result.statuses))
      statuses[Number(status)] = (statuses[Number(status)] ?? 0) + count;
  }
  const all = Object.entries(statuses).map(([status, count]) => ({
    isGood: /^[23]\d\d$/.test(status),
    count,
  }));
  const sum = (isGood: boolean): number =>
    all.filter((each) => each.isGood === isGood).reduce((total, { count }) => total + count, 0);
  return {
    good: sum(true),
    perSecond: sum(true) / seconds,
    p50Ms: latencies.percentile(0.5),
    p99Ms: latencies.percentile(0.99),
    statuses,
    errors: sum(false),
  };
};
