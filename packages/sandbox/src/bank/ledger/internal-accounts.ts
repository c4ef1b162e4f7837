/**
 * The bank's own accounts, one of each kind per currency. Whatever a customer gains, another customer or one of these
 * loses: nostro stands for all other banks, merchants and cash; the others for what the bank itself earns, pays and exchanges.
 */
import { derivedId } from 'trapeza/base';
import { demoPsus } from '../people.js';

const roles = ['nostro', 'fees', 'interest', 'exchange'] as const;
type Role = (typeof roles)[number];

export interface InternalAccount {
  readonly id: string;
  readonly role: Role;
  readonly currency: string;
  readonly bban: string;
}

const ids = new Map<string, string>();

export const internalId = (role: Role, currency: string): string => {
  const name = `internal:${role}:${currency}`;
  const known = ids.get(name);
  if (known !== undefined) return known;
  const made = derivedId(name);
  ids.set(name, made);
  return made;
};

/** Those of the customers' accounts, and those that the bank pays out. */
export const currencies: readonly string[] = [
  ...new Set([...demoPsus.flatMap(({ accounts }) => accounts.map(({ currency }) => currency)), 'CHF']),
];

export const internalAccounts: readonly InternalAccount[] = currencies.flatMap((currency, place) =>
  roles.map((role, index) => ({
    id: internalId(role, currency),
    role,
    currency,
    bban: `9990000${String(place * roles.length + index + 1).padStart(16, '0')}`,
  })),
);
