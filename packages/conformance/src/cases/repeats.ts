/** Requests that are sent again, because an answer was lost: nothing happens twice. */
import type { Bank } from '../bank/bank.js';
import { anyConsent, create, creationBody, end } from '../bank/consents.js';
import type { ConsentType } from '../bank/credentials.js';
import type { Answer } from '../bank/http.js';
import { confirmFunds, fundsBody, newId, statusPath } from '../bank/operations.js';
import { casesOf, document, profile, type Sketch } from '../case.js';
import { demandStatus, membersOf } from '../shapes.js';
import { demand, need } from '../verdict.js';

const WRITES = profile('Consents and payments, Repeated writes');
const FUNDS_AGAIN = profile('Confirm funds, X-Request-ID again');
const UNIQUE = document('Endpoints, request headers (X-Request-ID: unique per call)');

const idOf = (answer: Answer): unknown => membersOf(answer).consentId;

const createdWith = async (
  bank: Bank,
  type: ConsentType,
  id: string,
  body: Record<string, unknown> = creationBody(bank, type),
): Promise<Answer> => {
  const answer = await create(bank, type, { body, headers: { 'X-Request-ID': id } });
  const consentId = idOf(answer);
  if (typeof consentId === 'string') bank.leftovers.push(() => end(bank, type, consentId));
  return answer;
};

const first = async (bank: Bank, type: ConsentType, id: string): Promise<Answer> => {
  const answer = await createdWith(bank, type, id);
  need(answer.status === 201, `a new consent is answered ${answer.status}`);
  return answer;
};

/** As good as the first, and different from it. */
const otherBody = (bank: Bank, type: ConsentType): Record<string, unknown> => {
  const good = creationBody(bank, type);
  if (type === 'AccountAccess') return { ...good, permissions: ['AccountsBasic'] };
  if (type === 'PaymentInitiation') return { ...good, remittanceInformation: 'Conformance 2' };
  return { ...good, registrationInformation: 'Conformance 2' };
};

const kinds: Readonly<Record<string, ConsentType>> = {
  funds: 'ConfirmationOfFunds',
  account: 'AccountAccess',
  payment: 'PaymentInitiation',
};

const ofKind = ([name, type]: [string, ConsentType]): readonly Sketch[] => [
  [
    `${name}-same`,
    `the same creation (${name}) again gives the same consent`,
    WRITES,
    async (bank) => {
      const id = newId();
      const before = await first(bank, type, id);
      const after = await createdWith(bank, type, id);
      demand(
        idOf(after) === idOf(before),
        'the same consentId',
        `status ${after.status} and another, or none`,
      );
    },
  ],
  [
    `${name}-bytes`,
    `the same creation (${name}) again is answered with the same bytes`,
    WRITES,
    async (bank) => {
      const id = newId();
      const before = await first(bank, type, id);
      const after = await createdWith(bank, type, id);
      need(idOf(after) === idOf(before), 'the answer has another consentId');
      demand(after.status === before.status && after.text === before.text, 'the same answer', 'another one');
    },
  ],
  [
    `${name}-other`,
    `another creation (${name}) with a used request id is refused`,
    UNIQUE,
    async (bank) => {
      const id = newId();
      await first(bank, type, id);
      demandStatus(await createdWith(bank, type, id, otherBody(bank, type)), 409, 400);
    },
  ],
  [
    `${name}-new`,
    `the same creation (${name}) with a new request id makes another consent`,
    UNIQUE,
    async (bank) => {
      const before = await first(bank, type, newId());
      const after = await first(bank, type, newId());
      demand(idOf(after) !== idOf(before), 'another consentId', 'the same');
    },
  ],
];

const AT_ONCE = 5;

const others: readonly Sketch[] = [
  [
    'parallel',
    'the same creation five times at once makes one consent',
    WRITES,
    async (bank) => {
      const id = newId();
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, () => createdWith(bank, 'ConfirmationOfFunds', id)),
      );
      const ids = new Set(answers.filter(({ status }) => status === 201).map(idOf));
      demand(ids.size === 1, 'one consentId', `${ids.size} of them`);
    },
  ],
  [
    'refused',
    'a refused request does not use up its request id',
    profile('Consents and payments, Repeated writes'),
    async (bank) => {
      const id = newId();
      const { status } = await createdWith(bank, 'ConfirmationOfFunds', id, {});
      need(status === 400, `an empty consent is answered ${status}`);
      demandStatus(await createdWith(bank, 'ConfirmationOfFunds', id), 201);
    },
  ],
  [
    'own-ids',
    'the request ids of two third parties have nothing to do with each other',
    profile('Consents and payments, Repeated writes'),
    async (bank) => {
      const id = newId();
      await first(bank, 'AccountAccess', id);
      const headers = { 'X-Request-ID': id };
      const answer = await create(bank, 'AccountAccess', { as: 'other', headers });
      const consentId = idOf(answer);
      if (typeof consentId === 'string')
        bank.leftovers.push(() => end(bank, 'AccountAccess', consentId, 'other'));
      demandStatus(answer, 201);
    },
  ],
  [
    'question-same',
    'the same funds question with the same request id is answered',
    FUNDS_AGAIN,
    async (bank) => {
      const headers = { 'X-Request-ID': newId() };
      const { status } = await confirmFunds(bank, fundsBody(bank), headers);
      need(status === 200, `a good question is answered ${status}`);
      demandStatus(await confirmFunds(bank, fundsBody(bank), headers), 200);
    },
  ],
  [
    'question-other',
    'another funds question with a used request id is refused',
    UNIQUE,
    async (bank) => {
      const headers = { 'X-Request-ID': newId() };
      const { status } = await confirmFunds(bank, fundsBody(bank), headers);
      need(status === 200, `a good question is answered ${status}`);
      demandStatus(await confirmFunds(bank, fundsBody(bank, 2), headers), 409, 400);
    },
  ],
  [
    'read',
    'a read with a used request id is answered',
    profile('Statuses that cannot occur'),
    async (bank) => {
      const path = statusPath(await anyConsent(bank, 'AccountAccess'));
      const headers = { 'X-Request-ID': newId() };
      const { status } = await bank.call({ path, headers });
      need(status === 200, `a good read is answered ${status}`);
      demandStatus(await bank.call({ path, headers }), 200);
    },
  ],
];

export const repeatCases = casesOf('repeats', [...Object.entries(kinds).flatMap(ofKind), ...others]);
