/** A case: one promise of the contract, tried on the bank under test. Cases are data; this is their shape, and what they share. */
import { type AccountId, DAY, minorOf } from 'trapeza/base';
import type { Answer, CoreClient, OperationId, Seen } from './client.js';
import type { Subject } from './subject.js';
import { demand, Failure, Skip } from './verdict.js';

export interface Trial<Need extends keyof Subject = never> {
  readonly core: CoreClient;
  readonly subject: Subject & Required<Pick<Subject, Need>>;
  readonly now: () => number;
}

export interface Case {
  readonly id: string;
  readonly title: string;
  readonly operation: OperationId;
  /** What to check if it fails. */
  readonly hint: string;
  readonly needs: readonly (keyof Subject)[];
  /** Runs only if payments are allowed. */
  readonly movesMoney: boolean;
  readonly run: (trial: Trial) => Promise<void>;
}

interface Sketch<Need extends keyof Subject> {
  readonly id: string;
  readonly title: string;
  readonly operation: OperationId;
  readonly hint: string;
  readonly needs?: readonly Need[];
  readonly movesMoney?: true;
  readonly run: (trial: Trial<Need>) => Promise<void>;
}

export const check = <const Need extends keyof Subject = never>(sketch: Sketch<Need>): Case => ({
  ...sketch,
  // Every query of an account needs a person.
  needs: [
    ...new Set<keyof Subject>([
      ...(sketch.needs ?? []),
      ...(sketch.needs?.some((need) => need === 'accountId') ? (['psuId'] as const) : []),
    ]),
  ],
  movesMoney: sketch.movesMoney ?? false,
  run: (trial) => sketch.run(trial as Trial<Need>),
});

export const isRefused = ({ status }: Seen): boolean => status >= 400 && status < 500;

/** Each fault is the caller's, so each must be refused. */
export const demandRefusals = async (
  what: readonly string[],
  ask: (index: number) => Promise<Seen>,
): Promise<void> => {
  for (const [index, name] of what.entries()) {
    const seen = await ask(index);
    demand(isRefused(seen), `a status from 400 to 499 for ${name}`, `status ${seen.status}`);
  }
};

/** In minor units; `operation` is the one whose answer has the amount. */
export const minor = (amount: string, currency: string, operation: OperationId): bigint => {
  const value = minorOf(amount, currency);
  if (value === undefined)
    throw new Failure(`no more decimals than ${currency} has`, 'an amount with more decimals', operation);
  return value;
};

export type Transaction = Answer<'listTransactions'>['transactions'][number];
export type Balance = Answer<'readBalances'>['balances'][number];

export const balancesOf = async ({ core }: Trial, accountId: AccountId): Promise<readonly Balance[]> =>
  (await core.answer('readBalances', { params: { accountId } })).balances;

export const balanceOf = (balances: readonly Balance[], type: string): Balance => {
  const found = balances.find((each) => each.type === type);
  if (!found) throw new Skip(`the account has no balance ${type}`);
  return found;
};

export interface Available {
  readonly currency: string;
  readonly minor: bigint;
}

/** As in the list of accounts; undefined if that cannot be read. */
const currencyOf = async (
  { core, subject: { psuId } }: Trial,
  accountId: AccountId,
): Promise<string | undefined> => {
  if (psuId === undefined) return undefined;
  const { accounts } = await core.answer('findAccounts', { params: { psuId } });
  return accounts.find(({ id }) => id === accountId)?.currency;
};

export const availableOf = async (trial: Trial, accountId: AccountId): Promise<Available> => {
  const { currency, amount } = balanceOf(await balancesOf(trial, accountId), 'interimAvailable');
  const known = await currencyOf(trial, accountId);
  if (known !== undefined && known !== currency)
    throw new Failure(`balances in ${known}`, currency, 'readBalances');
  return { currency, minor: minor(amount, currency, 'readBalances') };
};

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The days that the subject names, else the last thirteen months; a day more, because the bank may be further east. */
export const daysOf = ({ subject, now }: Trial): { readonly from: string; readonly to: string } => ({
  from: subject.from ?? dayOf(now() - 400 * DAY),
  to: subject.to ?? dayOf(now() + DAY),
});

export interface PageWish {
  readonly accountId: AccountId;
  readonly limit: number;
  readonly status?: 'booked' | 'pending';
  readonly after?: string | undefined;
  readonly from?: string;
  readonly to?: string;
}

export const askPage = (trial: Trial, { accountId, ...wish }: PageWish): Promise<Seen> =>
  trial.core.ask('listTransactions', {
    params: { accountId },
    query: { ...daysOf(trial), status: 'booked', ...wish },
  });

export const pageOf = (trial: Trial, { accountId, ...wish }: PageWish): Promise<Answer<'listTransactions'>> =>
  trial.core.answer('listTransactions', {
    params: { accountId },
    query: { ...daysOf(trial), status: 'booked', ...wish },
  });
