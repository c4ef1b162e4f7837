/**
 * Rehearsals of what cannot be provoked otherwise: the header `Sandbox-Scenario` makes one call meet a slow or broken core, an
 * overload or a bug. The faults happen in the same place as real ones, so the real code answers them.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { HeldBank } from 'trapeza/bank';
import { type Call, type Field, isNoneOf, type Operation, Problem } from 'trapeza/base';

const faults = {
  'core-timeout': () => new Promise<never>(() => undefined),
  'core-down': () =>
    Promise.reject(
      new Problem('dependency-unavailable', { detail: 'The core banking system cannot be reached.' }),
    ),
  'internal-error': () => Promise.reject(new Error('rehearsed by the scenario internal-error')),
  overloaded: () => Promise.reject(new Problem('overloaded')),
} as const satisfies Record<string, () => Promise<never>>;

export type Scenario = keyof typeof faults;
export const scenarios = Object.keys(faults) as Scenario[];

const isScenario = (name: string): name is Scenario => Object.hasOwn(faults, name);

export const scenarioHeader: Field = {
  name: 'Sandbox-Scenario',
  schema: { type: 'string', enum: scenarios },
  description: 'Sandbox only: makes this call meet a rehearsed fault.',
  fault: (value) => (isScenario(value) ? undefined : isNoneOf(scenarios)),
};

const rehearsed = new AsyncLocalStorage<Scenario>();

/** The bank as the current call meets it. */
export const rehearsingBank = (bank: HeldBank): HeldBank => {
  const met = <T>(answer: () => Promise<T>): Promise<T> => {
    const scenario = rehearsed.getStore();
    return scenario ? faults[scenario]() : answer();
  };
  return {
    name: bank.name,
    // No question of the call itself: the fault comes with that.
    holds: (psuId, accountId) => bank.holds(psuId, accountId),
    hasFunds: (question) => met(() => bank.hasFunds(question)),
    accountsOf: (psuId, filter) => met(() => bank.accountsOf(psuId, filter)),
    termsFor: (transfer) => met(() => bank.termsFor(transfer)),
    balances: (accountId, context) => met(() => bank.balances(accountId, context)),
    transactions: (query) => met(() => bank.transactions(query)),
    transaction: (accountId, id, context) => met(() => bank.transaction(accountId, id, context)),
    statements: (accountId, from, to, context) => met(() => bank.statements(accountId, from, to, context)),
    statement: (accountId, id, context) => met(() => bank.statement(accountId, id, context)),
    statementDocument: (accountId, id, context) =>
      met(async () => bank.statementDocument?.(accountId, id, context)),
    // A booking in our own transaction cannot be late or down: the faults come before it, in the query of the bank.
    ...(bank.payments ? { payments: bank.payments } : {}),
    ping: () => bank.ping(),
  };
};

/** The fault of the current call, if it rehearses one. Writes meet it before their transaction, so nothing is changed. */
export const meetScenario = async (): Promise<void> => {
  const scenario = rehearsed.getStore();
  if (scenario) await faults[scenario]();
};

/**
 * A fault comes after all checks have passed: in the query of the bank, before a write, and for calls that need neither (a read,
 * the repetition of a write) in place of the answer.
 */
const handleRehearsed = async (operation: Operation, call: Call, scenario: Scenario) => {
  if (scenario === 'overloaded') return faults.overloaded();
  await rehearsed.run(scenario, () => operation.handle(call));
  return faults[scenario]();
};

export const rehearsable = (operation: Operation): Operation => ({
  ...operation,
  headers: [...operation.headers, scenarioHeader],
  handle(call) {
    const scenario = call.headers['sandbox-scenario'];
    return scenario !== undefined && isScenario(scenario)
      ? handleRehearsed(operation, call, scenario)
      : operation.handle(call);
  },
});
