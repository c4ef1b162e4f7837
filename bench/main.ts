/** trial */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '#trapeza/store/open.js';
import { fillStore } from './data.js';
import { load, saveRequests } from './load.js';
import { median, pinSelf, usageOf } from './machine.js';
import { startFloor, startService, stopAll } from './programs.js';
import { type Kind, requestsOf, tokensFor } from './requests.js';
import { benchSigned } from './signed.js';

pinSelf();
if (process.argv.includes('--signed')) {
  await benchSigned(3, 3);
  process.exit(0);
}
const rounds = Number(process.argv[2] ?? 3);
const seconds = Number(process.argv[3] ?? 3);
const only = (process.argv[4] ?? 'funds,status,payment,atms,atms-304').split(',') as Kind[];
const url = process.env.BENCH_DB ?? `sqlite:${join(mkdtempSync(join(tmpdir(), 'trapeza-bench-')), 'b.db')}`;
const service = await startService(url);
const db = await openDb(url, 2);
const data = await fillStore(db, 10_000);
const tokens = await tokensFor(db, data);
const floors = {
  get: await startFloor('bare', 'get', '18'),
  post: await startFloor('bare', 'post'),
  atms: await startFloor('bare', 'get', String(data.atmBytes)),
  fw: await startFloor('framework'),
};
for (const kind of only) {
  const file = saveRequests(requestsOf(kind, data, tokens));
  const floor = kind === 'funds' ? floors.post : kind === 'atms' ? floors.atms : floors.get;
  const ratios: number[] = [],
    cpus: number[] = [];
  const one = async (p: { url: string; pid: number }) => {
    const before = usageOf(p.pid);
    const m = await load({ url: p.url, file, seconds, connections: 32 });
    const after = usageOf(p.pid);
    return { ...m, cpuUs: ((after.cpuSeconds - before.cpuSeconds) / m.requests) * 1e6, rss: after.rssMb };
  };
  await one(service);
  for (let r = 0; r < rounds; r += 1) {
    const f = await one(floor);
    const s = await one(service);
    ratios.push(s.perSecond / f.perSecond);
    cpus.push(f.cpuUs / s.cpuUs);
    console.log(
      kind,
      'floor',
      Math.round(f.perSecond),
      f.cpuUs.toFixed(1),
      'service',
      Math.round(s.perSecond),
      s.cpuUs.toFixed(1),
      'errors',
      s.errors,
      f.errors,
      'p50',
      s.p50Ms,
      'p99',
      s.p99Ms,
      'rss',
      s.rss.toFixed(0),
    );
  }
  console.log(kind, 'ratio', median(ratios).toFixed(3), 'cpu ratio', median(cpus).toFixed(3));
}
await db.close();
await stopAll();
process.exit(0);
