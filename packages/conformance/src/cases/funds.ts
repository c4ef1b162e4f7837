/** Confirm funds: what is asked, what is answered, and who may ask. */
import type { Bank } from '../bank/bank.js';
import { decided } from '../bank/consents.js';
import type { Answer } from '../bank/http.js';
import { confirmFunds, FUNDS, fundsBody, newId } from '../bank/operations.js';
import { type Clause, casesOf, document, law, profile, type Sketch } from '../case.js';
import { demandAccepted, demandOnly, demandStatus, membersOf } from '../shapes.js';
import { demand, need } from '../verdict.js';
import { answered, inJson } from './answered.js';

const HUGE = 999_999_999_999;
/** Of no bank, with a right checksum. */
const UNKNOWN_IBAN = 'GR9608100010000001234567890';

/** The answer to a good question, whatever status it has. */
const askedAmount = async (bank: Bank, amount: number): Promise<Answer> => {
  const answer = await confirmFunds(bank, fundsBody(bank, amount));
  need(answer.status >= 200 && answer.status < 300, `a good question is answered ${answer.status}`);
  return answer;
};

const answers: readonly Sketch[] = [
  answered('a good question is', 'Endpoints 1', (bank) => confirmFunds(bank)),
  inJson((bank) => askedAmount(bank, 1)),
  [
    'true',
    'one unit of the currency is available',
    document('Resources, funds confirmation response'),
    async (bank) => {
      const { fundsAvailable } = membersOf(await askedAmount(bank, 1));
      demand(fundsAvailable === true, '"fundsAvailable": true', 'something else');
    },
  ],
  [
    'false',
    'an amount that is on no account is not available',
    document('Resources, funds confirmation response'),
    async (bank) => {
      const { fundsAvailable } = membersOf(await askedAmount(bank, HUGE));
      demand(fundsAvailable === false, '"fundsAvailable": false', 'something else');
    },
  ],
  [
    'yes-or-no',
    'the answer is yes or no and nothing of the balance',
    law('PSD2 Art. 65(3): a simple yes or no, not the balance'),
    async (bank) => demandOnly((await askedAmount(bank, 1)).json, ['fundsAvailable'], 'an answer'),
  ],
  [
    'no-hold',
    'a question holds no funds: the same one has the same answer',
    law('PSD2 Art. 65(4): no funds are blocked'),
    async (bank) => {
      const answers = [];
      for (const _ of [1, 2, 3]) answers.push(membersOf(await askedAmount(bank, 10)).fundsAvailable);
      demand(new Set(answers).size === 1, 'three equal answers', 'different ones');
    },
  ],
];

const mediaType = (name: string, type: string | null, isGood: boolean, clause: Clause): Sketch => [
  `media-${name}`,
  `a body of ${type ?? 'no media type'} is ${isGood ? 'accepted' : 'refused with 415'}`,
  clause,
  async (bank) => {
    const answer = await confirmFunds(bank, fundsBody(bank), { 'Content-Type': type });
    if (isGood) demandAccepted(answer);
    else demandStatus(answer, 415);
  },
];

const mediaTypes: readonly Sketch[] = [
  mediaType('patch', 'application/json-patch+json', true, document('Endpoints 1 (content type)')),
  mediaType('absent', null, true, document('Endpoints 1 (Content-Type is not required)')),
  mediaType('text', 'text/plain', false, document('Endpoints 1 (415)')),
  mediaType('form', 'application/x-www-form-urlencoded', false, document('Endpoints 1 (415)')),
];

const consents: readonly Sketch[] = [
  [
    'other-currency',
    'funds are confirmed in the currency of the account alone',
    document('Endpoints 1, behaviour'),
    async (bank) => {
      const { currency } = bank.given('account');
      const body = {
        ...fundsBody(bank),
        instructedAmount: { currency: currency === 'USD' ? 'EUR' : 'USD', amount: 1 },
      };
      demandStatus(await confirmFunds(bank, body), 400, 403);
    },
  ],
  [
    'unknown-account',
    'an account that no consent covers is refused, never "not available"',
    law('PSD2 Art. 65(1)(b): only with the consent of the payer'),
    async (bank) =>
      demandStatus(
        await confirmFunds(bank, { ...fundsBody(bank), account: { iban: UNKNOWN_IBAN } }),
        403,
        404,
      ),
  ],
  [
    'without-consent',
    'another third party without a consent learns nothing of the account',
    law('PSD2 Art. 65(1)(b): only with the consent of the payer'),
    async (bank) => {
      const { iban } = bank.given('creditor');
      const body = { ...fundsBody(bank), account: { iban } };
      demandStatus(await bank.call({ as: 'other', method: 'POST', path: FUNDS, body }), 403, 404);
    },
  ],
  [
    'consent-header',
    'a Consent-ID that is no id is refused',
    profile('Confirm funds, Consent-ID'),
    async (bank) => demandStatus(await confirmFunds(bank, fundsBody(bank), { 'Consent-ID': 'x' }), 400),
  ],
  [
    'session',
    'the id of an account information consent may be beside the question',
    document('Endpoints 1, request headers (Consent-ID)'),
    async (bank) => demandAccepted(await confirmFunds(bank, fundsBody(bank), { 'Consent-ID': newId() })),
  ],
  [
    'withdrawn',
    'a consent that the account holder has withdrawn confirms nothing',
    law('PSD2 Art. 64(3): consent may be withdrawn at any time'),
    async (bank) => {
      const { iban } = bank.given('spare');
      const body = { account: { iban } };
      await decided(bank, 'ConfirmationOfFunds', 'revoke', { as: 'other', body });
      demandStatus(
        await bank.call({
          as: 'other',
          method: 'POST',
          path: FUNDS,
          body: { ...fundsBody(bank), account: { iban } },
        }),
        403,
        404,
      );
    },
  ],
];

export const fundsCases = casesOf('funds', [...answers, ...mediaTypes, ...consents]);
