/** The card issuer: may it ask whether an amount is there? Then it asks. */
import { amountOf, entryOf, type Flow } from './flow.js';
import { payerIban } from './people.js';

const account = { name: 'iban', label: 'IBAN of the account', preset: [payerIban] };

export const funds: Flow = {
  id: 'funds',
  title: 'Card issuer',
  audience: 'Confirmation of funds',
  words:
    'Asks an account holder for the permission to check funds, then asks whether an amount is there: yes or no, never the balance. It ends with a withdrawal, after which the same question is refused.',
  scope: 'piis',
  details: { type: 'funds_confirmation' },
  createPath: '/piis/psd2/v1/consents',
  consentPath: (id) => `/piis/psd2/v1/consents/${id}`,
  permission: 'to ask whether an amount is available',
  fields: [
    account,
    {
      name: 'card',
      label: 'What the card is called',
      preset: ['Pharos Demo Card'],
      hint: 'Shown to the account holder.',
    },
  ],
  body: (entries) => ({
    account: { iban: entryOf(entries, 'iban') ?? '' },
    ...(entryOf(entries, 'card') ? { cardInformation: entryOf(entries, 'card') } : {}),
  }),
  calls: [
    {
      id: 'confirm',
      label: 'Ask for the funds',
      words: 'Somebody pays by card: is the money there, now? Try a small amount and a very large one.',
      method: 'POST',
      template: '/piis/psd2/v1/funds-confirmations',
      path: () => '/piis/psd2/v1/funds-confirmations',
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
