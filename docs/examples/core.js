/** Stands for the client of a bank's own core, so that the example beside it runs: one person, one account, a few entries. */

const PERSON = '3eaae15e-ac05-44a4-a16c-4cefb03e7ad5';
const ACCOUNT = '22ac54ca-7467-4cda-9940-0a80efdb778c';

/** @type {import('trapeza').BankAccount} */
const account = {
  id: ACCOUNT,
  iban: 'GR0599900010000000000000101',
  bban: null,
  msisdn: null,
  currency: 'EUR',
  name: 'Everyday account',
  product: 'Current account',
  type: 'CACC',
  ownerName: 'Ελένη Παπαδοπούλου',
  status: 'enabled',
  balanceMinor: 100_000,
};

/** @type {import('trapeza').Balance} */
const balance = {
  type: 'interimAvailable',
  currency: 'EUR',
  amountMinor: 100_000,
  includesCreditLine: false,
  at: Date.UTC(2026, 0, 1),
};

const today = new Date().toISOString().slice(0, 10);

/** @type {import('trapeza').BankTransaction[]} */
const transactions = ['T-3', 'T-2', 'T-1'].map((id) => ({
  id,
  status: 'booked',
  bookingDate: today,
  valueDate: today,
  at: Date.now(),
  currency: 'EUR',
  amountMinor: -1250,
  code: 'PMNT-CCRD-POSD',
  balanceMinor: 100_000,
  details: {
    counterpartyName: 'Βιβλιοπωλείο Αθηνά',
    counterpartyIban: null,
    remittanceInformation: null,
    endToEndId: null,
    exchange: null,
  },
}));

/** @type {import('trapeza').Statement[]} */
const statements = [];

/** @type {Map<string, import('trapeza').PaymentProgress>} */
const payments = new Map();

/**
 * @typedef {Pick<import('trapeza').TransactionsQuery, 'from' | 'to' | 'status' | 'after' | 'limit'>} PageWish
 * @typedef {import('trapeza').Transfer} Transfer
 * @typedef {import('trapeza').PaymentInstruction} PaymentInstruction
 */
export const core = {
  /** @param {string} id */
  account: async (id) =>
    id === ACCOUNT
      ? { id, holders: [PERSON], availableMinor: balance.amountMinor, balances: [balance] }
      : undefined,
  /** @param {string} psuId */
  accountsOf: async (psuId) => (psuId === PERSON ? [account] : []),
  /** @param {Transfer} _transfer */
  terms: async (_transfer) => ({ faults: {}, charge: { currency: 'EUR', amountMinor: 30 }, quote: null }),
  /**
   * Undefined if `after` is no cursor of this list.
   * @param {string} _id
   * @param {PageWish} wish
   */
  page: async (_id, { from, to, status, after, limit }) => {
    const all = transactions.filter((each) => each.status === status && today >= from && today <= to);
    const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    if (after !== null && start === 0) return undefined;
    const items = all.slice(start, start + limit);
    return { items, next: start + limit < all.length ? (items.at(-1)?.id ?? null) : null };
  },
  /**
   * @param {string} _id
   * @param {string} transactionId
   */
  transaction: async (_id, transactionId) => transactions.find(({ id }) => id === transactionId),
  /**
   * @param {string} _id
   * @param {string} from
   * @param {string} to
   */
  statements: async (_id, from, to) => statements.filter((each) => each.from >= from && each.to <= to),
  /**
   * @param {string} _id
   * @param {string} statementId
   */
  statement: async (_id, statementId) => statements.find(({ id }) => id === statementId),
  /** @param {PaymentInstruction} instruction */
  pay: async ({ id }) => {
    payments.set(id, { status: 'ACSC' });
    return /** @type {const} */ ({ status: 'ACSC' });
  },
  /** @param {string} id */
  payment: async (id) => payments.get(id),
  ping: async () => undefined,
};
