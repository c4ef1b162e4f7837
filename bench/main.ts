/**
 * `npm run bench`: what a funds confirmation costs as a bank runs it, beside floors that do the least that is needed for the same answer.
 * docs/performance.md says how it is measured and how to read it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { endAll, endOnSignals, unlessStopped } from './endings.js';
import { openRows } from './floors/rows.js';
import { canPin, cores, pinSelf, processor } from './machine.js';
import { nodeProgram, versionOf } from './node-versions.js';
import { type Options, readOptions, type SubjectId, subjectIds, usage } from './options.js';
import { measureOverload } from './overload.js';
import { pack } from './pack.js';
import { startOwn } from './programs.js';
import { reportOf, writeFigures } from './report.js';
import { errorsIn, median, type Result } from './result.js';
import { measureRounds } from './rounds.js';
import { measureScale } from './scale.js';
import { measureSlowCores } from './slow-core.js';
import { type Engine, newDatabase } from './stores.js';
import { floorOf, type Surroundings, subjectOf } from './subjects.js';

const COMMITS = 200;

/** The median of one insert after the other, each with its commit. */
const commitMs = async (engine: Engine): Promise<number> => {
  const store = await openRows(await newDatabase(engine));
  const times: number[] = [];
  for (let commit = 0; commit < COMMITS; commit += 1) {
    const startedAt = performance.now();
    await store('{}');
    times.push(performance.now() - startedAt);
  }
  return median(times);
};

/** With the floors that they are parts of. */
const idsOf = ({ only }: Options): SubjectId[] =>
  subjectIds.filter((id) => only.includes(id) || only.some((each) => floorOf[each] === id));

const measure = async (around: Surroundings, options: Options): Promise<Result> => {
  const { rounds, seconds, warm, connections } = options;
  const { node } = around;
  const subjects = [];
  for (const id of idsOf(options)) subjects.push(await subjectOf(id, around));
  return {
    takenAt: new Date().toISOString(),
    node: versionOf(node),
    processor,
    cores,
    isPinned: canPin,
    effort: { rounds, seconds, warm, connections },
    rows: await measureRounds(subjects, options),
    commitMs:
      subjects.length === 0 ? {} : { sqlite: await commitMs('sqlite'), postgres: await commitMs('postgres') },
    nodes: await measureScale(around, options),
    slowCores: await measureSlowCores(around, options),
    ...(options.overload > 0
      ? { overload: await measureOverload(await subjectOf('production', around), options) }
      : {}),
  };
};

/** One process of the core answers the batches of three nodes. */
const coresFor = (nodes: number): string => String(Math.ceil(nodes / 3));

const measureAll = async (options: Options): Promise<Result[]> => {
  const nodes = options.node.length > 0 ? options.node.map(nodeProgram) : [process.execPath];
  const most = Math.max(1, ...options.nodes);
  pinSelf(most);
  const { url: coreUrl } = await startOwn(process.execPath, ['core.js'], 0);
  const { url: batchingCoreUrl } = await startOwn(
    process.execPath,
    ['core.js', 'batches', coresFor(most)],
    0,
  );
  const results: Result[] = [];
  for (const node of nodes) results.push(await measure({ node, coreUrl, batchingCoreUrl }, options));
  return results;
};

const run = async (): Promise<number> => {
  const options = readOptions(process.argv.slice(2), cores);
  const { json, doc } = options;
  if (options.help) {
    console.log(usage);
    return 0;
  }
  if (options.pack) {
    for (const each of options.node) nodeProgram(each);
    pack(options.pack);
    return 0;
  }
  endOnSignals();
  const results = await measureAll(options);
  console.log(`\n${results.map(reportOf).join('\n\n')}`);
  if (json) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
  if (doc) writeFileSync(doc, writeFigures(readFileSync(doc, 'utf8'), results));
  const errors = results.reduce((sum, each) => sum + errorsIn(each), 0);
  if (errors > 0)
    console.error(`${errors} requests were not answered with success: the figures do not count.`);
  return errors > 0 ? 1 : 0;
};

const code = await run().catch(async (error: unknown) => {
  await unlessStopped(error);
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
await endAll();
process.exit(code);
