/** The payment initiator: it stages a transfer, and when the account holder has approved exactly that, it submits it. */
import type { ConsentId } from 'trapeza/base';
import type { Walk } from '../walk.js';
import { amountOf, entryOf, type Flow } from './flow.js';
import { payee } from './people.js';

const ofPayment = (_walk: Walk, paymentConsentId: ConsentId) => ({ params: { paymentConsentId } });

export const payment: Flow = {
  id: 'payment',
  title: 'Payment initiator',
  audience: 'Payment initiation',
  words:
    'Stages a transfer, and the account holder approves exactly this amount to exactly this payee. Then it submits the order, once, and follows it until it is paid.',
  scope: 'pis',
  details: { type: 'payment_initiation', paymentProduct: 'domestic' },
  operations: {
    create: 'createDomesticTransfer',
    status: 'getPaymentConsentStatus',
    end: 'endPaymentConsent',
  },
  idName: 'paymentConsentId',
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
  steps: ['Submit the order', 'Follow the order'],
  next: [
    'Submit the order. One approval pays once: a second submission is a conflict.',
    'Follow the order until it is paid (ACSC) or rejected (RJCT).',
    'The approval is used up. Begin again, or try another flow.',
  ],
  isOneOff: true,
  calls: [
    {
      id: 'submit',
      label: 'Submit the order',
      words: 'Carries out the payment. There is one order for each approval; a second one is a conflict.',
      operation: 'submitPayment',
      place: ofPayment,
      step: 'use',
    },
    {
      id: 'order',
      label: 'Follow the order',
      words: 'Whether it has been carried out. The bank executes it within seconds.',
      operation: 'getPayment',
      place: (walk, id) => (walk.done?.includes('submit') ? ofPayment(walk, id) : undefined),
      step: 'end',
      isDone: ({ transactionStatus }) => ['ACSC', 'RJCT', 'CANC'].includes(String(transactionStatus)),
    },
    {
      id: 'payment-funds',
      label: 'Check the funds of this payment',
      words: 'Before the order is submitted. It changes nothing.',
      operation: 'confirmPaymentFunds',
      place: ofPayment,
    },
    {
      id: 'record',
      label: 'Read the payment',
      words: 'What was asked, what the bank has added, and where the approval stands.',
      operation: 'getPaymentConsent',
      place: ofPayment,
    },
  ],
};
