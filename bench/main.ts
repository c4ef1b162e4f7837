/**
 * `npm run bench`: the operations of the service as parts of what bare node:http does on the same core, and what else is promised
 * about speed. docs/performance.md says how it is measured and how to read it.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { endAll, endOnSignals, unlessStopped } from './endings.js';
import { loadProgram } from './load/closed-loop.js';
import { canPin, cores, pinSelf, processor } from './machine.js';
import { type Options, readOptions, usage } from './options.js';
import { writeFigures } from './report/document.js';
import { pictureOf } from './report/picture.js';
import { errorsIn, mergeResults, type Result } from './report/result.js';
import { asText, conditionsText, tablesOf } from './report/tables.js';
import { checksOf } from './report/targets.js';

const readJson = (file: string): Result => JSON.parse(readFileSync(file, 'utf8')) as Result;

const write = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.error(`wrote ${file}`);
};

/** What stands around the service. */
const measureSurroundings = async (measured: Result, options: Options): Promise<Result> => {
  const { parts } = options;
  let result = measured;
  if (parts.core) {
    const { measureCore } = await import('./runs/core.js');
    result = { ...result, core: await measureCore(options) };
  }
  if (parts.tls) {
    const { measureTls } = await import('./runs/tls.js');
    result = { ...result, tls: await measureTls(options) };
  }
  if (parts.idle > 0) {
    const { measureIdle } = await import('./runs/idle.js');
    result = { ...result, idle: await measureIdle(options) };
  }
  if (parts.peers) {
    const { measurePeers } = await import('./runs/peers.js');
    result = { ...result, peers: await measurePeers(options) };
  }
  return result;
};

/** Only what is wanted is loaded, and one part after the other is measured. */
const measure = async (options: Options): Promise<Result> => {
  const { parts } = options;
  pinSelf(options.workers);
  const node = process.versions.node;
  const conditions = { processor, cores, node, load: loadProgram, isPinned: canPin };
  let result: Result = { conditions };
  if (parts.start) {
    const { measureStart } = await import('./runs/start-up.js');
    result = { ...result, start: await measureStart(options) };
  }
  if (parts.operations) {
    const { measureOperations } = await import('./runs/operations.js');
    result = { ...result, operations: await measureOperations(options) };
  }
  if (parts.rate) {
    const { measureRate } = await import('./runs/rate.js');
    result = { ...result, rate: await measureRate(result.operations?.rows ?? [], options) };
  }
  if (parts.scale) {
    const { measureScale } = await import('./runs/scale.js');
    result = { ...result, scale: await measureScale(options) };
  }
  if (parts.soak > 0) {
    const { measureSoak } = await import('./runs/soak.js');
    result = { ...result, soak: await measureSoak(options) };
  }
  if (parts.overload > 0) {
    const { measureOverload } = await import('./runs/overload.js');
    result = { ...result, overload: await measureOverload(options) };
  }
  if (parts.signed) {
    const { measureSigned } = await import('./runs/signed.js');
    result = { ...result, signed: await measureSigned(options) };
  }
  return measureSurroundings(result, options);
};

const PICTURE = 'images/performance.svg';

const publish = (result: Result, { json, picture, doc }: Options): void => {
  if (json) write(json, `${JSON.stringify({ ...result, checks: checksOf(result) }, null, 2)}\n`);
  if (picture) write(picture, pictureOf(result));
  if (!doc) return;
  write(join(dirname(doc), PICTURE), pictureOf(result));
  write(doc, writeFigures(readFileSync(doc, 'utf8'), result, PICTURE));
};

const run = async (): Promise<number> => {
  const options = readOptions(process.argv.slice(2), cores);
  if (options.help) {
    console.log(usage);
    return 0;
  }
  endOnSignals();
  const fresh = options.from ? readJson(options.from) : await measure(options);
  const { json } = options;
  const result = mergeResults(json && existsSync(json) ? readJson(json) : undefined, fresh);
  console.log(`\n${conditionsText(fresh)}\n`);
  for (const table of tablesOf(fresh)) console.log(asText(table));
  publish(result, options);
  const errors = errorsIn(fresh);
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
