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
  funds: { sqlite: 0.55, postgres: 0.35 },
  status: { sqlite: 0.55 },
  payment: { sqlite: 0.55 },
  atms: { sqlite: 0.6, postgres: 0.6 },
  'atms-304': { sqlite: 0.65, postgres: 0.65 },
};

const SCALE = 0.9;
const RSS_MB = 200;
const TAIL = 10;
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
  measured: (row.scaling ?? 0).toFixed(2),
  verdict: cores < CORES_FOR_WORKERS ? 'not measured' : verdict((row.scaling ?? 0) >= WORKERS),
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
    target: `≤ ${TAIL} × p50`,
    measured: `${(row.p99Ms / row.p50Ms).toFixed(1)} ×`,
    verdict: verdict(row.p99Ms <= TAIL * row.p50Ms),
  }));

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

export const checksOf = (result: Result): Check[] =>
  [operationChecks, scaleChecks, rateChecks, soakChecks, overloadChecks, startChecks].flatMap((checks) =>
    checks(result),
  );
