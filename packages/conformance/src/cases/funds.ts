/** Confirm funds: what is asked, what is answered, and who may ask. */
import type { Bank } from '../bank/bank.js';
import { decided } from '../bank/consents.js';
import type { Answer } from '../bank/http.js';
import { confirmFunds, FUNDS, fundsBody, newId } from '../bank/operations.js';
import { type Case, type Clause, document, law, profile } from '../case.js';
import { demandAccepted, demandOnly, demandStatus, isJsonType, mediaTypeOf, membersOf } from '../shapes.js';
import { demand, need } from '../verdict.js';

const HUGE = 999_999_999_999;
/** Of no bank, with a right checksum. */
const UNKNOWN_IBAN = 'GR9608100010000001234567890';

const area = 'funds';

/** The answer to a good question, whatever status it has. */
const askedAmount = async (bank: Bank, amount: number): Promise<Answer> => {
  const answer = await confirmFunds(bank, fundsBody(bank, amount));
  need(answer.status >= 200 && answer.status < 300, `a good question is answered ${answer.status}`);
  return answer;
};

const answerCases: readonly Case[] = [
  {
    id: 'funds-status',
    title: 'a good question is answered with 200',
    area,
    clause: document('Endpoints 1 (success 200)'),
    run: async (bank) => demandStatus(await confirmFunds(bank), 200),
  },
  {
    id: 'funds-media-type',
    title: 'the answer is JSON and says so',
    area,
    clause: document('What the service does (JSON)'),
    run: async (bank) => {
      const answer = await askedAmount(bank, 1);
      demand(isJsonType(answer), 'a JSON media type', mediaTypeOf(answer) || 'no Content-Type');
    },
  },
  {
    id: 'funds-true',
    title: 'one unit of the currency is available',
    area,
    clause: document('Resources, funds confirmation response'),
    run: async (bank) => {
      const { fundsAvailable } = membersOf(await askedAmount(bank, 1));
      demand(fundsAvailable === true, '"fundsAvailable": true', 'something else');
    },
  },
  {
    id: 'funds-false',
    title: 'an amount that is on no account is not available',
    area,
    clause: document('Resources, funds confirmation response'),
    run: async (bank) => {
      const { fundsAvailable } = membersOf(await askedAmount(bank, HUGE));
      demand(fundsAvailable === false, '"fundsAvailable": false', 'something else');
    },
  },
  {
    id: 'funds-yes-or-no',
    title: 'the answer is yes or no and nothing of the balance',
    area,
    clause: law('PSD2 Art. 65(3): a simple yes or no, not the balance'),
    run: async (bank) => demandOnly((await askedAmount(bank, 1)).json, ['fundsAvailable'], 'an answer'),
  },
  {
    id: 'funds-no-hold',
    title: 'a question holds no funds: the same one has the same answer',
    area,
    clause: law('PSD2 Art. 65(4): no funds are blocked'),
    run: async (bank) => {
      const answers = [];
      for (const _ of [1, 2, 3]) answers.push(membersOf(await askedAmount(bank, 10)).fundsAvailable);
      demand(new Set(answers).size === 1, 'three equal answers', 'different ones');
    },
  },
];

const mediaCase = (name: string, type: string | null, isGood: boolean, clause: Clause): Case => ({
  id: `funds-media-${name}`,
  title: `a body of ${type ?? 'no media type'} is ${isGood ? 'accepted' : 'refused with 415'}`,
  area,
  clause,
  run: async (bank) => {
    const answer = await confirmFunds(bank, fundsBody(bank), { 'Content-Type': type });
    if (isGood) demandAccepted(answer);
    else demandStatus(answer, 415);
  },
});

const mediaCases: readonly Case[] = [
  mediaCase('patch', 'application/json-patch+json', true, document('Endpoints 1 (content type)')),
  mediaCase('absent', null, true, document('Endpoints 1 (Content-Type is not required)')),
  mediaCase('text', 'text/plain', false, document('Endpoints 1 (415)')),
  mediaCase('form', 'application/x-www-form-urlencoded', false, document('Endpoints 1 (415)')),
];

const consentCases: readonly Case[] = [
  {
    id: 'funds-other-currency',
    title: 'funds are confirmed in the currency of the account alone',
    area,
    clause: document('Endpoints 1, behaviour'),
    run: async (bank) => {
      const { currency } = bank.given('account');
      const body = {
        ...fundsBody(bank),
        instructedAmount: { currency: currency === 'USD' ? 'EUR' : 'USD', amount: 1 },
      };
      demandStatus(await confirmFunds(bank, body), 400, 403);
    },
  },
  {
    id: 'funds-unknown-account',
    title: 'an account that no consent covers is refused, never "not available"',
    area,
    clause: law('PSD2 Art. 65(1)(b): only with the consent of the payer'),
    run: async (bank) =>
      demandStatus(
        await confirmFunds(bank, { ...fundsBody(bank), account: { iban: UNKNOWN_IBAN } }),
        403,
        404,
      ),
  },
  {
    id: 'funds-without-consent',
    title: 'another third party without a consent learns nothing of the account',
    area,
    clause: law('PSD2 Art. 65(1)(b): only with the consent of the payer'),
    run: async (bank) => {
      const { iban } = bank.given('creditor');
      const body = { ...fundsBody(bank), account: { iban } };
      demandStatus(await bank.call({ as: 'other', method: 'POST', path: FUNDS, body }), 403, 404);
    },
  },
  {
    id: 'funds-consent-header',
    title: 'a Consent-ID that is no id is refused',
    area,
    clause: profile('Confirm funds, Consent-ID'),
    run: async (bank) => demandStatus(await confirmFunds(bank, fundsBody(bank), { 'Consent-ID': 'x' }), 400),
  },
  {
    id: 'funds-session',
    title: 'the id of an account information consent may be beside the question',
    area,
    clause: document('Endpoints 1, request headers (Consent-ID)'),
    run: async (bank) => demandAccepted(await confirmFunds(bank, fundsBody(bank), { 'Consent-ID': newId() })),
  },
  {
    id: 'funds-withdrawn',
    title: 'a consent that the account holder has withdrawn confirms nothing',
    area,
    clause: law('PSD2 Art. 64(3): consent may be withdrawn at any time'),
    run: async (bank) => {
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
  },
];

export const fundsCases: readonly Case[] = [...answerCases, ...mediaCases, ...consentCases];
