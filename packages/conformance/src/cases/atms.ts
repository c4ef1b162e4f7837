/** Get ATMs: every member of every ATM, and conditional reads. */
import type { Bank } from '../bank/bank.js';
import type { Answer } from '../bank/http.js';
import { ATMS } from '../bank/operations.js';
import { casesOf, document, profile, rfc, type Sketch } from '../case.js';
import { demandOnly, demandStatus, isObject, type Members, UUID } from '../shapes.js';
import { demand, need } from '../verdict.js';
import { type Asking, answered, asking, inJson } from './answered.js';
import { addressMembers, atmMembers, fits, requiredMembers } from './atm-members.js';

const read = (bank: Bank): Promise<Answer> => bank.once('the ATMs', () => bank.call({ path: ATMS }));

const listOf = async (bank: Bank): Promise<readonly Members[]> => {
  const { json } = await read(bank);
  need(Array.isArray(json), 'the answer is no list');
  return (json as readonly unknown[]).filter(isObject);
};

const named = (atm: Members): string => `ATM ${typeof atm.id === 'string' ? atm.id : '?'}`;

const reads: readonly Sketch[] = [
  answered('the ATMs are', 'Endpoints 2', read),
  inJson(read),
  [
    'list',
    'the answer is a list of objects',
    document('Endpoints 2 (JSON array of ATM objects)'),
    async (bank) => {
      const { json } = await read(bank);
      demand(Array.isArray(json) && json.every(isObject), 'a list of objects', 'something else');
    },
  ],
  [
    'without-request-id',
    'X-Request-ID is not needed',
    document('Endpoints, common rules (except the ATM read)'),
    async (bank) => demandStatus(await bank.call({ path: ATMS, headers: { 'X-Request-ID': null } }), 200),
  ],
  [
    'limited',
    'every third party may read them, whatever its role',
    profile('Authentication, Scopes'),
    async (bank) => demandStatus(await bank.call({ as: 'limited', path: ATMS }), 200),
  ],
  [
    'members',
    'no ATM has members that the document does not have',
    document('Resources, ATM (no other properties)'),
    async (bank) => {
      for (const atm of await listOf(bank)) demandOnly(atm, Object.keys(atmMembers), 'an ATM');
    },
  ],
  [
    'address-members',
    'no address has members that the document does not have',
    document('Resources, address object'),
    async (bank) => {
      for (const { address } of await listOf(bank)) demandOnly(address, addressMembers, 'an address');
    },
  ],
  [
    'country',
    'every address has its country, by two letters',
    document('Resources, address object (country: required)'),
    async (bank) => {
      for (const atm of await listOf(bank)) {
        const country = isObject(atm.address) ? atm.address.country : undefined;
        demand(
          country === null || /^[A-Z]{2}$/.test(String(country)),
          'a code of two letters',
          `none at ${named(atm)}`,
        );
      }
    },
  ],
  [
    'ids-differ',
    'every ATM has an id of its own',
    document('Resources, ATM (id: unique)'),
    async (bank) => {
      const ids = (await listOf(bank)).map(({ id }) => id).filter((id) => UUID.test(String(id)));
      demand(new Set(ids).size === ids.length, 'different ids', `${ids.length - new Set(ids).size} twice`);
    },
  ],
];

const members: readonly Sketch[] = Object.entries(atmMembers).map(([name, rule]) => [
  `member-${name.toLowerCase()}`,
  `${name} is ${rule.about} on every ATM`,
  document(`Resources, ATM (${name})`),
  async (bank) => {
    for (const atm of await listOf(bank)) {
      const isThere = name in atm;
      demand(isThere || !requiredMembers.has(name), name, `none at ${named(atm)}`);
      demand(!isThere || fits(rule, atm[name]), rule.about, `something else at ${named(atm)}`);
    }
  },
]);

const tagOf = async (bank: Bank): Promise<string> => {
  const { etag } = (await read(bank)).headers;
  need(etag !== undefined, 'the answer has no ETag');
  return etag ?? '';
};

const lastOf = async (bank: Bank): Promise<Date> => {
  const last = new Date((await read(bank)).headers['last-modified'] ?? '');
  need(!Number.isNaN(last.getTime()), 'the answer has no Last-Modified');
  return last;
};

const withQuery = (bank: Bank, query: Readonly<Record<string, string>>): Promise<Answer> =>
  bank.call({ path: `${ATMS}?${new URLSearchParams(query)}` });

const OPEN = profile('Get ATMs, a conditional request that finds no change');
const DAY_MS = 86_400_000;

const conditional: readonly Asking[] = [
  [
    'same-tag',
    'if_None_Match with the ETag of the data finds no change',
    OPEN,
    async (bank) => withQuery(bank, { if_None_Match: await tagOf(bank) }),
    304,
  ],
  [
    'other-tag',
    'if_None_Match with another ETag gives the data',
    document('Endpoints 2, query parameters'),
    async (bank) => withQuery(bank, { if_None_Match: '"conformance"' }),
    200,
  ],
  [
    'same-time',
    'if_Modified_Since with the time of the data finds no change',
    OPEN,
    async (bank) => withQuery(bank, { if_Modified_Since: (await lastOf(bank)).toISOString() }),
    304,
  ],
  [
    'older-time',
    'if_Modified_Since with an older time gives the data',
    document('Endpoints 2, query parameters'),
    async (bank) =>
      withQuery(bank, { if_Modified_Since: new Date((await lastOf(bank)).getTime() - DAY_MS).toISOString() }),
    200,
  ],
  [
    'bad-time',
    'if_Modified_Since that is no date-time is refused',
    document('Endpoints 2, query parameters (RFC 3339)'),
    async (bank) => withQuery(bank, { if_Modified_Since: 'yesterday' }),
    400,
  ],
  [
    'header-tag',
    'the standard header If-None-Match works too',
    rfc('9110, 13.1.2'),
    async (bank) => bank.call({ path: ATMS, headers: { 'If-None-Match': await tagOf(bank) } }),
    304,
  ],
];

const unchanged: Sketch = [
  'unchanged-empty',
  '304 has the ETag and no body',
  rfc('9110, 15.4.5'),
  async (bank) => {
    const etag = await tagOf(bank);
    const answer = await withQuery(bank, { if_None_Match: etag });
    need(answer.status === 304, `an unchanged list is answered ${answer.status}`);
    demand(answer.bytes.length === 0, 'no body', `${answer.bytes.length} bytes`);
    demand(answer.headers.etag === etag, 'the ETag', 'none or another');
  },
];

export const atmCases = casesOf('atms', [...reads, ...members, ...conditional.map(asking), unchanged]);
