/**
 * From the command to the first ready answer, on a built tree and an empty store, beside an app of the framework that does nothing.
 * Both start in the same way: by npm, which costs something itself and has the service check that it is built, and by node.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../endings.js';
import { cores } from '../machine.js';
import type { Options } from '../options.js';
import { floorCommand, type Program, root, start, startService } from '../programs.js';
import type { Part, StartRow } from '../report/result.js';
import { median } from '../report/statistics.js';

const MAX_MS = 60_000;

const isAnswered = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url)).status !== 503;
  } catch {
    return false;
  }
};

/** Until something other than "unavailable" is answered; the framework's 404 is an answer too. */
const timed = async (begin: () => Promise<Program>): Promise<number> => {
  const startedAt = performance.now();
  const program = await begin();
  const url = program.managementUrl ? `${program.managementUrl}/health/ready` : program.url;
  while (!(await isAnswered(url))) {
    if (performance.now() - startedAt > MAX_MS) throw new Error('it started, but is not ready');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const took = performance.now() - startedAt;
  await program.stop();
  return took;
};

const emptyStore = (): string => `sqlite:${join(tempFolder('bench-start'), 'bench.db')}`;
const npmStart = ['npm', 'start'];

/** Nothing is under load here, so nothing is pinned. */
const ways = (): Record<StartRow['way'], Record<'service' | 'framework', () => Promise<Program>>> => {
  const bare = floorCommand(['framework']);
  const folder = tempFolder('bench-bare');
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'bare', private: true, scripts: { start: bare.join(' ') } }),
  );
  return {
    'npm start': {
      service: () => startService(emptyStore(), { command: npmStart, cwd: root, launches: true, cores }),
      framework: () => start({ command: npmStart, cwd: folder, launches: true, cores }),
    },
    node: {
      service: () => startService(emptyStore(), { cores }),
      framework: () => start({ command: bare, cores }),
    },
  };
};

export const measureStart = async ({ rounds, seconds, connections }: Options): Promise<Part<StartRow>> => {
  const rows: StartRow[] = [];
  for (const [way, { service, framework }] of Object.entries(ways())) {
    const [ours, theirs]: [number[], number[]] = [[], []];
    // The first of both only fills the caches of the disk.
    for (let round = 0; round <= rounds; round += 1) {
      const [one, other] = [await timed(framework), await timed(service)];
      console.error(`  ${way}: framework ${Math.round(one)} ms, service ${Math.round(other)} ms`);
      if (round === 0) continue;
      theirs.push(one);
      ours.push(other);
    }
    rows.push({ way: way as StartRow['way'], serviceMs: median(ours), frameworkMs: median(theirs) });
  }
  return { takenAt: new Date().toISOString(), rounds, seconds, connections, rows };
};
