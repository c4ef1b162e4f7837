/** The load program from npm, for machines without wrk. It runs in this process and costs more itself, so figures are lower. */
import { createRequire } from 'node:module';
import type { LoadOptions, Measured } from './closed-loop.js';
import { joinRequest, newRequestId, type ReadRequest, readRequest } from './wire.js';

interface AutocannonResult {
  readonly requests: { readonly total: number };
  readonly latency: { readonly p50: number; readonly p99: number };
  readonly duration: number;
  /** Includes timeouts. */
  readonly errors: number;
  readonly mismatches: number;
  readonly '4xx': number;
  readonly '5xx': number;
}

type Autocannon = (options: {
  readonly url: string;
  readonly connections: number;
  readonly duration: number;
  readonly requests: readonly { setupRequest(): ReadRequest }[];
}) => Promise<AutocannonResult>;

const require = createRequire(import.meta.url);
const autocannon = require('autocannon') as Autocannon;

export const runAutocannon = async ({
  url,
  set: { requests },
  seconds,
  connections,
}: LoadOptions): Promise<Measured> => {
  let at = Math.floor(Math.random() * requests.length);
  const setupRequest = (): ReadRequest => {
    at = (at + 1) % requests.length;
    return readRequest(joinRequest(requests[at] ?? { head: '', tail: '' }, newRequestId()));
  };
  const result = await autocannon({ url, connections, duration: seconds, requests: [{ setupRequest }] });
  return {
    requests: result.requests.total,
    perSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    errors: result.errors + result.mismatches + result['4xx'] + result['5xx'],
  };
};
