/** Examples of what the reads answer, for the documentation. */
const account = 'https://bank.example/ais/psd2/v1/accounts/0b7a4a52-6d0c-4a43-9e55-3a1a2f6d1f10';
const EUR = (amount: number) => ({ currency: 'EUR', amount });

const balance = {
  balanceType: 'interimAvailable',
  balanceAmount: EUR(2330.25),
  creditLimitIncluded: false,
  lastChangeDateTime: '2026-11-15T09:30:00.000Z',
  referenceDate: '2026-11-15',
};

export const balanceExample = { balances: [balance], _links: { account: { href: account } } };

export const accountExample = {
  resourceId: '0b7a4a52-6d0c-4a43-9e55-3a1a2f6d1f10',
  iban: 'GR0599900010000000000000101',
  currency: 'EUR',
  name: 'Τρεχούμενος',
  product: 'Current account',
  cashAccountType: 'CACC',
  status: 'enabled',
  ownerName: 'Ελένη Παπαδοπούλου',
  _links: {
    account: { href: account },
    balances: { href: `${account}/balances` },
    transactions: { href: `${account}/transactions` },
  },
};

export const transactionExample = {
  transactionId: '6f1f6a0c-53c6-4b3e-a0a9-6f0b4e0b2a55',
  bookingDate: '2026-11-12',
  valueDate: '2026-11-12',
  transactionAmount: EUR(-25.5),
  bankTransactionCode: 'PMNT-CCRD-POSD',
  proprietaryBankTransactionCode: 'POS-GR',
  balanceAfterTransaction: { balanceType: 'interimBooked', balanceAmount: EUR(2450.75) },
  creditorName: 'Βιβλιοπωλείο Αθηνά',
  remittanceInformationUnstructured: 'Αγορά με κάρτα',
  merchantCategoryCode: '5942',
};

export const transactionsExample = {
  transactions: { booked: [transactionExample] },
  _links: { account: { href: account }, next: { href: `${account}/transactions?page=v1.…` } },
};

export const statementExample = {
  statementId: '2b1c8f4e-9a35-4d4f-8f6b-1f0f5b0a7c11',
  statementNumber: '10/2026',
  dateFrom: '2026-10-01',
  dateTo: '2026-10-31',
  currency: 'EUR',
  openingBalance: EUR(2100),
  closingBalance: EUR(2476.25),
  totalCredits: { count: 2, amount: EUR(1800) },
  totalDebits: { count: 31, amount: EUR(1423.75) },
  createdDateTime: '2026-11-01T02:00:00.000Z',
  _links: {
    self: { href: `${account}/statements/2b1c8f4e-9a35-4d4f-8f6b-1f0f5b0a7c11` },
    account: { href: account },
  },
};
