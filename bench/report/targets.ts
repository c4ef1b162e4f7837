/** What the service has to reach, as data, and the verdict on each. */
import type { Engine, Kind, OperationRow, Result } from './result.js';

export type Verdict = 'met' | 'not met' | 'not measured';

export interface Check {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  readonly verdict: Verdict;
}

export const titles: Readonly<Record<Kind, string>> = {
  funds: 'Funds confirmation',
  status: 'Consent status',
  payment: 'Payment read',
  atms: 'ATM list, 60 ATMs',
  'atms-304': 'ATM list, 304',
};
export const engineNames: Readonly<Record<Engine, string>> = {
  sqlite: 'embedded',
  postgres: 'PostgreSQL',
  remote: 'embedded, remote core',
};

/** Parts of the floor; where an engine is missing the figure is information. */
export const ratioTargets: Readonly<Record<Kind, Readonly<Partial<Record<Engine, number>>>>> = {
  funds: { sqlite: 0.6, postgres: 0.5 },
  status: { sqlite: 0.75 },
  payment: { sqlite: 0.65 },
  atms: { sqlite: 0.6, postgres: 0.6 },
  'atms-304': { sqlite: 0.65, postgres: 0.65 },
};

const SCALE = 0.95;
const RSS_MB = 200;
/** p99 at half of the capacity, to that of the floor. */
const TAIL = 6;
const COMMITTED = 2;
/** p99/p50 of the closed loop, to that of the floor. */
const SATURATED_TAIL = 1.2;
const SIGNED = 0.8;
/** Milliseconds that the service adds to the median of a core. */
const ADDED_MS = 1;
const WORKERS = 0.8;
/** With fewer cores the load has none of its own beside several workers. */
export const CORES_FOR_WORKERS = 4;
const START = { factor: 1.5, plusMs: 1000 };
/** Growth within the second half of the soak that is still noise. */
const SOAK_GROWTH = 0.03;
/** Under ten times the capacity. */
const GOODPUT = 0.85;
const BACK_SECONDS = 5;

const verdict = (isMet: boolean): Verdict => (isMet ? 'met' : 'not met');
const name = ({ kind, engine }: { readonly kind: Kind; readonly engine: Engine }): string =>
  `${titles[kind]}, ${engineNames[engine]}`;

const workerCheck = (row: OperationRow, cores: number): Check => ({
  what: `${name(row)}, ${row.workers} workers`,
  target: `≥ ${WORKERS} × ${row.workers} of one worker`,
  measured: `${(row.scaling ?? 0).toFixed(2)}${cores < CORES_FOR_WORKERS ? `, ${((row.scaling ?? 0) * row.workers).toFixed(2)} × one worker, load on the same cores` : ''}`,
  verdict: cores < CORES_FOR_WORKERS ? 'not measured' : verdict((row.scaling ?? 0) >= WORKERS),
});

/** How much longer than half of them the slowest hundredth waits: a matter of the service as far as it is more than the floor's. */
const saturationChecks = ({ operations }: Result): Check[] =>
  (operations?.rows ?? []).flatMap((row) => {
    const floor = operations?.floors.find((each) => each.floor === row.floor && each.kind === row.kind);
    if (row.kind !== 'funds' || row.engine === 'remote' || row.workers > 1 || !floor) return [];
    const times = row.p99Ms / row.p50Ms / (floor.p99Ms / floor.p50Ms);
    return [
      {
        what: `${name(row)}, p99/p50 at saturation`,
        target: `≤ ${SATURATED_TAIL} × that of ${row.floor}`,
        measured: `${times.toFixed(2)} ×`,
        verdict: verdict(times <= SATURATED_TAIL),
      },
    ];
  });

const operationChecks = ({ operations, conditions }: Result): Check[] => {
  const rows = operations?.rows ?? [];
  if (rows.length === 0) return [];
  const ratios = rows.flatMap((row) => {
    const target = ratioTargets[row.kind][row.engine];
    if (target === undefined || row.workers > 1) return [];
    const measured = row.ratio.toFixed(2);
    return [
      {
        what: name(row),
        target: `≥ ${target} of ${row.floor}`,
        measured,
        verdict: verdict(row.ratio >= target),
      },
    ];
  });
  const largest = Math.max(...rows.map(({ rssMb }) => rssMb));
  const memory = {
    what: 'Memory of a worker',
    target: `≤ ${RSS_MB} MB`,
    measured: `${largest.toFixed(0)} MB`,
    verdict: largest > 0 ? verdict(largest <= RSS_MB) : 'not measured',
  } as const;
  const several = rows.filter(({ workers }) => workers > 1);
  const none: Check = {
    what: 'Several workers',
    target: `≥ ${WORKERS} × N of one worker`,
    measured: `${conditions.cores} cores, ${CORES_FOR_WORKERS} are needed`,
    verdict: 'not measured',
  };
  return [
    ...ratios,
    memory,
    ...(several.length > 0 ? several.map((row) => workerCheck(row, conditions.cores)) : [none]),
  ];
};

const scaleChecks = ({ scale }: Result): Check[] =>
  (scale?.rows ?? []).map((row) => ({
    what: `${name(row)}, ${row.large.toLocaleString('en')} account holders`,
    target: `≥ ${SCALE} of ${row.small.toLocaleString('en')}`,
    measured: row.ratio.toFixed(2),
    verdict: verdict(row.ratio >= SCALE),
  }));

const rateChecks = ({ rate }: Result): Check[] =>
  (rate?.rows ?? []).map((row) => ({
    what: `${name(row)}, p99 at half capacity`,
    target: `≤ ${TAIL} × that of the floor`,
    measured: `${(row.p99Ms / row.floorP99Ms).toFixed(1)} ×`,
    verdict: verdict(row.p99Ms <= TAIL * row.floorP99Ms),
  }));

const committedChecks = ({ rate }: Result): Check[] =>
  (rate?.rows ?? []).flatMap((row) =>
    row.committedP50Ms === undefined
      ? []
      : [
          {
            what: `${name(row)}, p50 at half capacity`,
            target: `≤ ${COMMITTED} × one bare round trip and commit`,
            measured: `${(row.p50Ms / row.committedP50Ms).toFixed(2)} ×`,
            verdict: verdict(row.p50Ms <= COMMITTED * row.committedP50Ms),
          },
        ],
  );

const soakChecks = ({ soak }: Result): Check[] =>
  (soak?.rows ?? []).map(({ engine, minutes, rssMb, slopeMbPerMinute }) => {
    const growth = (slopeMbPerMinute * minutes) / 2 / rssMb;
    return {
      what: `Memory over ${minutes} minutes, ${engineNames[engine]}`,
      target: `grows by less than ${SOAK_GROWTH * 100} % in the second half`,
      measured: `${(growth * 100).toFixed(1)} %`,
      verdict: verdict(growth < SOAK_GROWTH),
    };
  });

const overloadChecks = ({ overload }: Result): Check[] =>
  (overload?.rows ?? []).flatMap(({ engine, ratio, backSeconds }) => [
    {
      what: `Ten times the capacity, ${engineNames[engine]}`,
      target: `≥ ${GOODPUT} of the capacity`,
      measured: ratio.toFixed(2),
      verdict: verdict(ratio >= GOODPUT),
    },
    {
      what: `After ten times the capacity, ${engineNames[engine]}`,
      target: `back within ${BACK_SECONDS} s`,
      measured: `${backSeconds} s`,
      verdict: verdict(backSeconds <= BACK_SECONDS),
    },
  ]);

const startChecks = ({ start }: Result): Check[] =>
  (start?.rows ?? []).map(({ way, serviceMs, frameworkMs }) => {
    const limit = frameworkMs * START.factor + START.plusMs;
    return {
      what: `First ready answer, ${way}`,
      target: `≤ ${START.factor} × a bare framework + ${START.plusMs / 1000} s: ${Math.round(limit)} ms`,
      measured: `${Math.round(serviceMs)} ms`,
      verdict: verdict(serviceMs <= limit),
    };
  });

const signedChecks = ({ signed }: Result): Check[] =>
  (signed?.rows ?? []).map((row) => ({
    what: `${titles[row.kind]}, signed (${row.key})`,
    target: `≥ ${SIGNED} of unsigned`,
    measured: row.ratio.toFixed(2),
    verdict: verdict(row.ratio >= SIGNED),
  }));

const coreChecks = ({ core }: Result): Check[] =>
  (core?.rows ?? []).map(({ delayMs, connections, p50Ms, coreP50Ms }) => ({
    what: `A core that answers after ${delayMs} ms, ${connections} connections`,
    target: `≤ ${ADDED_MS} ms more than the core's median`,
    measured: `${(p50Ms - coreP50Ms).toFixed(2)} ms`,
    verdict: verdict(p50Ms - coreP50Ms <= ADDED_MS),
  }));

export const checksOf = (result: Result): Check[] =>
  [
    operationChecks,
    saturationChecks,
    scaleChecks,
    rateChecks,
    committedChecks,
    soakChecks,
    overloadChecks,
    startChecks,
    signedChecks,
    coreChecks,
  ].flatMap((checks) => checks(result));
