/** The flags of `npm run bench`, read and checked. */
import { parseArgs } from 'node:util';
import type { Engine, Kind } from './report/result.js';
import { CORES_FOR_WORKERS } from './report/targets.js';

export const allKinds: readonly Kind[] = ['funds', 'status', 'payment', 'atms', 'atms-304'];

export const usage = `npm run bench -- [flags]

Without a flag of a part, the operations are measured against their floors on both engines, and the funds
confirmation once more with a core behind HTTP.

  --rate              also at half of the capacity, at a constant rate
  --scale             few account holders against many
  --soak <minutes>    a mix of all operations at half of the capacity, and the memory meanwhile
  --start             from the command to the first ready answer
  --overload <s>      ten times the capacity for so many seconds
  --signed            the same requests with and without a signature
  --core              a core over HTTP that answers after 0, 5 and 50 ms
  --tls               with and without TLS
  --idle <n>          so many idle connections, plain and with TLS: what they cost
  --peers             beside Prism and an ordinary Fastify app (which are installed from npm, into .bench/peers)
  --all               all of these (with a soak of 5 minutes and 5000 idle connections unless told)

  --rounds <n>        5      --seconds <n>      5      --connections <n>  64
  --only <list>       ${allKinds.join(',')}
  --engine <name>     sqlite, postgres, remote (sqlite, with a core behind HTTP) or all
  --workers <n>       of a second service beside that with one; by default half of the cores, from ${CORES_FOR_WORKERS} cores on
  --large <n>         2000000 account holders for --scale
  --records <n>       0 funds records of them for --scale; the few have as many each

  --json <file>       write what was measured; parts that were not measured again are kept
  --picture <file>    draw it
  --doc <file>        write the tables into the document, and the picture beside it (images/performance.svg)
  --from <file>       measure nothing: report, picture and document from this JSON
`;

export interface Options {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly kinds: readonly Kind[];
  readonly engines: readonly Engine[];
  /** Without the remote core, of which only the operations are measured. */
  readonly stores: readonly Engine[];
  readonly workers: number;
  readonly large: number;
  readonly records: number;
  readonly parts: {
    readonly operations: boolean;
    readonly rate: boolean;
    readonly scale: boolean;
    /** Minutes. */
    readonly soak: number;
    readonly start: boolean;
    readonly signed: boolean;
    /** Seconds. */
    readonly overload: number;
    readonly core: boolean;
    readonly tls: boolean;
    /** Connections. */
    readonly idle: number;
    readonly peers: boolean;
  };
  readonly json?: string;
  readonly picture?: string;
  readonly doc?: string;
  readonly from?: string;
  readonly help: boolean;
}

const flags = {
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '5' },
  connections: { type: 'string', default: '64' },
  only: { type: 'string', default: allKinds.join(',') },
  engine: { type: 'string', default: 'all' },
  workers: { type: 'string' },
  large: { type: 'string', default: '2000000' },
  records: { type: 'string', default: '0' },
  rate: { type: 'boolean', default: false },
  scale: { type: 'boolean', default: false },
  soak: { type: 'string' },
  overload: { type: 'string' },
  start: { type: 'boolean', default: false },
  signed: { type: 'boolean', default: false },
  core: { type: 'boolean', default: false },
  tls: { type: 'boolean', default: false },
  idle: { type: 'string' },
  peers: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  json: { type: 'string' },
  picture: { type: 'string' },
  doc: { type: 'string' },
  from: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

/** Everything a run does is bounded, so its flags are. */
const number = (name: string, text: string, least: number, most: number): number => {
  const value = Number(text);
  if (!(value >= least && value <= most)) throw new Error(`--${name} is a number from ${least} to ${most}`);
  return value;
};

const kindsOf = (text: string): Kind[] => {
  const wanted = text.split(',');
  const unknown = wanted.filter((each) => !allKinds.some((kind) => kind === each));
  if (unknown.length > 0) throw new Error(`--only knows ${allKinds.join(', ')}, not ${unknown.join(', ')}`);
  return allKinds.filter((kind) => wanted.includes(kind));
};

const enginesOf = (text: string): Engine[] => {
  const all: readonly Engine[] = ['sqlite', 'postgres', 'remote'];
  const wanted = all.filter((engine) => text === 'all' || text === engine);
  if (wanted.length === 0) throw new Error(`--engine is ${all.join(', ')} or all`);
  return wanted;
};

const DEFAULT_SOAK = '5';
const DEFAULT_OVERLOAD = '60';
const DEFAULT_IDLE = '5000';

export const readOptions = (args: readonly string[], cores: number): Options => {
  const { values } = parseArgs({ args: [...args], options: flags, strict: true });
  const { json, picture, doc, from } = values;
  const engines = enginesOf(values.engine);
  const rate = values.rate || values.all;
  const scale = values.scale || values.all;
  const start = values.start || values.all;
  const signed = values.signed || values.all;
  const soak = values.soak ?? (values.all ? DEFAULT_SOAK : undefined);
  const overload = values.overload ?? (values.all ? DEFAULT_OVERLOAD : undefined);
  const core = values.core || values.all;
  const tls = values.tls || values.all;
  const idle = values.idle ?? (values.all ? DEFAULT_IDLE : undefined);
  const peers = values.peers || values.all;
  const others = [scale, soak, start, signed, overload, core, tls, idle, peers];
  const ofMachine = cores >= CORES_FOR_WORKERS ? Math.floor(cores / 2) : 1;
  return {
    rounds: Math.floor(number('rounds', values.rounds, 1, 100)),
    seconds: Math.floor(number('seconds', values.seconds, 1, 300)),
    connections: Math.floor(number('connections', values.connections, 1, 1000)),
    kinds: kindsOf(values.only),
    engines,
    stores: engines.filter((engine) => engine !== 'remote'),
    workers: Math.floor(number('workers', values.workers ?? String(ofMachine), 1, cores)),
    large: Math.floor(number('large', values.large, 10_001, 10_000_000)),
    records: Math.floor(number('records', values.records, 0, 100_000_000)),
    parts: {
      operations: rate || values.all || !others.some(Boolean),
      rate,
      scale,
      soak: soak === undefined ? 0 : number('soak', soak, 0.1, 240),
      start,
      signed,
      overload: overload === undefined ? 0 : number('overload', overload, 1, 600),
      core,
      tls,
      idle: idle === undefined ? 0 : Math.floor(number('idle', idle, 1, 50_000)),
      peers,
    },
    ...(json ? { json } : {}),
    ...(picture ? { picture } : {}),
    ...(doc ? { doc } : {}),
    ...(from ? { from } : {}),
    help: values.help,
  };
};
