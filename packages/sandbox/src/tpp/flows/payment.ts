/** The payment initiator: it stages a transfer, and when the account holder has approved exactly that, it submits it. */
import { amountOf, entryOf, type Flow } from './flow.js';
import { payee } from './people.js';

export const payment: Flow = {
  id: 'payment',
  title: 'Payment initiator',
  audience: 'Payment initiation',
  words:
    'Stages a transfer and sends the account holder to approve exactly this amount to exactly this payee. Then it reads what was approved and, where the service offers it, submits the order and follows it.',
  scope: 'pis',
  details: { type: 'payment_initiation', paymentProduct: 'domestic' },
  createPath: '/pis/psd2/v1/transfers/domestic',
  consentPath: (id) => `/pis/psd2/v1/${id}`,
  permission: 'to initiate this payment',
  fields: [
    { name: 'creditor', label: 'Name of the payee', preset: [payee.name] },
    { name: 'creditIban', label: 'IBAN of the payee', preset: [payee.iban] },
    { name: 'transfer', label: 'Amount in euros', preset: ['12.50'] },
    { name: 'reference', label: 'What it is for', preset: ['Τιμολόγιο 2041'] },
  ],
  body: (entries) => ({
    creditAccount: { iban: entryOf(entries, 'creditIban') ?? '' },
    creditorName: entryOf(entries, 'creditor') ?? '',
    instructedAmount: { currency: 'EUR', amount: amountOf(entries, 'transfer') },
    ...(entryOf(entries, 'reference') ? { remittanceInformation: entryOf(entries, 'reference') } : {}),
  }),
  calls: [
    {
      id: 'record',
      label: 'Read the payment',
      words: 'What was asked, what the bank has added, and where the approval stands.',
      method: 'GET',
      template: '/pis/psd2/v1/{}',
      path: (_walk, id) => `/pis/psd2/v1/${id}`,
    },
    {
      id: 'payment-funds',
      label: 'Ask whether the funds are there',
      words: 'Before the order is submitted. It changes nothing.',
      method: 'GET',
      template: '/pis/psd2/v1/{}/funds-confirmation',
      path: (_walk, id) => `/pis/psd2/v1/${id}/funds-confirmation`,
    },
    {
      id: 'submit',
      label: 'Submit the order',
      words: 'The order itself. One for each approval, whatever is repeated: a second one is a conflict.',
      method: 'POST',
      template: '/pis/psd2/v1/{}/payment',
      path: (_walk, id) => `/pis/psd2/v1/${id}/payment`,
    },
    {
      id: 'order',
      label: 'Follow the order',
      words: 'Whether it has been carried out.',
      method: 'GET',
      template: '/pis/psd2/v1/{}/payment',
      path: (_walk, id) => `/pis/psd2/v1/${id}/payment`,
    },
  ],
};
