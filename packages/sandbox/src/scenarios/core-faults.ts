/** A core that is late, away, broken or a bug, in the place of the real one. */
import { setTimeout } from 'node:timers/promises';
import { dependableBank, type HeldBank } from 'trapeza/bank';
import { Problem } from 'trapeza/base';
import { type CoreFault, isCoreFault } from './catalogue.js';

/** The call that rehearses something. */
export interface Rehearsed {
  readonly scenario: string;
  /** A late core is late once, however often it is asked. */
  isLate: boolean;
}

export const never = (): Promise<never> => new Promise(() => undefined);

/** A core that answers nonsense, as the service guards itself against one. */
const garbled = dependableBank({ accountsOf: async () => 'nonsense' } as never, 1000);

export const createCoreFaults = (deadlineMs: number, current: () => Rehearsed | undefined) => {
  const faults: Readonly<Record<CoreFault, () => Promise<unknown>>> = {
    'core-late': async () => {
      const now = current();
      if (now?.isLate) return;
      if (now) now.isLate = true;
      await setTimeout(deadlineMs / 2);
    },
    'core-timeout': never,
    'core-down': () =>
      Promise.reject(
        new Problem('dependency-unavailable', { detail: 'The core banking system cannot be reached.' }),
      ),
    'core-garbage': () => garbled.accountsOf(''),
    'internal-error': () => Promise.reject(new Error('rehearsed by the scenario internal-error')),
  };

  /** The fault of the current call, if it rehearses one. Writes meet it before their transaction, so nothing is changed. */
  const meet = async (): Promise<void> => {
    const { scenario = '' } = current() ?? {};
    if (isCoreFault(scenario)) await faults[scenario]();
  };

  /** Most calls rehearse nothing, and pay nothing for it. */
  const met =
    <Asked extends unknown[], Answer>(ask: (...asked: Asked) => Promise<Answer>) =>
    (...asked: Asked): Promise<Answer> =>
      current() ? meet().then(() => ask(...asked)) : ask(...asked);

  /** The bank as the current call meets it. Who holds an account is no question of the call itself. */
  const wrapBank = (bank: HeldBank): HeldBank => ({
    ...bank,
    holds: (psuId, accountId) => bank.holds(psuId, accountId),
    hasFunds: met((question) => bank.hasFunds(question)),
    accountsOf: met((psuId, filter) => bank.accountsOf(psuId, filter)),
    termsFor: met((transfer) => bank.termsFor(transfer)),
    balances: met((accountId, context) => bank.balances(accountId, context)),
    transactions: met((query) => bank.transactions(query)),
    transaction: met((accountId, id, context) => bank.transaction(accountId, id, context)),
    statements: met((accountId, from, to, context) => bank.statements(accountId, from, to, context)),
    statement: met((accountId, id, context) => bank.statement(accountId, id, context)),
    statementDocument: met(async (accountId, id, context) =>
      bank.statementDocument?.(accountId, id, context),
    ),
    ping: () => bank.ping(),
  });

  return { meet, wrapBank };
};
