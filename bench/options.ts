/** The flags of `npm run bench`, read and checked. */
import { parseArgs } from 'node:util';

export const subjectIds = [
  'bare',
  'read',
  'durable-sqlite',
  'demo-sqlite',
  'durable-postgres',
  'demo-postgres',
  'production-floor',
  'production',
  'production-batches',
] as const;
export type SubjectId = (typeof subjectIds)[number];

const CORES_FOR_NODES = 8;

export const usage = `npm run bench -- [flags]

Measures a funds confirmation as a bank runs it, and what stands below it, in one run.

  --rounds <n>        3      --seconds <n>      5      --warm <s>   15      --connections <n>  32
  --only <list>       of ${subjectIds.join(', ')};
                      each with its floor; empty (--only=) for none, with --nodes, --core or --overload
  --node <list>       paths or versions of Node for the programs under test (20,22,24); versions come from npm
  --nodes <list>      as many nodes on one PostgreSQL and one port (1,2,4,8); needs ${CORES_FOR_NODES} cores
  --core <list>       a core that takes so many milliseconds (20,80,300), up to more than its calls at once allow
  --overload <s>      ten times the capacity for so many seconds
  --json <file>       write what was measured
  --doc <file>        write the tables into the document, between its markers
  --pack <file>       measure nothing: pack what a machine without a network needs (.tar.gz, .tar.xz), with the versions of --node
`;

export interface Options {
  readonly rounds: number;
  readonly seconds: number;
  /** Seconds between the first three and those that count. */
  readonly warm: number;
  readonly connections: number;
  readonly only: readonly SubjectId[];
  readonly node: readonly string[];
  /** Numbers of nodes; empty if scale is not measured. */
  readonly nodes: readonly number[];
  /** Milliseconds that a core takes; empty if that is not measured. */
  readonly core: readonly number[];
  /** Seconds; 0 if overload is not measured. */
  readonly overload: number;
  readonly json?: string;
  readonly doc?: string;
  readonly pack?: string;
  readonly help: boolean;
}

const flags = {
  rounds: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '5' },
  warm: { type: 'string', default: '15' },
  connections: { type: 'string', default: '32' },
  only: { type: 'string' },
  node: { type: 'string' },
  nodes: { type: 'string' },
  core: { type: 'string' },
  overload: { type: 'string', default: '0' },
  json: { type: 'string' },
  doc: { type: 'string' },
  pack: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

/** Everything a run does is bounded, so its flags are. */
const number = (name: string, text: string, least: number, most: number): number => {
  const value = Math.floor(Number(text));
  if (!(value >= least && value <= most)) throw new Error(`--${name} is a number from ${least} to ${most}`);
  return value;
};

const listOf = (text: string | undefined): string[] => text?.split(',').filter(Boolean) ?? [];

const subjectsIn = (text: string | undefined): SubjectId[] => {
  const wanted = listOf(text);
  const unknown = wanted.filter((each) => !subjectIds.some((id) => id === each));
  if (unknown.length > 0) throw new Error(`--only knows ${subjectIds.join(', ')}, not ${unknown.join(', ')}`);
  return subjectIds.filter((id) => text === undefined || wanted.includes(id));
};

const nodesIn = (text: string | undefined, cores: number): number[] => {
  const nodes = listOf(text).map((each) => number('nodes', each, 1, 64));
  if (nodes.length > 0 && cores < CORES_FOR_NODES)
    throw new Error(
      `--nodes needs ${CORES_FOR_NODES} cores, this machine has ${cores}: the nodes, PostgreSQL and the load would share them, and the figures would mean nothing`,
    );
  return nodes;
};

export const readOptions = (args: readonly string[], cores: number): Options => {
  const { values } = parseArgs({ args: [...args], options: flags, strict: true });
  const { json, doc, pack } = values;
  return {
    rounds: number('rounds', values.rounds, 1, 100),
    seconds: number('seconds', values.seconds, 1, 300),
    warm: number('warm', values.warm, 0, 300),
    connections: number('connections', values.connections, 1, 1000),
    only: subjectsIn(values.only),
    node: listOf(values.node),
    nodes: nodesIn(values.nodes, cores),
    core: listOf(values.core).map((each) => number('core', each, 1, 10_000)),
    overload: number('overload', values.overload, 0, 600),
    ...(json ? { json } : {}),
    ...(doc ? { doc } : {}),
    ...(pack ? { pack } : {}),
    help: values.help,
  };
};
