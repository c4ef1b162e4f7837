/** What every implementation of the port `Bank` promises about accounts, funds and history. */
import assert from 'node:assert/strict';
import { BadCursor, balanceTypes, NoSuchAccount } from 'trapeza/bank';
import { DAY, newId } from 'trapeza/base';
import type { KeptPromise } from './promises.js';
import { transactionIdPromises } from './transaction-ids.js';
import { ever, isTrue, type TriedBank, transactionsOf } from './tried-bank.js';

const accountPromises = (tried: () => TriedBank): readonly KeptPromise[] => [
  {
    name: 'has a name and answers a ping',
    async check() {
      const { bank } = tried();
      await bank.ping();
      assert.notEqual(bank.name, '');
    },
  },
  {
    name: 'lists the accounts of a person, each with number, currency, type and owner; none of a stranger',
    async check() {
      const { bank, psuId, accountId, otherId } = tried();
      const accounts = await bank.accountsOf(psuId);
      const ids = accounts.map(({ id }) => id);
      isTrue(ids.includes(accountId) && !ids.includes(otherId), 'the accounts are those of the person');
      for (const account of accounts) {
        assert.match(account.iban ?? account.bban ?? '', /\d{10}/);
        assert.match(account.currency, /^[A-Z]{3}$/);
        assert.match(account.type, /^[A-Z]{4}$/);
        assert.notEqual(account.ownerName, '');
      }
      assert.deepEqual(await bank.accountsOf(newId()), []);
    },
  },
  {
    name: 'has funds for what is available, and not for a minor unit more',
    async check() {
      const { bank, accountId, psuId } = tried();
      const context = { psuId };
      const balances = await bank.balances(accountId, context);
      const { currency = '', amountMinor = 0 } =
        balances.find(({ type }) => type === 'interimAvailable') ?? {};
      const ask = (minor: number) =>
        bank.hasFunds({ accountId, currency, amountMinor: BigInt(minor), context });
      assert.deepEqual([await ask(amountMinor), await ask(amountMinor + 1)], [true, false]);
      await assert.rejects(bank.hasFunds({ accountId: newId(), currency, amountMinor: 1n, context }));
    },
  },
];

const privacyPromises = (tried: () => TriedBank): readonly KeptPromise[] => [
  {
    name: 'answers nobody about an account that is not theirs',
    async check() {
      const { bank, accountId, psuId, otherPsuId } = tried();
      const { page } = transactionsOf(tried);
      const [transaction] = (await page({ limit: 1 })).items;
      const [statement] = await bank.statements(accountId, ever.from, ever.to, { psuId });
      for (const context of [{ psuId: otherPsuId }, { psuId: newId() }]) {
        const queries = [
          () => bank.hasFunds({ accountId, currency: 'EUR', amountMinor: 1n, context }),
          () => bank.balances(accountId, context),
          () => page({ context }),
          () => page({ context, status: 'pending' }),
          () => bank.statements(accountId, ever.from, ever.to, context),
        ];
        for (const query of queries) await assert.rejects(query, NoSuchAccount);
        const found = (answer: Promise<unknown>) => answer.catch((error: unknown) => error);
        const answers = [
          await found(bank.transaction(accountId, transaction?.id ?? '', context)),
          await found(bank.statement(accountId, statement?.id ?? '', context)),
        ];
        for (const answer of answers)
          isTrue(
            answer === undefined || answer instanceof NoSuchAccount,
            'a stranger finds nothing by its id',
          );
      }
    },
  },
  {
    name: 'gives each balance once, none of the future, and what is pending lies between booked and available',
    async check() {
      const { bank, accountId, psuId, now } = tried();
      const { page } = transactionsOf(tried);
      const balances = await bank.balances(accountId, { psuId });
      const of = (type: string) => balances.find((each) => each.type === type)?.amountMinor ?? Number.NaN;
      assert.deepEqual(balances.map(({ type }) => type).toSorted(), [...balanceTypes].toSorted());
      for (const { at } of balances) isTrue(at <= now(), 'no balance is of the future');
      const { items } = await page({ status: 'pending' });
      const pending = items.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
      isTrue(pending < 0, 'something is pending');
      assert.equal(of('interimAvailable'), of('interimBooked') + pending);
      const [newest] = (await page({ limit: 1 })).items;
      assert.equal(newest?.balanceMinor ?? of('interimBooked'), of('interimBooked'));
    },
  },
];

const transactionPromises = (tried: () => TriedBank): readonly KeptPromise[] => {
  const { page, walk } = transactionsOf(tried);
  return [
    {
      name: 'gives transactions newest first, with balances that follow from one another',
      async check() {
        const all = await walk(7);
        isTrue(all.length > 50, 'the account has more than 50 transactions');
        for (const [index, each] of all.entries()) {
          const older = all[index + 1];
          assert.equal(each.status, 'booked');
          // An opening balance is no transaction: before the first one there may be money already.
          if (!older) continue;
          if (each.balanceMinor != null && older.balanceMinor != null)
            assert.equal(each.balanceMinor - each.amountMinor, older.balanceMinor);
          isTrue((each.bookingDate ?? '') >= (older.bookingDate ?? ''), 'newest first');
        }
        assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
        assert.deepEqual((await page({ limit: 1000 })).items, all);
      },
    },
    {
      name: 'gives the transactions of the wanted days, the first and the last included',
      async check() {
        const all = await walk(100);
        const days = [...new Set(all.map(({ bookingDate }) => bookingDate ?? ''))];
        const [to = '', from = ''] = [days[3], days[9]];
        const within = all.filter(
          ({ bookingDate }) => (bookingDate ?? '') >= from && (bookingDate ?? '') <= to,
        );
        assert.deepEqual((await page({ from, to, limit: 1000 })).items, within);
        assert.deepEqual((await page({ from: '2999-01-01' })).items, []);
        const { next } = await page({ limit: 1 });
        assert.deepEqual((await page({ from, to, after: next, limit: 1000 })).items, within);
      },
    },
  ];
};

const pagePromises = (tried: () => TriedBank): readonly KeptPromise[] => {
  const { page, walk } = transactionsOf(tried);
  return [
    {
      name: 'neither repeats nor hides a transaction when others arrive between the pages',
      async check() {
        const { arrive } = tried();
        if (!arrive) return;
        const before = await walk(100);
        assert.deepEqual(await walk(9, arrive), before);
        isTrue((await walk(100)).length > before.length, 'what arrived is there afterwards');
      },
    },
    {
      name: 'refuses a cursor that it never gave out, and names no account in its own',
      async check() {
        const { bank, accountId, psuId } = tried();
        const good = (await page({ limit: 1 })).next ?? '';
        const made = Buffer.from('b2026-02-31.1').toString('base64url');
        for (const after of [
          '',
          'x',
          `${good}x`,
          `${good}=`,
          good.toUpperCase(),
          made,
          'a'.repeat(10_000),
          '%00',
        ])
          await assert.rejects(page({ after }), BadCursor);
        await assert.rejects(page({ after: good, status: 'pending' }), BadCursor);
        const account = (await bank.accountsOf(psuId)).find(({ id }) => id === accountId);
        const text = good + Buffer.from(good, 'base64url').toString('latin1');
        const secrets = [accountId, (account?.iban ?? account?.bban ?? accountId).slice(-6)];
        isTrue(!secrets.some((secret) => text.includes(secret)), 'a cursor names no account');
      },
    },
    {
      name: 'pages through what is pending too',
      async check() {
        const all = (await page({ status: 'pending' })).items;
        const first = await page({ status: 'pending', limit: 1 });
        const second = await page({ status: 'pending', limit: 1, after: first.next });
        assert.deepEqual([...first.items, ...second.items], all.slice(0, 2));
        for (const { status, bookingDate, balanceMinor = null } of all)
          assert.deepEqual([status, bookingDate, balanceMinor], ['pending', null, null]);
      },
    },
    {
      name: 'shows a transaction by its id, to its own account only',
      async check() {
        const { bank, accountId, psuId, otherId, otherPsuId } = tried();
        const [booked] = (await page({ limit: 1 })).items;
        const [pending] = (await page({ status: 'pending', limit: 1 })).items;
        for (const each of [booked, pending]) {
          assert.deepEqual(await bank.transaction(accountId, each?.id ?? '', { psuId }), each);
          assert.equal(await bank.transaction(otherId, each?.id ?? '', { psuId: otherPsuId }), undefined);
        }
        assert.equal(await bank.transaction(accountId, newId(), { psuId }), undefined);
        assert.equal(await bank.transaction(accountId, 'no such id', { psuId }), undefined);
      },
    },
  ];
};

const statementPromises = (tried: () => TriedBank): readonly KeptPromise[] => [
  {
    name: 'gives the statements that lie wholly within the days, and one by its id to its own account',
    async check() {
      const { bank, accountId, psuId, otherId, otherPsuId, now } = tried();
      const context = { psuId };
      const all = await bank.statements(accountId, ever.from, ever.to, context);
      const [, second, third] = all;
      assert.ok(second && third, 'the account has three statements');
      const later = new Date(Date.parse(third.from) + DAY).toISOString().slice(0, 10);
      for (const from of [third.from, later])
        assert.deepEqual(
          await bank.statements(accountId, from, second.to, context),
          all.filter((each) => each.from >= from && each.to <= second.to),
        );
      assert.deepEqual(await bank.statement(accountId, second.id, context), second);
      assert.equal(await bank.statement(otherId, second.id, { psuId: otherPsuId }), undefined);
      assert.equal(await bank.statement(accountId, newId(), context), undefined);
      assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
      for (const { openingMinor, closingMinor, creditsMinor, debitsMinor, createdAt } of all) {
        isTrue(createdAt <= now(), 'no statement is of the future');
        isTrue(Math.min(creditsMinor, debitsMinor) >= 0, 'sums have no sign');
        assert.equal(openingMinor + creditsMinor - debitsMinor, closingMinor);
      }
    },
  },
];

/** `tried` is called by each check, so that a test may open the bank in a hook. */
export const bankPromises = (tried: () => TriedBank): readonly KeptPromise[] => [
  ...accountPromises(tried),
  ...privacyPromises(tried),
  ...transactionPromises(tried),
  ...pagePromises(tried),
  ...transactionIdPromises(tried),
  ...statementPromises(tried),
];
