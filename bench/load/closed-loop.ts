/**
 * Closed-loop load: so many connections, each sends its next request when it has its answer. wrk where it is installed, because
 * it costs next to nothing itself; else autocannon.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tempFolder } from '../endings.js';
import { hasWrk } from '../machine.js';
import type { Split } from '../requests.js';

export interface Measured {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers that were no success, and connections that broke. */
  readonly errors: number;
}

/** The halves of a request end with these; neither occurs in one. Without a second half, the first is the whole request. */
const [HALF, END] = ['\u0001', '\u0002'];

const script = `
local heads, tails, count, at, made = {}, {}, 0, 0, 0
local number = 0
function setup(thread) number = number + 1; thread:set("number", number) end
function init(args)
  local file = io.open(args[1], "rb")
  local text = file:read("*a")
  file:close()
  for head, tail in text:gmatch("([^\\1]*)\\1([^\\2]*)\\2") do
    count = count + 1
    heads[count], tails[count] = head, tail
  end
  math.randomseed(tonumber(args[2]) * 97 + number)
  at = math.random(count)
end
-- As random as those of a real caller; the number at the end makes sure that none comes twice.
local function id()
  made = made + 1
  return string.format("%08x-%04x-4%03x-8%03x-%04x%08x", math.random(0, 2147483647), math.random(0, 65535),
    math.random(0, 4095), math.random(0, 4095), math.random(0, 65535), made)
end
function request()
  at = at % count + 1
  if tails[at] == "" then return heads[at] end
  return heads[at] .. id() .. tails[at]
end
function done(summary, latency, requests)
  local e = summary.errors
  io.write(string.format("\\n{\\"requests\\":%d,\\"us\\":%d,\\"p50\\":%d,\\"p99\\":%d,\\"errors\\":%d}\\n",
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
`;

export interface RequestSet {
  readonly requests: readonly Split[];
  /** The same for wrk. */
  readonly file: string;
}

let folder: string | undefined;
let files = 0;

/** Written once for a subject. */
export const saveRequests = (requests: readonly Split[]): RequestSet => {
  folder ??= tempFolder('load');
  files += 1;
  writeFileSync(join(folder, 'load.lua'), script);
  const file = join(folder, `requests-${files}`);
  writeFileSync(file, requests.map(({ head, tail }) => `${head}${HALF}${tail}${END}`).join(''));
  return { requests, file };
};

export interface LoadOptions {
  readonly url: string;
  readonly set: RequestSet;
  readonly seconds: number;
  readonly connections: number;
  /** Of wrk; one is enough for a server that has one core. */
  readonly threads?: number;
}

const execute = promisify(execFile);
let seed = 0;
const GRACE_MS = 30_000;

const withWrk = async ({ url, set, seconds, connections, threads = 1 }: LoadOptions): Promise<Measured> => {
  seed += 1;
  const flags = {
    '-t': threads,
    '-c': connections,
    '-d': `${seconds}s`,
    '-s': join(folder ?? '', 'load.lua'),
  };
  const args = [...Object.entries(flags).flat().map(String), '--latency', url];
  const { stdout } = await execute('wrk', [...args, '--', set.file, String((Date.now() % 1e9) + seed)], {
    timeout: seconds * 1000 + GRACE_MS,
  });
  const line = stdout.trim().split('\n').at(-1) ?? '';
  const result = JSON.parse(line) as {
    requests: number;
    us: number;
    p50: number;
    p99: number;
    errors: number;
  };
  return {
    requests: result.requests,
    perSecond: result.requests / (result.us / 1e6),
    p50Ms: result.p50 / 1000,
    p99Ms: result.p99 / 1000,
    errors: result.errors,
  };
};

const withAutocannon = async (options: LoadOptions): Promise<Measured> => {
  const { runAutocannon } = await import('./autocannon.js');
  return runAutocannon(options);
};

export const loadProgram = hasWrk ? 'wrk' : 'autocannon';
export const load = hasWrk ? withWrk : withAutocannon;
