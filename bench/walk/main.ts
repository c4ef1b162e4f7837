/**
 * `npm run prove -- walk`: the files of the product through which a request goes. The service runs in this process, on the embedded
 * store and the demo bank. Each request is traced three times: what ran every time belongs to it, the rest to timers.
 */
import { join } from 'node:path';
import { sandbox } from '#sandbox/sandbox.js';
import { startApp } from '#trapeza/app/app.js';
import { readConfig } from '#trapeza/config/config.js';
import { createLog } from '#trapeza/observe/log.js';
import { endAll, tempFolder } from '../endings.js';
import { secret } from '../programs.js';
import { Caller } from './caller.js';
import { beginTracing, type Called, reachedFrom, trace } from './traced.js';

const TIMES = 3;

interface Walk {
  readonly title: string;
  /** The file with the handler. */
  readonly from: string;
  readonly traces: Called[];
}

const walkFrom = (title: string, from: string): Walk => ({ title, from, traces: [] });
const walks = {
  funds: walkFrom('Funds confirmation', 'api/piis/confirm-funds.ts'),
  approval: walkFrom('Approval on the page', 'web/approve/decision.ts'),
  submission: walkFrom('Payment submission', 'api/pis/submit-payment.ts'),
};

const goThrough = async (
  caller: Caller,
  run: (walk: Walk, request: () => Promise<void>) => Promise<unknown>,
): Promise<void> => {
  await run(walks.funds, () => caller.askForFunds());
  const id = await caller.stagePayment();
  const form = await caller.openForm(id);
  await run(walks.approval, () => caller.approve(id, form));
  await run(walks.submission, () => caller.submit(id));
};

const show = ({ title, from, traces }: Walk): void => {
  const [first = new Map(), ...others] = traces;
  const ran: Called = new Map([...first].filter(([file]) => others.every((other) => other.has(file))));
  const reached = reachedFrom(from, ran, false);
  const withTypes = reachedFrom(from, ran, true);
  const shared = ran.size - withTypes.size;
  console.log(`
${title}: ${ran.size} files
  ${reached.size} reached by static imports from src/${from} (*)
  ${withTypes.size - reached.size} more by imports of types (+)
  ${shared} only by the way that every request takes: listener, gate, store, log`);
  for (const file of [...ran.keys()].sort()) {
    const other = withTypes.has(file) ? '+' : ' ';
    console.log(`    ${reached.has(file) ? '*' : other} src/${file}`);
  }
};

const app = await startApp({
  config: readConfig({
    PORT: '0',
    TRAPEZA_MANAGEMENT_PORT: '0',
    DATABASE_URL: `sqlite:${join(tempFolder('walk'), 'walk.db')}`,
    TRAPEZA_SECRET: secret,
    TRAPEZA_DEMO_MONTHS: '2',
  }),
  extensions: [sandbox],
  log: createLog('silent', { stream: { write: () => undefined } }),
});
try {
  const caller = new Caller(app.listenUrl);
  await caller.begin();
  await goThrough(caller, (_walk, request) => request());
  await beginTracing();
  for (let time = 0; time < TIMES; time += 1)
    await goThrough(caller, async (walk, request) => walk.traces.push(await trace(request)));
  Object.values(walks).forEach(show);
} finally {
  await app.close();
  await endAll();
}
