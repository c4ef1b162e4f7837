/** Which files of the product run during one request, by V8's own count of calls, and how imports lead to them. */
import { existsSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const MODULES = join(root, '.unbundled/');
const session = new Session();

/** The source of a module that runs, from src/ on. */
const sourceOf = (path: string): string => {
  const name = path.slice(MODULES.length).replace(/\.js$/, '');
  return existsSync(join(root, 'src', `${name}.tsx`)) ? `${name}.tsx` : `${name}.ts`;
};

/** By file, the names of the functions that were called. */
export type Called = ReadonlyMap<string, ReadonlySet<string>>;

/** Since the last time this was asked. */
const calledSince = async (): Promise<Called> => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const called = new Map<string, Set<string>>();
  for (const { url, functions } of result) {
    const names = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
    if (names.length === 0 || !url.startsWith('file:') || !fileURLToPath(url).startsWith(MODULES)) continue;
    called.set(sourceOf(fileURLToPath(url)), new Set(names.map(({ functionName }) => functionName)));
  }
  return called;
};

export const beginTracing = async (): Promise<void> => {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
};

export const trace = async (request: () => Promise<unknown>): Promise<Called> => {
  await calledSince();
  await request();
  await setImmediate();
  return calledSince();
};

const IMPORT = /^(?:import|export)\b(?<type> type\b)?(?<names>[^'"]*?)(?:\bfrom )?'(?<path>\.[^']+)\.js'/gm;
const fileText = (file: string): string => readFileSync(join(root, 'src', file), 'utf8');

/** Constants tell by their names what they are, and a function that was not called is not on the way; of anything else the file is opened. */
const isFollowed = (name: string, file: string, called: ReadonlySet<string>): boolean => {
  if (called.has(name)) return true;
  if (/^[A-Z][A-Z0-9_]*$/.test(name)) return false;
  return !new RegExp(`^export (?:async )?(?:function|const ${name} = (?:async )?[<(])`, 'm').test(
    fileText(file),
  );
};

const importsOf = (file: string, called: Called, withTypes: boolean): string[] =>
  [...fileText(file).matchAll(IMPORT)].flatMap(({ groups = {} }) => {
    const target = ['.ts', '.tsx']
      .map((end) => join(dirname(file), `${groups.path}${end}`))
      .find((path) => called.has(path));
    const names = (groups.names ?? '').match(/(?:\btype )?\w+(?: as \w+)?/g) ?? [];
    const values = names.filter((name) => !name.startsWith('type ')).map((name) => name.split(' ')[0] ?? '');
    if (target === undefined) return [];
    if (withTypes && (groups.type || values.length < names.length)) return [target];
    const ran = called.get(target) ?? new Set();
    return !groups.type && values.some((name) => isFollowed(name, target, ran)) ? [target] : [];
  });

/** The files that static imports lead to, from one that ran to the next. */
export const reachedFrom = (from: string, called: Called, withTypes: boolean): Set<string> => {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file) || !called.has(file)) return;
    reached.add(file);
    importsOf(file, called, withTypes).forEach(visit);
  };
  visit(from);
  return reached;
};
