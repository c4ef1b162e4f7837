/**
 * Every fault of the core simulator in every operation of the contract, seen through the front door: late is 408, everything
 * else 503; nothing that the core got wrong is passed on, and the next right answer is.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Fault,
  type FaultKind,
  faultKinds,
  isSeenIn,
} from '../../../packages/core-kit/src/simulator/faults.js';
import { type CoreOperations, coreOperations } from '../../../src/bank/http/contract/operations.js';
import {
  addRequest,
  cardValues,
  demoCodeOf,
  forgetCodes,
  hiddenFields,
  stored,
  Visitor,
} from '../../account-pages/approve-support.js';
import { type Access, addAccess, read } from '../../api/ais/support.js';
import { executionsOf, send as sendTo, useSimulators } from '../../core-kit/simulator/use-simulator.js';
import { approved, decide, OTHER_BANK, orderIn, readOrder, stage, submit } from '../../payment/support.js';
import type { Answer } from '../../support/client.js';
import { account, FUNDS, fundsBody, moveBankClock } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';

import { faultVolume } from '../volume.js';

type OperationId = keyof CoreOperations;

/** Long enough for a busy machine: each late answer costs so much. */
const TIMEOUT_MS = 3000;
const simulators = useSimulators('sqlite');
let service: Service;
let coreUrl = '';
let access: Access;
let listed: { readonly transactionId: string; readonly statementId: string; readonly nextPage: string };

const setFaults = async (...faults: readonly Fault[]): Promise<void> => {
  expect((await sendTo(coreUrl, 'PUT', '/simulator/faults', faults)).status).toBe(200);
};

const readHistory = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  read(service, access, `/ais/psd2/v1/accounts/${access.resourceIds[0]}/${path}`, {
    headers,
    outsideContract: 'Accept' in headers,
  });

beforeAll(async () => {
  ({ url: coreUrl } = await simulators().start());
  service = await startService({
    env: { TRAPEZA_CORE_URL: coreUrl, TRAPEZA_CORE_TIMEOUT_MS: String(TIMEOUT_MS) },
  });
  access = await addAccess(service, { accounts: [account('eleni', 101)] });
  const pageOf = async (search: string) =>
    (await readHistory(`transactions${search}`)).json as {
      transactions: { booked: { transactionId: string }[] };
      _links: { next: { href: string } };
    };
  const first = await pageOf('?limit=20');
  const second = await pageOf(new URL(first._links.next.href).search);
  const { statements } = (await readHistory('statements')).json as { statements: { statementId: string }[] };
  expect(statements.length).toBeGreaterThan(1);
  listed = {
    transactionId: first.transactions.booked[0]?.transactionId ?? '',
    statementId: statements[0]?.statementId ?? '',
    nextPage: new URL(second._links.next.href).search,
  };
});
afterAll(() => service.close());

interface Question {
  /** Asks for what needs the operation; what it answers while everything is right. */
  readonly ask: () => Promise<Answer>;
  readonly right: number;
}

/** What a caller of the interface asks, by the operation of the core that answers it. */
const questions: Readonly<Partial<Record<OperationId, Question>>> = {
  findAccounts: { ask: () => read(service, access, '/ais/psd2/v1/accounts'), right: 200 },
  hasFunds: {
    ask: () => service.call({ method: 'POST', path: FUNDS, body: fundsBody() }),
    right: 200,
  },
  readBalances: { ask: () => readHistory('balances'), right: 200 },
  listTransactions: { ask: () => readHistory(`transactions${listed.nextPage}`), right: 200 },
  readTransaction: { ask: () => readHistory(`transactions/${listed.transactionId}`), right: 200 },
  listStatements: { ask: () => readHistory('statements'), right: 200 },
  readStatement: { ask: () => readHistory(`statements/${listed.statementId}`), right: 200 },
  readStatementDocument: {
    ask: () => readHistory(`statements/${listed.statementId}`, { Accept: 'application/pdf' }),
    right: 200,
  },
  quoteTransfer: {
    ask: async () => {
      const answer = await stage(service);
      const { consentId } = answer.json as { consentId?: string };
      // Only so many may be open.
      if (consentId !== undefined) await decide(service, consentId, 'reject');
      return answer;
    },
    right: 201,
  },
};

const lateKinds: readonly FaultKind[] = ['late', 'half-open', 'slow-bytes'];
/** The breaker counts these: it opens when they are more than half. */
const outages: readonly FaultKind[] = [
  ...lateKinds,
  ...(['refuse', 'reset', 'status-500', 'status-503', 'executed-but-silent', 'silent-before'] as const),
];
const kinds = Object.keys(faultKinds) as FaultKind[];
const kindsOf = (operation: OperationId): FaultKind[] => kinds.filter((kind) => isSeenIn(kind, operation));
/** Outages of what pages and payments ask are also the business of other tests: here two kinds are enough for a sample. */
const sampleOf = (operation: OperationId): FaultKind[] =>
  kindsOf(operation).filter(
    (kind) => !outages.includes(kind) || ['late', 'refuse'].includes(kind) || faultVolume(0, 1) === 1,
  );

const asked = Object.entries(questions) as [OperationId, Question][];

describe.each(asked)('%s', (operation, { ask, right }) => {
  it.each(kindsOf(operation).filter((kind) => !lateKinds.includes(kind)))(
    'integrator S1: %s is 503, and right again afterwards',
    async (kind) => {
      await setFaults({ kind, operation });
      const answer = await ask();
      await setFaults();
      expect(`${answer.status} ${answer.text}`).toMatch(/^503 .*dependency-unavailable/);
      // Often enough for the breaker to see a core that works more often than not: a repetition counts too.
      for (const _ of outages.includes(kind) ? [1, 2, 3] : [1]) expect((await ask()).status).toBe(right);
    },
  );
});

it.each(lateKinds)(
  'integrator S1: %s is 408 in every operation, and right again afterwards',
  async (kind) => {
    await setFaults(...asked.map(([operation]) => ({ kind, operation })));
    const answers = await Promise.all(asked.map(([, { ask }]) => ask()));
    await setFaults();
    for (const { status, text } of answers) expect(`${status} ${text}`).toMatch(/^408 .*processing-timeout/);
    for (const [, { ask, right }] of asked) expect((await ask()).status).toBe(right);
  },
);

/** To another bank: carried out at once, and asked about until it has settled. */
const wish = {
  body: { creditAccount: { iban: OTHER_BANK }, instructedAmount: { currency: 'EUR', amount: 1 } },
};
const statusOf = async (consent: string): Promise<string> =>
  (await readOrder(service, consent)).transactionStatus;

const pay = async (): Promise<{ readonly consent: string; readonly paymentId: string }> => {
  const consent = await approved(service, wish);
  const { paymentId } = orderIn(await submit(service, consent));
  await service.app.runJobs();
  return { consent, paymentId };
};

/** The next look at every open order is due. */
const lookAgain = async (): Promise<void> => {
  await moveBankClock(service, 'PT3M');
  await service.app.runJobs();
};

/** The core works again: this order ends, and others too, so that the breaker sees more right answers than faults. */
const settle = async (
  kind: FaultKind,
  { consent, paymentId }: Awaited<ReturnType<typeof pay>>,
): Promise<void> => {
  await setFaults();
  for (let others = outages.includes(kind) ? faultVolume(1, 4) : 0; others > 0; others -= 1) await pay();
  for (let looks = 0; looks < 3; looks += 1) await lookAgain();
  expect(await statusOf(consent)).toBe('ACSC');
  expect(await executionsOf(coreUrl, paymentId)).toBe(1);
};

describe('executePayment', () => {
  it.each(sampleOf('executePayment'))('integrator S1: %s leaves the order open', async (kind) => {
    await setFaults({ kind, operation: 'executePayment' });
    const made = await pay();
    expect(await statusOf(made.consent)).toBe('RCVD');
    await settle(kind, made);
  });
});

describe('readPayment', () => {
  it.each(sampleOf('readPayment'))('integrator S1: %s leaves the order as it was', async (kind) => {
    const made = await pay();
    expect(await statusOf(made.consent)).toBe('ACSP');
    await setFaults({ kind, operation: 'readPayment' });
    await lookAgain();
    expect(await statusOf(made.consent)).toBe('ACSP');
    await settle(kind, made);
  });
});

describe('cancelPayment', () => {
  const cancel = ({ consent }: { readonly consent: string }): Promise<Answer> =>
    service.call({ method: 'DELETE', path: `/pis/psd2/v1/${consent}/payment` });
  it.each(sampleOf('cancelPayment'))('%s is no answer, and a repetition cancels it', async (kind) => {
    const made = await pay();
    await setFaults({ kind, operation: 'cancelPayment' });
    const answer = await cancel(made);
    expect(answer.status, answer.text).toBe(lateKinds.includes(kind) ? 408 : 503);
    expect(await statusOf(made.consent)).toBe('ACSP');
    await setFaults();
    for (const each of outages.includes(kind) ? [made, await pay()] : [made])
      expect((await cancel(each)).status).toBe(204);
    await lookAgain();
    expect(await statusOf(made.consent)).toBe('CANC');
    expect(await executionsOf(coreUrl, made.paymentId)).toBe(0);
  });
});

// Pages say 503 to a late core too: browsers send a form again by themselves on 408.
const newRequest = async (): Promise<string> => {
  await forgetCodes(service);
  return addRequest(service, { accounts: [account('eleni', 101)] });
};

/** The core works again: whole approvals, so that the breaker sees more right answers than faults. */
const recover = async (kind: FaultKind): Promise<void> => {
  await setFaults();
  if (!outages.includes(kind)) return;
  for (let approvals = faultVolume(1, 2); approvals > 0; approvals -= 1) {
    const id = await newRequest();
    const visitor = new Visitor(service);
    const page = await visitor.open(id);
    expect((await visitor.decide(id, page, { account: cardValues(page.text) })).status).toBe(303);
    expect((await stored(service, id)).status).toBe('Valid');
  }
};

it.each(sampleOf('login'))('integrator S1: login with %s logs nobody in', async (kind) => {
  const id = await newRequest();
  const visitor = new Visitor(service);
  const form = await visitor.get(`/authorise/${id}`);
  const fields = { ...hiddenFields(form.text), username: 'eleni', password: 'eleni-demo' };
  await setFaults({ kind, operation: 'login' });
  expect((await visitor.post(`/authorise/${id}/login`, fields)).status).toBe(503);
  expect(cardValues((await visitor.get(`/authorise/${id}`)).text)).toEqual([]);
  await recover(kind);
});

it.each(sampleOf('listMethods'))(
  'integrator S1: listMethods with %s is a page that says so',
  async (kind) => {
    const id = await newRequest();
    await setFaults({ kind, operation: 'listMethods' });
    expect((await new Visitor(service).open(id)).status).toBe(503);
    await recover(kind);
  },
);

it.each(sampleOf('sendCode'))('integrator S1: sendCode with %s: no code, and none is right', async (kind) => {
  const id = await newRequest();
  await setFaults({ kind, operation: 'sendCode' });
  const visitor = new Visitor(service);
  const opened = await visitor.open(id);
  const page = await visitor.askForCode(id, opened, { account: cardValues(opened.text) });
  expect([page.status, demoCodeOf(page.text)]).toEqual([200, '']);
  await setFaults();
  await visitor.decide(id, page, { code: '123456', account: cardValues(page.text) });
  expect((await stored(service, id)).status).toBe('Received');
  await recover(kind);
});

it.each(sampleOf('tryCode'))('integrator S1: tryCode with %s approves nothing', async (kind) => {
  const id = await newRequest();
  const visitor = new Visitor(service);
  const opened = await visitor.open(id);
  const page = await visitor.askForCode(id, opened, { account: cardValues(opened.text) });
  await setFaults({ kind, operation: 'tryCode' });
  expect((await visitor.decide(id, page, { account: cardValues(page.text) })).status).toBe(503);
  expect((await stored(service, id)).status).toBe('Received');
  await recover(kind);
});

it('every operation of the contract is tried', () => {
  // No caller of the interface waits for these: port-answers.test.ts.
  const others = ['ping', 'putConsent', 'executePayment', 'readPayment', 'cancelPayment'];
  // Only questions that wait for each other go so: test/bank/http/funds-batches.test.ts.
  others.push('hasFundsOfMany');
  const tried = [...Object.keys(questions), ...others, 'login', 'listMethods', 'sendCode', 'tryCode'];
  expect(tried.toSorted()).toEqual(Object.keys(coreOperations).toSorted());
});
