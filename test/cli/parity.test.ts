/** The parity report: no member of the core contract is forgotten, and what it says of a core is what that core gave. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coreOpenApiDocument } from '../../src/bank/http/contract/openapi.js';
import { carried, type ParityRow, parityReport } from '../../src/cli/parity-report.js';
import { useSimulators } from '../core-kit/simulator/use-simulator.js';
import { psuId } from '../support/operations.js';
import { openStore } from '../tpp/support.js';
import { cleanUp, jsonOf, runCommand } from './program.js';

afterAll(cleanUp);

/** Components of the contract that hold no information on accounts and payments for third parties. */
const others = {
  questions: [
    'HasFundsQuestion',
    'HasFundsOfManyQuestion',
    'FundsQuestion',
    'LoginQuestion',
    'SendCodeQuestion',
    'TryCodeQuestion',
    'ScaContext',
    'ShownPayment',
  ],
  frames: [
    'PingAnswer',
    'HasFundsOfManyAnswer',
    'FundsReply',
    'FindAccountsAnswer',
    'ReadBalancesAnswer',
    'ListTransactionsAnswer',
    'ReadTransactionAnswer',
    'ListStatementsAnswer',
    'ReadStatementAnswer',
    'Problem',
  ],
  authentication: ['LoginAnswer', 'ListMethodsAnswer', 'ListedMethod', 'SendCodeAnswer', 'TryCodeAnswer'],
  /** What a payer is told before approving, and what we tell the core. */
  ordering: [
    'TransferWish',
    'Terms',
    'TransferFault',
    'Quote',
    'PayeeCheck',
    'Payment',
    'Reference',
    'CreditorAgent',
    'Money',
  ],
  consents: ['ConsentState', 'PutConsentAnswer', 'ThirdParty'],
  news: ['News', 'NewsResults'],
};

describe('the parity report', () => {
  it('has each member of the contract, by a member that the interface has or by a reason', () => {
    const { missing, unknown, rows } = parityReport();
    expect({ missing, unknown }).toEqual({ missing: [], unknown: [] });
    expect(rows.map(({ core }) => core)).toEqual(
      Object.entries(carried).flatMap(([name, members]) =>
        Object.keys(members).map((each) => `${name}.${each}`),
      ),
    );
  });

  it('leaves out no component that holds information', () => {
    const { components } = coreOpenApiDocument('1') as { components: { schemas: object } };
    const known = [...Object.keys(carried), ...Object.values(others).flat()];
    expect(Object.keys(components.schemas).toSorted()).toEqual(known.toSorted());
  });
});

describe('of a core', () => {
  const simulators = useSimulators('sqlite');
  let store: Awaited<ReturnType<typeof openStore>>;
  beforeAll(async () => {
    store = await openStore('sqlite');
  });
  afterAll(() => store.close());

  it('says which members it gave for a person', async () => {
    const { url } = await simulators().start();
    const env = { TRAPEZA_CORE_URL: url, DATABASE_URL: store.url };
    const run = (...args: string[]) => runCommand(['parity', ...args], { env });
    const rows = jsonOf<(ParityRow & { isGivenByCore?: boolean })[]>(
      await run('--psu', psuId('eleni'), '--reason', 'acceptance', '--json'),
    );
    const opened = { act: 'person.open', subject: `person:${psuId('eleni')}`, reason: 'acceptance' };
    expect(jsonOf<object[]>(await runCommand(['audit', 'list', '--json'], { env }))).toMatchObject([opened]);
    const given = new Map(rows.map(({ core: name, isGivenByCore }) => [name, isGivenByCore]));
    expect(given.get('Account.iban')).toBe(true);
    expect(given.get('Transaction.amount')).toBe(true);
    expect(given.get('Account.signaturesNeeded')).toBe(false);
    expect(given.get('PaymentState.status')).toBeUndefined();
    const text = await run();
    expect(text.stdout).toContain('Transaction.balance');
    expect(text.stdout).toMatch(/\d+ of \d+ members are given to third parties/);
    expect(await run('--psu', 'nobody')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no account'),
    });
  });
});
