/** The first three seconds of each subject, then rounds in which all are loaded one after the other, so what the machine does meets all. */
import { load, type Measured } from './load/load.js';
import { loadCores, usageOf } from './machine.js';
import type { Options } from './options.js';
import type { Program } from './programs.js';
import { type Figures, median, type Row } from './result.js';
import type { Subject } from './subjects.js';

const FIRST_SECONDS = 3;
const ALONE_SECONDS = 2;
const HALF = 0.5;
const CORES_FOR_TWO_PROCESSES = 4;

const processes = loadCores(1) >= CORES_FOR_TWO_PROCESSES ? 2 : 1;

export interface Sample extends Measured {
  readonly cpuUs: number;
}

interface Running {
  readonly subject: Subject;
  readonly program: Program;
}

export interface Wanted {
  readonly mode?: 'closed' | 'open';
  readonly seconds: number;
  readonly connections: number;
  readonly perSecond?: number;
}

export const measure = async (
  { subject, program }: { readonly subject: Pick<Subject, 'set'>; readonly program: Program },
  { mode = 'closed', ...wanted }: Wanted,
): Promise<Sample> => {
  let before = 0;
  const order = { url: program.url, set: subject.set, mode, ...wanted };
  const measured = await load({ ...order, processes: Math.min(processes, wanted.connections) }, () => {
    before = usageOf(program.pid).cpuSeconds;
  });
  const requests = measured.good + measured.errors;
  return { ...measured, cpuUs: ((usageOf(program.pid).cpuSeconds - before) / requests) * 1e6 };
};

const show = (what: string, { subject }: Running, sample: Sample): void =>
  console.error(
    `  ${what}: ${subject.id} ${Math.round(sample.perSecond)}/s, ${sample.cpuUs.toFixed(0)} µs, p99 ${sample.p99Ms.toFixed(2)} ms, ${JSON.stringify(sample.statuses)}`,
  );

const begin = async (
  subject: Subject,
  { warm, connections }: Options,
): Promise<Running & { first: Sample }> => {
  const running = { subject, program: await subject.start() };
  const first = await measure(running, { seconds: FIRST_SECONDS, connections });
  show('first', running, first);
  if (warm > 0) await measure(running, { seconds: warm, connections });
  return { ...running, first };
};

const figuresOf = async (
  running: Running & { readonly first: Sample },
  samples: readonly Sample[],
  { seconds, connections }: Options,
): Promise<Figures> => {
  const perSecond = median(samples.map((sample) => sample.perSecond));
  const half = await measure(running, { mode: 'open', seconds, connections, perSecond: perSecond * HALF });
  const alone = await measure(running, { seconds: ALONE_SECONDS, connections: 1 });
  show('half', running, half);
  return {
    cpuUs: median(samples.map(({ cpuUs }) => cpuUs)),
    perSecond,
    firstCpuUs: running.first.cpuUs,
    halfP50Ms: half.p50Ms,
    halfP99Ms: half.p99Ms,
    aloneP50Ms: alone.p50Ms,
    rssMb: usageOf(running.program.pid).rssMb,
    errors: [running.first, ...samples, half, alone].reduce((sum, { errors }) => sum + errors, 0),
  };
};

export const measureRounds = async (subjects: readonly Subject[], options: Options): Promise<Row[]> => {
  const { rounds, seconds, connections } = options;
  const all: (Running & { readonly first: Sample; readonly samples: Sample[] })[] = [];
  for (const subject of subjects) all.push({ ...(await begin(subject, options)), samples: [] });
  for (let round = 1; round <= rounds; round += 1)
    for (const running of all) {
      const sample = await measure(running, { seconds, connections });
      running.samples.push(sample);
      show(`round ${round}`, running, sample);
    }
  const rows: Row[] = [];
  for (const { samples, ...running } of all) {
    const { id, floor } = running.subject;
    const below = all.find(({ subject }) => subject.id === floor)?.samples;
    const figures = await figuresOf(running, samples, options);
    const ratios = below?.map(({ cpuUs }, round) => cpuUs / (samples[round]?.cpuUs ?? Number.NaN));
    rows.push({ id, ...figures, ...(ratios ? { ofFloor: median(ratios) } : {}) });
  }
  for (const { program } of all) await program.stop();
  return rows;
};
