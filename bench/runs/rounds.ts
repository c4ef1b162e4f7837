/** Rounds: in each, all contestants are loaded one after the other, so what the machine does meanwhile meets all of them. */
import { load, type RequestSet } from '../load/closed-loop.js';
import { usageOfTree } from '../machine.js';
import type { Program } from '../programs.js';
import type { Figures } from '../report/result.js';
import { median } from '../report/statistics.js';

export interface Contestant {
  readonly name: string;
  readonly program: Program;
  readonly set: RequestSet;
  readonly threads?: number;
}

export interface RoundOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

type Sample = Figures & { readonly requests: number };

/** The lag is counted since the last time it was asked for. Without work it reads as the 10 ms between its looks. */
const loopP99Ms = async ({ managementUrl }: Program): Promise<number | undefined> => {
  if (!managementUrl) return undefined;
  // Not on a kept connection: the listener may have closed it while the load was on.
  const answer = await fetch(`${managementUrl}/metrics`, { headers: { Connection: 'close' } });
  const text = await answer.text();
  const seconds = /^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
};

const measure = async (
  { program, set, threads = 1 }: Contestant,
  { seconds, connections }: Omit<RoundOptions, 'rounds'>,
): Promise<Sample> => {
  await loopP99Ms(program);
  const before = usageOfTree(program.pid);
  const measured = await load({ url: program.url, set, seconds, connections, threads });
  const after = usageOfTree(program.pid);
  const lag = await loopP99Ms(program);
  const cpuUs = ((after.cpuSeconds - before.cpuSeconds) / measured.requests) * 1e6;
  return { ...measured, cpuUs, rssMb: after.rssMb, ...(lag === undefined ? {} : { loopP99Ms: lag }) };
};

const PASSES = 2;
const MAX_WARMING = 20;

/** Each token is verified once, each statement prepared once: nothing counts before every request was sent twice. */
export const warmUp = async (contestant: Contestant, options: RoundOptions): Promise<void> => {
  let sent = 0;
  const wanted = PASSES * contestant.set.requests.length;
  for (let count = 0; sent < wanted && count < MAX_WARMING; count += 1)
    sent += (await measure(contestant, options)).requests;
};

export interface Raced extends Figures {
  readonly samples: readonly Sample[];
}

const mediansOf = (samples: readonly Sample[]): Raced => {
  const of = (figure: (sample: Sample) => number): number => median(samples.map(figure));
  const lag = of((sample) => sample.loopP99Ms ?? Number.NaN);
  return {
    samples,
    perSecond: of((sample) => sample.perSecond),
    cpuUs: of((sample) => sample.cpuUs),
    p50Ms: of((sample) => sample.p50Ms),
    p99Ms: of((sample) => sample.p99Ms),
    rssMb: samples.at(-1)?.rssMb ?? 0,
    ...(Number.isNaN(lag) ? {} : { loopP99Ms: lag }),
    errors: samples.reduce((sum, { errors }) => sum + errors, 0),
  };
};

/** The figures of each contestant, in their order. */
export const race = async (contestants: readonly Contestant[], options: RoundOptions): Promise<Raced[]> => {
  for (const contestant of contestants) await warmUp(contestant, options);
  const samples = contestants.map((): Sample[] => []);
  for (let round = 1; round <= options.rounds; round += 1)
    for (const [index, contestant] of contestants.entries()) {
      const sample = await measure(contestant, options);
      samples[index]?.push(sample);
      console.error(
        `  round ${round}: ${contestant.name} ${Math.round(sample.perSecond)}/s, ${sample.cpuUs.toFixed(0)} µs, p99 ${sample.p99Ms.toFixed(2)} ms, errors ${sample.errors}`,
      );
    }
  return samples.map(mediansOf);
};

/** The median of the rounds' ratios: of one round both were measured seconds apart. */
export const ratioOf = (over: Raced, under: Raced, figure: 'perSecond' | 'cpuUs' = 'perSecond'): number =>
  median(
    over.samples.map((sample, round) => sample[figure] / (under.samples[round]?.[figure] ?? Number.NaN)),
  );
