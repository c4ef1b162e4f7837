/** Which files of the product run during one request, by V8's own count of calls, and how imports lead to them. */
import { existsSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const DIST = join(root, 'dist/');
const session = new Session();

/** The source of a file of dist/, from src/ on. */
const sourceOf = (path: string): string => {
  const name = path.slice(DIST.length).replace(/\.js$/, '');
  return existsSync(join(root, 'src', `${name}.tsx`)) ? `${name}.tsx` : `${name}.ts`;
};

/** The files in which a function was called since the last time this was asked. */
const calledFiles = async (): Promise<Set<string>> => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ran = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0));
  const paths = ran.flatMap(({ url }) => (url.startsWith('file:') ? [fileURLToPath(url)] : []));
  return new Set(paths.filter((path) => path.startsWith(DIST)).map(sourceOf));
};

export const beginTracing = async (): Promise<void> => {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
};

export const trace = async (request: () => Promise<unknown>): Promise<Set<string>> => {
  await calledFiles();
  await request();
  await setImmediate();
  return calledFiles();
};

const IMPORT = /^(?:import|export)\b(?<type> type\b)?[^'"]*?(?:\bfrom )?'(?<path>\.[^']+)\.js'/gm;

const importsOf = (file: string, withTypes: boolean): string[] =>
  [...readFileSync(join(root, 'src', file), 'utf8').matchAll(IMPORT)]
    .filter(({ groups }) => withTypes || groups?.type === undefined)
    .flatMap(({ groups }) => ['.ts', '.tsx'].map((end) => join(dirname(file), `${groups?.path}${end}`)));

/** Of the files that ran, those that static imports lead to, by way of files that ran. */
export const reachedFrom = (from: string, ran: ReadonlySet<string>, withTypes: boolean): Set<string> => {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file) || !ran.has(file)) return;
    reached.add(file);
    importsOf(file, withTypes).forEach(visit);
  };
  visit(from);
  return reached;
};
