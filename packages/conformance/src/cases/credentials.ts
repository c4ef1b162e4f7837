/** Keys and tokens on each of the four operations: without them nothing is answered. */
import type { Bank, Called } from '../bank/bank.js';
import type { Answer } from '../bank/http.js';
import { type OperationUnderTest, operations } from '../bank/operations.js';
import { areas, type Case, document, rfc } from '../case.js';
import { altered, demandStatus } from '../shapes.js';
import { demand, need } from '../verdict.js';

const KEY = 'Ocp-Apim-Subscription-Key';

type Change = (good: Called, bank: Bank) => Promise<Called>;

const withHeaders =
  (headers: NonNullable<Called['headers']>): Change =>
  async (good) => ({ ...good, headers: { ...good.headers, ...headers } });

const askWith = async (bank: Bank, { request }: OperationUnderTest, change: Change): Promise<Answer> =>
  bank.call(await change(await request(bank), bank));

const refusals: Readonly<Record<string, { title: string; section: string; change: Change }>> = {
  'key-missing': {
    title: 'refuses a call without subscription key',
    section: 'Authentication 1',
    change: withHeaders({ [KEY]: null }),
  },
  'key-wrong': {
    title: 'refuses a subscription key that it has not issued',
    section: 'Authentication 1',
    change: withHeaders({ [KEY]: 'conformance-wrong-key' }),
  },
  'key-in-query': {
    title: 'takes the subscription key from its header alone, not from the address',
    section: 'Authentication 1',
    change: async (good, bank) => {
      const key = encodeURIComponent(bank.application().subscriptionKey);
      return {
        ...(await withHeaders({ [KEY]: null })(good, bank)),
        path: `${good.path}?subscription-key=${key}`,
      };
    },
  },
  'token-missing': {
    title: 'refuses a call without access token',
    section: 'Authentication 2',
    change: withHeaders({ Authorization: null }),
  },
  'token-wrong': {
    title: 'refuses an access token that it has not issued',
    section: 'Authentication 2',
    change: withHeaders({ Authorization: 'Bearer conformance.wrong.token' }),
  },
  'token-altered': {
    title: 'refuses an access token of which one character is another',
    section: 'Authentication 2',
    change: async (good, bank) => {
      const token = altered(await bank.token());
      return withHeaders({ Authorization: `Bearer ${token}` })(good, bank);
    },
  },
};

const refusalCases = (operation: OperationUnderTest): Case[] =>
  Object.entries(refusals).map(([name, { title, section, change }]) => ({
    id: `${operation.area}-${name}`,
    title: `${areas[operation.area]} ${title}`,
    area: operation.area,
    clause: document(`${section} and 5 (401 or 403)`),
    run: async (bank) => demandStatus(await askWith(bank, operation, change), 401, 403),
  }));

const moreCases = (operation: OperationUnderTest): Case[] => [
  {
    id: `${operation.area}-token-in-query`,
    title: `${areas[operation.area]} takes no access token from the address`,
    area: operation.area,
    clause: rfc('9700, 4.3.2: tokens are not passed in a query'),
    run: async (bank) => {
      const answer = await askWith(bank, operation, async (good) => ({
        ...good,
        path: `${good.path}?access_token=${encodeURIComponent(await bank.token())}`,
        headers: { Authorization: null },
      }));
      demandStatus(answer, 400, 401, 403);
    },
  },
  {
    id: `${operation.area}-challenge`,
    title: `${areas[operation.area]} says with 401 how to authenticate`,
    area: operation.area,
    clause: rfc('9110, 15.5.2: 401 has WWW-Authenticate'),
    run: async (bank) => {
      const answer = await askWith(bank, operation, withHeaders({ Authorization: null }));
      need(answer.status === 401, `a call without token is answered ${answer.status}, not 401`);
      demand(Boolean(answer.headers['www-authenticate']), 'WWW-Authenticate', 'none');
    },
  },
  {
    id: `${operation.area}-foreign-token`,
    title: `${areas[operation.area]} refuses a token that was issued to another application than the key`,
    area: operation.area,
    clause: rfc('9700, 2.2.1: a token is of use to its owner alone'),
    run: async (bank) => {
      const token = await bank.token('other');
      demandStatus(
        await askWith(bank, operation, withHeaders({ Authorization: `Bearer ${token}` })),
        401,
        403,
      );
    },
  },
];

export const credentialCases: readonly Case[] = operations.flatMap((operation) => [
  ...refusalCases(operation),
  ...moreCases(operation),
]);
