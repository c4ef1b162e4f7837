/** The bodies of Get consent status and Get payment information, member by member. */
import type { Bank } from '../bank/bank.js';
import { anyConsent, creationBody, REMITTANCE, stage } from '../bank/consents.js';
import type { Answer } from '../bank/http.js';
import { paymentPath, statusPath } from '../bank/operations.js';
import { casesOf, document, type Sketch } from '../case.js';
import {
  DATE_TIME,
  demandOnly,
  demandStatus,
  isObject,
  type Members,
  membersOf,
  statuses,
} from '../shapes.js';
import { demand, need } from '../verdict.js';
import { answered } from './answered.js';

const readStatus = async (bank: Bank): Promise<Answer> =>
  bank.call({ path: statusPath(await anyConsent(bank, 'AccountAccess')) });

/** A payment whose content is known. */
const readPayment = async (bank: Bank): Promise<Answer & { readonly id: string }> => {
  const { id } = await stage(bank, 'PaymentInitiation');
  const answer = await bank.call({ path: paymentPath(id) });
  need(isObject(answer.json), `a new payment consent is answered ${answer.status} without a record`);
  return { ...answer, id };
};

const detailsOf = (answer: Answer): Members => {
  const { details } = membersOf(answer);
  need(isObject(details), 'the record has no details');
  return details as Members;
};

const statusSketches: readonly Sketch[] = [
  answered('the status is', 'Endpoints 3', readStatus),
  [
    'members',
    'the answer has the status and nothing else',
    document('Resources, consent status response (no other properties)'),
    async (bank) => demandOnly((await readStatus(bank)).json, ['status'], 'an answer'),
  ],
  [
    'value',
    'the status is one of the six',
    document('Resources, consent status response'),
    async (bank) => {
      const { status } = membersOf(await readStatus(bank));
      demand(
        (statuses as readonly unknown[]).includes(status),
        `one of ${statuses.join(', ')}`,
        'another value',
      );
    },
  ],
];

const recordMembers = ['type', 'id', 'tpp', 'createdDate', 'consentStatus', 'details'];
const detailMembers = [
  ...['endToEndId', 'paymentService', 'paymentProduct', 'debitAccount', 'creditAccount', 'instructedAmount'],
  ...['chargeBearer', 'remittanceInformation', 'creditorName', 'expenses'],
];
const referenceMembers = ['iban', 'bban', 'msisdn', 'currency'];
const RECORD = document('Resources, payment consent record');
const DETAILS = document('Resources, payment details object');

const isSameIban = (reference: unknown, iban: string): boolean =>
  isObject(reference) && String(reference.iban).replaceAll(' ', '') === iban;

/** One of the details is what the third party has sent. */
const kept = (name: string, title: string, isKept: (details: Members, bank: Bank) => boolean): Sketch => [
  name,
  title,
  DETAILS,
  async (bank) => {
    const details = detailsOf(await readPayment(bank));
    demand(isKept(details, bank), 'as it was sent', 'something else, or nothing');
  },
];

const sketches: readonly Sketch[] = [
  [
    'status',
    'the record is answered with 200',
    document('Endpoints 4 (success 200)'),
    async (bank) => demandStatus(await readPayment(bank), 200),
  ],
  [
    'members',
    'the record has no members that the document does not have',
    RECORD,
    async (bank) => demandOnly((await readPayment(bank)).json, recordMembers, 'a record'),
  ],
  [
    'consent-status',
    'the record has its consentStatus, one of the six',
    RECORD,
    async (bank) => {
      const { consentStatus } = membersOf(await readPayment(bank));
      demand(
        (statuses as readonly unknown[]).includes(consentStatus),
        `one of ${statuses.join(', ')}`,
        'another value',
      );
    },
  ],
  [
    'type',
    'the record is of type PaymentInitiation',
    RECORD,
    async (bank) => {
      const { type = 'PaymentInitiation' } = membersOf(await readPayment(bank));
      demand(type === 'PaymentInitiation', 'PaymentInitiation', 'another type');
    },
  ],
  [
    'id',
    'the record has the id that was asked for',
    RECORD,
    async (bank) => {
      const answer = await readPayment(bank);
      const { id = answer.id } = membersOf(answer);
      demand(id === answer.id, 'the id of the path', 'another one');
    },
  ],
  [
    'tpp',
    'the record names the client that asked for the consent',
    RECORD,
    async (bank) => {
      const { clientId } = bank.application();
      const { tpp = clientId } = membersOf(await readPayment(bank));
      demand(tpp === clientId, 'the client id', 'another one');
    },
  ],
  [
    'created',
    'createdDate is a date-time',
    RECORD,
    async (bank) => {
      const { createdDate } = membersOf(await readPayment(bank));
      need(createdDate !== undefined, 'the record has no createdDate');
      demand(DATE_TIME.test(String(createdDate)), 'a date-time (RFC 3339)', 'something else');
    },
  ],
  [
    'detail-members',
    'the details have no members that the document does not have',
    DETAILS,
    async (bank) => demandOnly(detailsOf(await readPayment(bank)), detailMembers, 'details'),
  ],
  [
    'reference-members',
    'account references have no members that the document does not have',
    document('Resources, account reference'),
    async (bank) => {
      const { debitAccount, creditAccount } = detailsOf(await readPayment(bank));
      for (const reference of [debitAccount, creditAccount])
        demandOnly(reference, referenceMembers, 'a reference');
    },
  ],
  kept('transfers', 'paymentService is transfers', ({ paymentService }) => paymentService === 'transfers'),
  kept('product', 'paymentProduct is domestic', ({ paymentProduct }) => paymentProduct === 'domestic'),
  kept(
    'end-to-end',
    'endToEndId is kept',
    ({ endToEndId }, bank) => endToEndId === creationBody(bank, 'PaymentInitiation').endToEndId,
  ),
  kept(
    'creditor',
    'creditorName is kept',
    ({ creditorName }, bank) => creditorName === bank.given('creditor').name,
  ),
  kept(
    'remittance',
    'remittanceInformation is kept',
    (details) => details.remittanceInformation === REMITTANCE,
  ),
  kept('credit-account', 'creditAccount is kept', ({ creditAccount }, bank) =>
    isSameIban(creditAccount, bank.given('creditor').iban),
  ),
  kept('debit-account', 'debitAccount is kept', ({ debitAccount }, bank) =>
    isSameIban(debitAccount, bank.given('account').iban),
  ),
  kept(
    'currency',
    'the currency of the amount is kept',
    ({ instructedAmount }, bank) =>
      isObject(instructedAmount) && instructedAmount.currency === bank.given('account').currency,
  ),
  [
    'amount',
    'the amount is kept, as a number',
    document('Resources, amount (number)'),
    async (bank) => {
      const { instructedAmount } = detailsOf(await readPayment(bank));
      const amount = isObject(instructedAmount) ? instructedAmount.amount : undefined;
      demand(amount === 1, 'the number 1', typeof amount);
    },
  ],
  [
    'bearer',
    'chargeBearer is sha, our or ben',
    DETAILS,
    async (bank) => {
      const { chargeBearer } = detailsOf(await readPayment(bank));
      need(chargeBearer !== undefined && chargeBearer !== null, 'the details have no chargeBearer');
      demand(['sha', 'our', 'ben'].includes(String(chargeBearer)), 'sha, our or ben', 'another value');
    },
  ],
];

export const recordCases = [...casesOf('status', statusSketches), ...casesOf('payment', sketches)];
