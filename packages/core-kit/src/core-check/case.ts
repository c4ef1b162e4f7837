/** A case: one promise of the contract, tried on the bank under test. Cases are data; this is their shape, and what they share. */
import { isDeepStrictEqual } from 'node:util';
import { type AccountId, DAY, minorOf, type PsuId } from 'trapeza/base';
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

/** Tries every variant before it fails, so that one run tells all that are wrong. */
export const demandStatuses = async (
  expected: string,
  isRight: (seen: Seen) => boolean,
  variants: Readonly<Record<string, () => Promise<Seen>>>,
): Promise<void> => {
  const wrong: string[] = [];
  for (const [name, ask] of Object.entries(variants)) {
    const seen = await ask();
    if (!isRight(seen)) wrong.push(`status ${seen.status} for ${name}`);
  }
  demand(wrong.length === 0, expected, wrong.join('; '));
};

/** Each variant is a fault of the caller's, so each must be refused. */
export const demandRefusals = (variants: Readonly<Record<string, () => Promise<Seen>>>): Promise<void> =>
  demandStatuses('a status from 400 to 499', isRefused, variants);

const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
};

/** A member that is null says as much as one that is absent. */
export const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(withoutNulls(one), withoutNulls(other));

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

export type Account = Answer<'findAccounts'>['accounts'][number];

const MOST_ACCOUNTS = 1000;

/** Page by page, if the core makes pages of them. */
export const accountsOf = async ({ core }: Trial, psuId: PsuId): Promise<readonly Account[]> => {
  const found: Account[] = [];
  let after: string | undefined;
  do {
    const { accounts, next } = await core.answer('findAccounts', { params: { psuId }, query: { after } });
    found.push(...accounts);
    after = accounts.length > 0 ? (next ?? undefined) : undefined;
    if (found.length > MOST_ACCOUNTS)
      throw new Skip(`${psuId} has more than ${MOST_ACCOUNTS} accounts: choose a person with fewer`);
  } while (after !== undefined);
  return found;
};

/** As in the list of accounts; undefined if it is not there. */
export const currencyOf = async (trial: Trial, accountId: AccountId): Promise<string | undefined> => {
  const { psuId } = trial.subject;
  if (psuId === undefined) return undefined;
  return (await accountsOf(trial, psuId)).find(({ id }) => id === accountId)?.currency;
};

export const availableOf = async (trial: Trial, accountId: AccountId): Promise<Available> => {
  const { currency, amount } = balanceOf(await balancesOf(trial, accountId), 'interimAvailable');
  const known = await currencyOf(trial, accountId);
  if (known !== undefined && known !== currency)
    throw new Failure(`balances in ${known}`, currency, 'readBalances');
  return { currency, minor: minor(amount, currency, 'readBalances') };
};

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

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
