/** From a new consent to the demo bank's data: what is read adds up, and every currency of an account is an account of its own. */
import { describe, expect, it } from 'vitest';
import { cardValues, Visitor } from '../../account-pages/approve-support.js';
import type { Answer } from '../../support/client.js';
import { engines } from '../../support/engines.js';
import { FINANCE } from '../../support/operations.js';
import { type Use, useService } from '../../support/use-service.js';
import { read } from './support.js';

const as = { psu: 'nikos', application: FINANCE };

interface Money {
  readonly amount: number;
}
interface Account {
  readonly resourceId: string;
  readonly iban: string;
  readonly currency: string;
}
interface Booked {
  readonly transactionId: string;
  readonly transactionAmount: Money;
}

/** A consent that was created over the API and approved on its page, for everything and all accounts. */
const consent = async (service: Use): Promise<string> => {
  const permissions = ['AccountsDetail', 'Balances', 'TransactionsDetail', 'Statements'];
  const body = { permissions, recurring: true, frequencyPerDay: 4 };
  const made = await service().call({ method: 'POST', path: '/ais/psd2/v1/consents', body, as });
  const { consentId } = made.json as { consentId: string };
  const visitor = new Visitor(service());
  const page = await visitor.open(consentId, 'nikos');
  expect((await visitor.decide(consentId, page, { account: cardValues(page.text) })).status).toBe(303);
  return consentId;
};

const pathOf = (href: string): string => {
  const { pathname, search } = new URL(href);
  return pathname + search;
};

const cents = (amounts: readonly Money[]): number =>
  amounts.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);

describe.each(engines)('on %s', (engine) => {
  const service = useService({ engine });
  const get = (id: string, path: string): Promise<Answer> => read(service(), { id, as }, path);

  it('accounts, pages of transactions and statements fit together', async () => {
    const id = await consent(service);
    const { accounts } = (await get(id, '/ais/psd2/v1/accounts')).json as { accounts: Account[] };
    const multi = accounts.filter(({ iban }) => iban === accounts[0]?.iban);
    expect(multi.map(({ currency }) => currency).sort()).toEqual(['EUR', 'GBP', 'USD']);
    expect(new Set(accounts.map(({ resourceId }) => resourceId)).size).toBe(accounts.length);

    const euro = multi.find(({ currency }) => currency === 'EUR');
    const base = `/ais/psd2/v1/accounts/${euro?.resourceId}`;
    const whole = (await get(id, `${base}/transactions?limit=500`)).json as {
      transactions: { booked: Booked[] };
    };
    expect(whole.transactions.booked.length).toBeGreaterThan(0);
    const paged: Booked[] = [];
    let next: string | undefined = `${base}/transactions?limit=7`;
    while (next !== undefined) {
      const page = (await get(id, next)).json as {
        transactions: { booked: Booked[] };
        _links: { next?: { href: string } };
      };
      paged.push(...page.transactions.booked);
      next = page._links.next && pathOf(page._links.next.href);
    }
    expect(paged).toEqual(whole.transactions.booked);

    const one = paged[0];
    const single = await get(id, `${base}/transactions/${one?.transactionId}`);
    expect(single.json).toEqual({ transactionsDetails: one });
  });

  it('a statement adds up to the cent', async () => {
    const id = await consent(service);
    const { accounts } = (await get(id, '/ais/psd2/v1/accounts')).json as { accounts: Account[] };
    const base = `/ais/psd2/v1/accounts/${accounts.find(({ currency }) => currency === 'EUR')?.resourceId}`;
    const list = (await get(id, `${base}/statements`)).json as {
      statements: { _links: { self: { href: string } } }[];
    };
    expect(list.statements.length).toBeGreaterThan(0);
    for (const { _links } of list.statements) {
      const { statement } = (await get(id, pathOf(_links.self.href))).json as {
        statement: Record<'openingBalance' | 'closingBalance', Money> &
          Record<'totalCredits' | 'totalDebits', { count: number; amount: Money }> & {
            transactions: Booked[];
          };
      };
      const { openingBalance, closingBalance, totalCredits, totalDebits, transactions } = statement;
      const amounts = transactions.map(({ transactionAmount }) => transactionAmount);
      expect(cents([closingBalance]) - cents([openingBalance])).toBe(cents(amounts));
      expect(cents(amounts.filter(({ amount }) => amount > 0))).toBe(cents([totalCredits.amount]));
      expect(cents(amounts.filter(({ amount }) => amount < 0))).toBe(-cents([totalDebits.amount]));
      expect(totalCredits.count + totalDebits.count).toBe(transactions.length);
    }
  });
});
