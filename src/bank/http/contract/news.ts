/** News from the core: a private call to Trapeza, beside its own questions. Most of it is a hint that Trapeza checks with the core. */
import { type Static, Type } from 'typebox';
import { BankId, oneOf, strict } from './basic-shapes.js';

export const NEWS_PATH = '/core/news';

const id = Type.String({
  format: 'uuid',
  description: 'Of this piece of news; it comes back with its result.',
});

/** Why a bank ends a consent (PSD2 Art. 68(5)); kept with its history. */
const EndReason = oneOf(['death', 'court', 'fraud', 'other']);

const kinds = {
  payment: Type.Object(
    {
      id,
      kind: Type.Literal('payment-changed', {
        description: 'Settled, rejected or anything else: Trapeza asks for the state now.',
      }),
      paymentId: Type.String({ format: 'uuid' }),
    },
    strict,
  ),
  account: Type.Object(
    {
      id,
      kind: Type.Literal('account-closed', {
        description: 'Trapeza asks for the accounts of its holders; consents for this account alone end.',
      }),
      accountId: BankId,
    },
    strict,
  ),
  holder: Type.Object(
    {
      id,
      kind: Type.Literal('holder-removed', {
        description: 'The same, for one person who holds the account no more.',
      }),
      psuId: BankId,
      accountId: BankId,
    },
    strict,
  ),
  consent: Type.Object(
    {
      id,
      kind: Type.Literal('consent-ended', { description: 'The bank ends this consent.' }),
      consentId: Type.String({ format: 'uuid' }),
      reason: EndReason,
    },
    strict,
  ),
};

const MOST = 100;

export const News = Type.Object(
  {
    news: Type.Array(Type.Union([kinds.payment, kinds.account, kinds.holder, kinds.consent]), {
      minItems: 1,
      maxItems: MOST,
    }),
  },
  strict,
);
export type NewsItem = Static<typeof News>['news'][number];

export const NewsResults = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          id,
          result: Type.Union(
            [
              Type.Literal('done'),
              Type.Literal('nothing'),
              Type.Literal('unconfirmed'),
              Type.Literal('failed'),
            ],
            {
              description:
                'nothing: unknown here, or already so. unconfirmed: the core itself still answers otherwise. failed: send it again.',
            },
          ),
        },
        strict,
      ),
    ),
  },
  strict,
);
export type NewsResult = Static<typeof NewsResults>['results'][number]['result'];

export const newsExample = {
  news: [
    {
      id: '5f0c2f5e-4a7e-4d0c-9d0a-1f6c3a2b7c11',
      kind: 'payment-changed',
      paymentId: '0c9e8c1f-9a43-4b47-9f0f-9b3d6c0f1e25',
    },
    {
      id: 'c1d4b0f6-9b1e-4a53-8f0e-6a8a0f1b2c3d',
      kind: 'holder-removed',
      psuId: 'customer-4711',
      accountId: 'GR-101-EUR',
    },
  ],
};
export const newsResultsExample = {
  results: newsExample.news.map((each) => ({ id: each.id, result: 'done' })),
};
