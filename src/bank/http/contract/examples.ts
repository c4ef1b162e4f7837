/** An example of every question and answer of the contract. */
import type { CoreOperations } from './operations.js';

const psuId = 'customer-4711';
const accountId = 'GR-101-EUR';
const paymentId = '0c9e8c1f-9a43-4b47-9f0f-9b3d6c0f1e25';
const consentId = '7d1c6d0a-3f2b-4c58-9a57-2b8e3d4f5a60';
const challengeId = 'challenge-58';
const questionId = '3f1c2f5e-4a7e-4d0c-9d0a-1f6c3a2b7c12';
const iban = 'GR9699900010000000000000101';
const payee = 'GR1601101250000000012300695';

const account = {
  id: accountId,
  iban,
  bban: null,
  msisdn: '+306900000101',
  currency: 'EUR',
  name: 'Everyday account',
  product: 'Current account',
  type: 'CACC',
  ownerName: 'Ελένη Παπαδοπούλου',
  status: 'enabled',
  balance: '1830.25',
};

const transaction = {
  id: 'T-2026-000317',
  status: 'booked',
  bookingDate: '2026-11-13',
  valueDate: '2026-11-13',
  at: '2026-11-13T10:15:00Z',
  bookedAt: '2026-11-13T10:15:00Z',
  currency: 'EUR',
  amount: '-12.50',
  code: 'PMNT-CCRD-POSD',
  proprietaryCode: 'POS-GR',
  balance: '1830.25',
  counterpartyName: 'Βιβλιοπωλείο Αθηνά',
  counterpartyIban: null,
  remittanceInformation: 'Two books',
  endToEndId: null,
  paymentId: null,
  mandateId: null,
  creditorId: null,
  merchantCategoryCode: '5942',
  exchange: null,
};

const statement = {
  id: '2026-10',
  number: '10/2026',
  currency: 'EUR',
  from: '2026-10-01',
  to: '2026-10-31',
  opening: '1500.00',
  closing: '1842.75',
  credits: '1400.00',
  debits: '-1057.25',
  creditCount: 2,
  debitCount: 31,
  createdAt: '2026-11-01T00:30:00Z',
};

const wish = {
  product: 'domestic',
  bearer: 'sha',
  creditAccount: { iban: payee, bban: null, msisdn: null, currency: null },
  amount: { currency: 'EUR', amount: '120.00' },
};
const creditorName = 'Γιώργος Νικολάου';
const charge = { currency: 'EUR', amount: '0.30' };
const state = { paymentId, status: 'ACSP', reason: null, lookAgainAt: '2026-11-15T09:31:00Z' };
const context = {
  shownHash: 'oTzzGsFmBpq3iUhvVdR8kYw2xLQ0N5cJf7eA1bKtZ4M',
  payment: { amount: '120.00 EUR', payee: 'Γιώργος Νικολάου', account: payee },
};
const ofAccount = { accountId };

export interface CoreExample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  /** Absent if it is bytes. */
  readonly answer?: object;
}

export const coreExamples: Readonly<Record<keyof CoreOperations, CoreExample>> = {
  ping: {
    answer: {
      status: 'ok',
      consents: true,
      operations: ['ping', 'findAccounts', 'hasFunds', 'hasFundsOfMany'],
    },
  },
  findAccounts: {
    params: { psuId },
    query: { balances: 'true', limit: 101 },
    answer: { psuId, accounts: [account], next: null },
  },
  hasFunds: {
    params: ofAccount,
    body: { currency: 'EUR', amount: '25.50' },
    answer: { accountId, currency: 'EUR', fundsAvailable: true },
  },
  hasFundsOfMany: {
    body: {
      questions: [
        {
          id: questionId,
          accountId,
          currency: 'EUR',
          amount: '25.50',
          headers: { 'PSU-ID': psuId, 'Consent-ID': consentId, 'Application-ID': 'shop-checkout' },
        },
      ],
    },
    answer: {
      replies: [
        { id: questionId, status: 200, answer: { accountId, currency: 'EUR', fundsAvailable: true } },
      ],
    },
  },
  readBalances: {
    params: ofAccount,
    answer: {
      accountId,
      balances: [
        {
          type: 'interimAvailable',
          currency: 'EUR',
          amount: '2330.25',
          includesCreditLine: true,
          at: '2026-11-15T09:30:00Z',
        },
      ],
    },
  },
  listTransactions: {
    params: ofAccount,
    query: { from: '2026-08-17', to: '2026-11-15', status: 'booked', limit: 50, after: '20261101-000290' },
    answer: { accountId, transactions: [transaction], next: '20261113-000317' },
  },
  readTransaction: {
    params: { accountId, transactionId: transaction.id },
    answer: { accountId, transaction },
  },
  listStatements: {
    params: ofAccount,
    query: { from: '2026-10-01', to: '2026-10-31' },
    answer: { accountId, statements: [statement] },
  },
  readStatement: { params: { accountId, statementId: statement.id }, answer: { accountId, statement } },
  readStatementDocument: { params: { accountId, statementId: statement.id } },
  quoteTransfer: {
    body: { ...wish, creditorName, psuId, payerAccountId: accountId },
    answer: {
      faults: [],
      charge,
      quote: null,
      limit: { currency: 'EUR', amount: '15000.00' },
      payeeCheck: { result: 'close', name: 'Γεώργιος Νικολάου' },
      executionDate: '2026-11-16',
      cutOff: '2026-11-15T23:59:59+02:00',
      instant: false,
    },
  },
  executePayment: {
    params: { paymentId },
    body: {
      paymentId,
      payerAccountId: accountId,
      ...wish,
      creditorName,
      payeeCheck: 'close',
      charge,
      quote: null,
      endToEndId: 'RENT-2026-11',
      remittanceInformation: 'Rent of November',
      approvedAt: '2026-11-15T09:30:00Z',
    },
    answer: state,
  },
  readPayment: { params: { paymentId }, answer: { ...state, status: 'ACSC', lookAgainAt: null } },
  cancelPayment: {
    params: { paymentId },
    answer: {
      ...state,
      status: 'CANC',
      reason: { code: 'CUST', text: 'Requested by the customer.' },
      lookAgainAt: null,
    },
  },
  putConsent: {
    params: { consentId },
    body: {
      consentId,
      revision: 317,
      kind: 'AccountAccess',
      status: 'RevokedByPsu',
      reason: 'withdrawn',
      changedAt: '2026-11-15T09:30:00Z',
      psuId,
      accountIds: [accountId],
      applicationId: 'shop-checkout',
      thirdParty: { name: 'Agora Pay', registration: 'PSDGR-BOG-12345' },
      validUntil: '2027-05-14T20:59:59Z',
    },
    answer: { consentId, revision: 317 },
  },
  login: {
    body: { username: 'eleni', password: 'the password' },
    answer: { recognised: true, psuId, name: 'Ελένη Παπαδοπούλου' },
  },
  listMethods: {
    params: { psuId },
    body: context,
    answer: {
      psuId,
      methods: [
        { methodId: 'app', method: 'app', name: 'Bank app', sentTo: 'Android *** 42' },
        { methodId: 'sms', method: 'code', sentTo: '*** *** 4711' },
      ],
    },
  },
  sendCode: {
    params: { psuId },
    body: { ...context, methodId: 'sms' },
    answer: {
      psuId,
      challengeId,
      method: 'code',
      sentTo: '*** *** 4711',
      expiresAt: '2026-11-15T10:05:00Z',
      demoCode: null,
    },
  },
  tryCode: {
    params: { psuId, challengeId },
    body: { ...context, code: '417203' },
    answer: { psuId, challengeId, outcome: 'right' },
  },
};
