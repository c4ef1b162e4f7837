/** The part of the contract about available funds: one question a call, or those that wait for each other in one. */
import { type TSchema, Type } from 'typebox';
import { BankId, Currency, Decimal, strict } from './basic-shapes.js';

/** Of one call. */
export const MOST_QUESTIONS = 100;

const id = Type.String({
  format: 'uuid',
  description: 'What X-Request-ID says of a question alone. It comes back with the answer.',
});

const FundsQuestion = Type.Object(
  {
    id,
    accountId: BankId,
    currency: Currency,
    amount: Decimal,
    headers: Type.Record(Type.String({ pattern: '^[A-Za-z-]{1,40}$' }), Type.String(), {
      description:
        'The headers that this question would have alone, by their names as `hasFunds` writes them: PSU-ID, Consent-ID, Bank-Consent-Data, Application-ID and those about the person.',
    }),
  },
  { ...strict, title: 'FundsQuestion' },
);

const Funds = Type.Object(
  { accountId: BankId, currency: Currency, fundsAvailable: Type.Boolean() },
  { ...strict, title: 'Funds' },
);

/** With the answers of this schema. */
export const repliesWith = <T extends TSchema>(answer: T) =>
  Type.Object(
    {
      replies: Type.Array(
        Type.Object(
          {
            id,
            status: Type.Integer({
              minimum: 200,
              maximum: 599,
              description: 'The status that this question would have alone.',
            }),
            answer: Type.Optional(answer),
            consentData: Type.Optional(
              Type.String({ description: 'What Bank-Consent-Data would say on its answer.' }),
            ),
            retryAfter: Type.Optional(
              Type.Integer({ minimum: 0, description: 'With 503: what Retry-After would say, in seconds.' }),
            ),
          },
          { ...strict, title: 'FundsReply' },
        ),
        { maxItems: MOST_QUESTIONS },
      ),
    },
    strict,
  );

export const fundsOperations = {
  hasFunds: {
    id: 'hasFunds',
    method: 'POST',
    path: '/accounts/:accountId/funds',
    summary: 'Whether an amount is available now',
    description:
      'Booked balance − pending debits + agreed credit line, compared with the amount. A blocked or closed account has no funds. Holds nothing and changes nothing. Answer with an error where it is not known: a wrong `false` declines somebody’s card.',
    body: Type.Object({ currency: Currency, amount: Decimal }, strict),
    answer: Funds,
    ofHolder: true,
    isSafe: true,
  },
  hasFundsOfMany: {
    id: 'hasFundsOfMany',
    method: 'POST',
    path: '/funds',
    summary: 'The same for several questions that wait for each other',
    description:
      'Optional: asked only if the `operations` of the health name it. A question that comes while another is on its way joins the next call; a lone one is asked as `hasFunds`. Each question is answered as it would be alone, with a status of its own: 404 if the person does not hold the account, 503 if it is not known now. One that fails must not fail the others, and each reply has the `id` of its question; the order is free. At most 100 questions and 256 KiB. A call that is refused as a whole (400, 404, 405, 413, 501) is asked again, question by question.',
    body: Type.Object(
      { questions: Type.Array(FundsQuestion, { minItems: 1, maxItems: MOST_QUESTIONS }) },
      strict,
    ),
    answer: repliesWith(Funds),
    absent: 'The core has no such operation.',
    isOptional: true,
    isSafe: true,
  },
} as const;
