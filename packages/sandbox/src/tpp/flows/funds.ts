/** The card issuer: may it ask whether an amount is there? Then it asks. */
import { amountOf, entryOf, type Flow } from './flow.js';
import { payerIban } from './people.js';

const account = { name: 'iban', label: 'IBAN of the account', preset: [payerIban] };

export const funds: Flow = {
  id: 'funds',
  title: 'Card issuer',
  audience: 'Confirmation of funds',
  words:
    'Asks the account holder for permission to check funds, then asks whether an amount is available: yes or no, never the balance. After a withdrawal the same call is refused.',
  scope: 'piis',
  details: { type: 'funds_confirmation' },
  operations: { create: 'createFundsConsent', status: 'getFundsConsentStatus', end: 'endFundsConsent' },
  idName: 'consentId',
  permission: 'to ask whether an amount is available',
  fields: [
    account,
    {
      name: 'card',
      label: 'Name of the card',
      preset: ['Pharos Demo Card'],
      hint: 'Shown to the account holder.',
    },
  ],
  body: (entries) => ({
    account: { iban: entryOf(entries, 'iban') ?? '' },
    ...(entryOf(entries, 'card') ? { cardInformation: entryOf(entries, 'card') } : {}),
  }),
  steps: ['Check funds', 'End the permission'],
  next: [
    'Ask whether an amount is there. The answer is yes or no, never the balance.',
    'Ask again as often as you like. Then withdraw the permission and ask once more: the bank refuses.',
    'Ask once more to see the refusal, or try another flow.',
  ],
  calls: [
    {
      id: 'confirm',
      label: 'Check the funds',
      words: 'Someone pays by card: is the amount available now? Try a small amount and a very large one.',
      operation: 'confirmFunds',
      place: () => ({}),
      step: 'use',
      fields: [
        account,
        { name: 'amount', label: 'Amount in euros', preset: ['25.50'] },
        { name: 'payee', label: 'Payee', preset: ['Βιβλιοπωλείο Αθηνά'] },
      ],
      body: (entries) => ({
        account: { iban: entryOf(entries, 'iban') ?? '' },
        ...(entryOf(entries, 'payee') ? { payee: entryOf(entries, 'payee') } : {}),
        instructedAmount: { currency: 'EUR', amount: amountOf(entries, 'amount') },
      }),
    },
  ],
};
