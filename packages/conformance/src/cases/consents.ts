/** The life of a consent of each kind: made, read, decided, ended. */
import type { Bank } from '../bank/bank.js';
import { consentPath, create, creationBody, creationPaths, end, stage, stagedIn } from '../bank/consents.js';
import type { ConsentType } from '../bank/credentials.js';
import type { Answer } from '../bank/http.js';
import { newId } from '../bank/operations.js';
import { type Case, type Clause, complaint, document, law, profile, rfc } from '../case.js';
import { demandStatus, membersOf } from '../shapes.js';
import { demand, need } from '../verdict.js';

const kinds: readonly (readonly [name: string, words: string, type: ConsentType])[] = [
  ['funds', 'a funds consent', 'ConfirmationOfFunds'],
  ['account', 'an account access', 'AccountAccess'],
  ['payment', 'a payment consent', 'PaymentInitiation'],
];

const CREATING = profile('Consents and payments, Creating consents');
const ENDING = profile('Consents and payments, Ending a consent');

/** Made for this case; ended after it. */
const made = async (
  bank: Bank,
  type: ConsentType,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const answer = await create(bank, type, { headers });
  need(answer.status >= 200 && answer.status < 300, `POST ${creationPaths[type]} answered ${answer.status}`);
  const { id } = stagedIn(answer);
  bank.leftovers.push(() => end(bank, type, id));
  return answer;
};

const statusOf = async (bank: Bank, type: ConsentType, id: string): Promise<unknown> => {
  const { consentStatus } = membersOf(await bank.call({ path: consentPath(type, id) }));
  return consentStatus;
};

type Sketch = readonly [string, string, Clause, (bank: Bank, type: ConsentType) => Promise<void>];

const creation: readonly Sketch[] = [
  [
    'created',
    'is made with 201',
    CREATING,
    async (bank, type) => {
      const answer = await create(bank, type);
      const { consentId } = membersOf(answer);
      if (typeof consentId === 'string') bank.leftovers.push(() => end(bank, type, consentId));
      demandStatus(answer, 201);
    },
  ],
  [
    'location',
    'says in Location what was made',
    rfc('9110, 15.3.2'),
    async (bank, type) => {
      const answer = await made(bank, type);
      const { location = '' } = answer.headers;
      const path = consentPath(type, stagedIn(answer).id);
      demand(
        location.endsWith(path),
        'the address of the consent',
        location === '' ? 'no Location' : 'another address',
      );
    },
  ],
  [
    'redirect',
    'says at which address of the bank the account holder decides',
    CREATING,
    async (bank, type) => {
      const { address = '' } = stagedIn(await made(bank, type));
      demand(URL.canParse(address), '_links.scaRedirect with a whole address', 'none');
    },
  ],
  [
    'approach',
    'says that the account holder is redirected',
    CREATING,
    async (bank, type) => {
      const { headers } = await made(bank, type);
      demand(headers['aspsp-sca-approach'] === 'REDIRECT', 'ASPSP-SCA-Approach: REDIRECT', 'none or another');
    },
  ],
  [
    'begins',
    'begins as Received',
    document('States and transitions'),
    async (bank, type) => {
      const { consentStatus } = membersOf(await made(bank, type));
      demand(consentStatus === 'Received', 'Received', 'another status');
    },
  ],
  [
    'record',
    'can be read with its id and kind',
    document('Resources, payment consent record'),
    async (bank, type) => {
      const { id } = await stage(bank, type);
      const seen = membersOf(await bank.call({ path: consentPath(type, id) }));
      demand(seen.id === id && seen.type === type, `its id and ${type}`, 'something else');
    },
  ],
  [
    'unknown-member',
    'is refused with a member that it does not have',
    CREATING,
    async (bank, type) =>
      demandStatus(await create(bank, type, { body: { ...creationBody(bank, type), colour: 'red' } }), 400),
  ],
  [
    'empty',
    'is refused without its content',
    CREATING,
    async (bank, type) => demandStatus(await create(bank, type, { body: {} }), 400),
  ],
  [
    'return-address',
    'is refused with a return address that is not registered',
    rfc('9700, 4.11: no open redirectors'),
    async (bank, type) => {
      const headers = { 'TPP-Redirect-URI': 'https://conformance.example/astray' };
      demandStatus(await create(bank, type, { headers }), 400);
    },
  ],
  [
    'return-registered',
    'is made with the registered return address',
    complaint('#19 (account holders stranded at the bank)'),
    async (bank, type) => {
      const { redirectUri } = bank.application();
      need(redirectUri !== undefined, 'the application has no redirectUri');
      const answer = await create(bank, type, { headers: { 'TPP-Redirect-URI': redirectUri ?? '' } });
      const { consentId } = membersOf(answer);
      if (typeof consentId === 'string') bank.leftovers.push(() => end(bank, type, consentId));
      demandStatus(answer, 201);
    },
  ],
];

const ending: readonly Sketch[] = [
  [
    'ended',
    'is ended by its third party with 204',
    ENDING,
    async (bank, type) => {
      const { id } = await stage(bank, type);
      demandStatus(await end(bank, type, id), 204);
    },
  ],
  [
    'ended-twice',
    'can be ended again, for an answer may be lost',
    rfc('9110, 9.2.2: DELETE is idempotent'),
    async (bank, type) => {
      const { id } = await stage(bank, type);
      const first = await end(bank, type, id);
      need(first.status === 204, `its end is answered ${first.status}`);
      demandStatus(await end(bank, type, id), 204, 404);
    },
  ],
  [
    'end-foreign',
    'is not ended by another third party',
    law('RTS 2018/389 Art. 30(1)(a): a third party identifies itself, and sees its own'),
    async (bank, type) => {
      const { id } = await stage(bank, type);
      const { status } = await end(bank, type, id, 'other');
      const after = await statusOf(bank, type, id);
      demand(
        after === 'Received' && status >= 400,
        'a refusal, and Received after it',
        `${status}, and ${after}`,
      );
    },
  ],
  [
    'end-unknown',
    'that never was cannot be ended',
    document('Errors (404)'),
    async (bank, type) => {
      // Else it would be the address that is not found.
      await stage(bank, type);
      demandStatus(await end(bank, type, newId()), 404);
    },
  ],
  [
    'refused-stays',
    'that was refused stays Rejected, also if its third party ends it',
    ENDING,
    async (bank, type) => {
      const staged = await stage(bank, type);
      await bank.person.decide(staged, 'reject');
      need((await statusOf(bank, type, staged.id)) === 'Rejected', 'a refused consent is not Rejected');
      await end(bank, type, staged.id);
      const after = await statusOf(bank, type, staged.id);
      demand(after === 'Rejected', 'Rejected', String(after));
    },
  ],
];

export const consentCases: readonly Case[] = kinds.flatMap(([name, words, type]) =>
  [...creation, ...ending].map(
    ([what, title, clause, run]): Case => ({
      id: `consents-${name}-${what}`,
      title: `${words} ${title}`,
      area: 'consents',
      clause,
      run: (bank) => run(bank, type),
    }),
  ),
);
