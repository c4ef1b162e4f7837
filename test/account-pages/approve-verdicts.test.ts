/** What cannot be paid cannot be chosen: the page that is drawn and the form that comes back decide alike, and no code is sent for it. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { BankAccount } from '../../src/bank/bank.js';
import type { TransferTerms } from '../../src/bank/payments.js';
import { bankWith } from '../bank/banks.js';
import { account } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import { addRequest, forgetCodes, hiddenFields, paymentDetails, stored, Visitor } from './approve-support.js';
import { cents, free, personalBank } from './personal-bank.js';

const [CURRENT, SAVINGS] = [account('eleni', 101).id, account('eleni', 102).id];
const details = { ...paymentDetails, instructedAmount: { currency: 'EUR', amount: 100 } };

interface Case {
  readonly name: string;
  /** Of the first account; the second one can pay. */
  readonly account?: Partial<BankAccount>;
  readonly covers?: boolean | 'unknown';
  readonly terms?: TransferTerms | 'unknown';
  /** Why it cannot be chosen. */
  readonly says?: Readonly<Record<'el' | 'en', string>>;
}

const SHORT = { el: 'Το υπόλοιπο δεν επαρκεί', en: 'The balance does not cover' };

const cases: readonly Case[] = [
  { name: 'a balance that covers it', account: { balanceMinor: 10_030 }, covers: false },
  { name: 'a cent too little', account: { balanceMinor: 10_029 }, covers: false, says: SHORT },
  { name: 'a credit line that covers it', account: { balanceMinor: -500 }, covers: true },
  {
    name: 'a balance that is not known, and too low',
    account: { balanceMinor: null },
    covers: false,
    says: SHORT,
  },
  { name: 'a core that does not know', account: { balanceMinor: 1 }, covers: 'unknown' },
  {
    name: 'a blocked account',
    account: { status: 'blocked' },
    says: { el: 'Ο λογαριασμός είναι δεσμευμένος', en: 'This account is blocked' },
  },
  {
    name: 'a closed account',
    account: { status: 'closed' },
    says: { el: 'Ο λογαριασμός έχει κλείσει', en: 'This account is closed' },
  },
  {
    name: 'an account from which others pay',
    account: { mayPay: false },
    says: { el: 'Δεν έχετε δικαίωμα', en: 'You are not allowed' },
  },
  {
    name: 'a limit',
    terms: { ...free, charge: cents(30), limitMinor: 9_999 },
    says: { el: 'έως 99,99', en: '€99.99' },
  },
  {
    name: 'a refusal of the core',
    terms: { ...free, faults: { creditAccount: ['Not from here.'] } },
    says: { el: 'Not from here.', en: 'Not from here.' },
  },
  { name: 'terms that the core does not tell', terms: 'unknown' },
];

describe.each(['forbid', 'warn'] as const)('with low balances: %s', (lowBalance) => {
  const core = personalBank();
  const use = useService({ bank: core.bank, env: { TRAPEZA_LOW_BALANCE: lowBalance } });
  beforeEach(async () => {
    core.begin();
    await forgetCodes(use());
  });

  const play = (each: Case): void => {
    core.lists(async (id) =>
      (await bankWith({}).accountsOf(id)).map((held) =>
        held.id === CURRENT ? { ...held, ...each.account } : { ...held, balanceMinor: 1_000_000 },
      ),
    );
    core.covers(async () => {
      if (each.covers === 'unknown') throw new Error('the core does not know');
      return each.covers ?? true;
    });
    core.says(({ payerAccountId }) => {
      if (payerAccountId !== CURRENT) return { ...free, charge: cents(30) };
      if (each.terms === 'unknown') throw new Error('the core does not tell');
      return each.terms ?? { ...free, charge: cents(30) };
    });
  };
  const isOpen = (text: string, id: string): boolean =>
    !/\sdisabled/.test(new RegExp(`<input[^>]*value="${id}"[^>]*>`).exec(text)?.[0] ?? ' disabled');

  test.each(cases)('$name', async (each) => {
    play(each);
    const id = await addRequest(use(), { details });
    const visitor = new Visitor(use());
    const drawn = await visitor.open(id);
    const canBeChosen = each.says === undefined || (each.says === SHORT && lowBalance === 'warn');
    expect([isOpen(drawn.text, CURRENT), isOpen(drawn.text, SAVINGS)]).toEqual([canBeChosen, true]);
    if (each.says) {
      expect(drawn.text.replace(/\s/g, ' ')).toContain(each.says.el);
      expect((await visitor.get(`/authorise/${id}?lang=en`)).text).toContain(each.says.en);
    }
    // The form, sent with a choice that the page does not offer.
    const send = (decision: string) =>
      visitor.post(`/authorise/${id}/decision`, {
        ...hiddenFields(drawn.text),
        decision,
        account: CURRENT,
        code: '123456',
      });
    const asked = await send('begin');
    const outage = each.terms === 'unknown';
    expect([asked.status, asked.text.includes('name="code"')]).toEqual(
      outage ? [503, false] : [canBeChosen ? 200 : 400, canBeChosen],
    );
    if (!canBeChosen) expect((await send('approve')).text).not.toContain('name="code"');
    expect((await stored(use(), id)).status).toBe('Received');
    expect((await visitor.decide(id, drawn, { account: SAVINGS })).status).toBe(303);
    expect((await stored(use(), id)).accounts).toEqual([SAVINGS]);
  });

  test('if no account can pay, the page says that it cannot be approved, and why', async () => {
    play({ name: 'none', account: { balanceMinor: 1 }, covers: false });
    const id = await addRequest(use(), { details, accounts: [account('eleni', 101)] });
    const { text } = await new Visitor(use()).open(id);
    expect(text).toContain(SHORT.el);
    expect(text.includes('value="begin"')).toBe(lowBalance === 'warn');
    expect(text.includes('Το αίτημα δεν μπορεί να εγκριθεί')).toBe(lowBalance === 'forbid');
  });
});
