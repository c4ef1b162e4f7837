/** What submitting and reading a payment order answers; closed schemas. */
import { Type } from 'typebox';
import type { Field } from '../../http/operation.js';
import { instantText } from '../../lib/instant.js';
import { fromMinor } from '../../model/amount.js';
import type { Quote } from '../../model/quote.js';
import { orderStatuses, type PaymentOrder } from '../../payment/record.js';
import { credentialHeaders, psuHeaders, requestId, signatureHeaders } from '../headers.js';
import { ExactAmountSchema, LinkSchema, someOf } from '../schema.js';

const MICROS = 1_000_000;
const strict = { additionalProperties: false } as const;
const links = Type.Object(
  { self: LinkSchema, consent: LinkSchema },
  { ...strict, description: 'self is the order; consent is the payment consent it belongs to.' },
);
const transactionStatus = someOf(
  orderStatuses,
  'ISO 20022 status: RCVD received, PDNG pending, ACTC technically accepted, ACSP settlement in process, ACSC settled, RJCT rejected, CANC cancelled. The last three are final.',
);
const paymentId = Type.String({ description: 'Id of the payment order.' });
const statusReason = Type.Optional(
  Type.Object(
    {
      code: Type.String({ description: 'ISO 20022 status reason, such as AM04.' }),
      text: Type.String({ description: 'What it means.' }),
    },
    {
      title: 'StatusReason',
      ...strict,
      description: 'Why the order was rejected or cancelled, or what it waits for.',
    },
  ),
);

export const SubmittedOrder = Type.Object(
  { paymentId, transactionStatus, statusReason, _links: links },
  strict,
);

export const OrderRecord = Type.Object(
  {
    paymentId,
    transactionStatus,
    statusReason,
    createdDateTime: Type.String({ format: 'date-time', description: 'When it was submitted.' }),
    statusDateTime: Type.String({ format: 'date-time', description: 'When it reached this status.' }),
    exchangeRate: Type.Optional(
      Type.Number({
        description:
          'If the account that pays has another currency: one unit of the currency of the payment in that of the account, as it was approved.',
      }),
    ),
    debitedAmount: Type.Optional({
      ...ExactAmountSchema,
      description:
        'Beside exchangeRate: what the account pays for the amount, without charges. Left out of a payment that was rejected or cancelled.',
    }),
    _links: links,
  },
  strict,
);

const exampleId = '0c2f0f0e-6b7e-4f0a-9d3e-2b1f6f0a7c11';
const exampleLinks = {
  self: { href: `https://bank.example/pis/psd2/v1/${exampleId}/payment` },
  consent: { href: `https://bank.example/pis/psd2/v1/${exampleId}` },
};
export const submittedExample = {
  paymentId: '5b1f3a52-7d0e-4c3c-8d55-0a8f6e0f5a10',
  transactionStatus: 'ACSP',
  _links: exampleLinks,
};
export const orderExample = {
  paymentId: '5b1f3a52-7d0e-4c3c-8d55-0a8f6e0f5a10',
  transactionStatus: 'RJCT',
  statusReason: { code: 'AM04', text: 'The account does not have the amount and its charges.' },
  createdDateTime: '2026-11-15T09:32:10.000Z',
  statusDateTime: '2026-11-15T09:32:10.000Z',
  _links: exampleLinks,
};

/** What the operations on an order have in common. */
export const ofOrder = {
  area: 'pis',
  headers: [requestId, ...signatureHeaders, ...psuHeaders, ...credentialHeaders],
  query: [],
  params: [
    {
      name: 'paymentConsentId',
      schema: { type: 'string' },
      description: 'Id of the payment consent as returned when it was created.',
    } satisfies Field,
  ],
} as const;

export const orderAddress = (baseUrl: string, { consentId }: Pick<PaymentOrder, 'consentId'>): string =>
  `${baseUrl}/pis/psd2/v1/${consentId}/payment`;

/** Members of both answers. */
export const shownOrder = (order: PaymentOrder, baseUrl: string) => {
  const { id, status, reasonCode, reasonText, consentId } = order;
  return {
    paymentId: id,
    transactionStatus: status,
    ...(reasonCode === null ? {} : { statusReason: { code: reasonCode, text: reasonText ?? '' } }),
    _links: {
      self: { href: orderAddress(baseUrl, order) },
      consent: { href: `${baseUrl}/pis/psd2/v1/${consentId}` },
    },
  };
};

/** Of a payment that takes nothing from the account there is no exchange. */
export const shownExchange = ({ status }: PaymentOrder, quote: Quote | undefined) =>
  !quote || status === 'RJCT' || status === 'CANC'
    ? {}
    : {
        exchangeRate: quote.rateMicros / MICROS,
        debitedAmount: { currency: quote.payCurrency, amount: fromMinor(quote.payMinor, quote.payCurrency) },
      };

export const orderTimes = ({ createdAt, changedAt }: PaymentOrder) => ({
  createdDateTime: instantText(createdAt),
  statusDateTime: instantText(changedAt),
});
