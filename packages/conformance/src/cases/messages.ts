/** What holds for every message of the four operations: ids, methods, media types and the error body. */
import type { Bank, Called } from '../bank/bank.js';
import type { Answer } from '../bank/http.js';
import { newId, type OperationUnderTest, operations } from '../bank/operations.js';
import { areas, type Case, complaint, document, profile, rfc } from '../case.js';
import { demandOnly, demandStatus, errorMembers, isJsonType, mediaTypeOf, membersOf } from '../shapes.js';
import { demand, need } from '../verdict.js';

type Asked = (bank: Bank, headers?: Called['headers'], more?: Partial<Called>) => Promise<Answer>;

const requestWith =
  ({ request }: OperationUnderTest): Asked =>
  async (bank, headers = {}, more = {}) =>
    bank.call({ ...(await request(bank)), ...more, headers });

/** A refusal that every bank can be made to give. */
const refusedBy = async (ask: Asked, bank: Bank): Promise<Answer> => {
  const answer = await ask(bank, { Authorization: null });
  need(answer.status >= 400, `a call without token is answered ${answer.status}`);
  return answer;
};

type Sketch = readonly [
  name: string,
  title: string,
  clause: Case['clause'],
  run: (ask: Asked, bank: Bank) => Promise<void>,
];

const errorSketches: readonly Sketch[] = [
  [
    'error-json',
    'answers a refusal in JSON, never with a page of some server in front of it',
    complaint('#130 (errors as HTML)'),
    async (ask, bank) => {
      const answer = await refusedBy(ask, bank);
      demand(isJsonType(answer), 'a JSON media type', mediaTypeOf(answer) || 'no Content-Type');
    },
  ],
  [
    'error-members',
    'has no members in its error body but the seven of the interface',
    document('Errors'),
    async (ask, bank) =>
      demandOnly((await refusedBy(ask, bank)).json, Object.keys(errorMembers), 'an error body'),
  ],
  [
    'error-types',
    'gives every member of its error body the right type',
    document('Errors'),
    async (ask, bank) => {
      const body = membersOf(await refusedBy(ask, bank));
      const wrong = Object.entries(errorMembers).filter(([name, fits]) => name in body && !fits(body[name]));
      demand(
        wrong.length === 0,
        'members of the right types',
        `wrong: ${wrong.map(([name]) => name).join(', ')}`,
      );
    },
  ],
  [
    'error-status',
    'repeats the status of the answer in its error body',
    rfc('9457, 3.1.2'),
    async (ask, bank) => {
      const answer = await refusedBy(ask, bank);
      const { status } = membersOf(answer);
      need(status !== undefined && status !== null, 'the error body has no status');
      demand(status === answer.status, `"status": ${answer.status}`, 'another one');
    },
  ],
  [
    'error-says-why',
    'says in words why it refuses',
    complaint('#148 (errors that do not say why)'),
    async (ask, bank) => {
      const { title, detail } = membersOf(await refusedBy(ask, bank));
      demand(
        [title, detail].some((text) => typeof text === 'string' && text.length > 3),
        'a title or detail',
        'none',
      );
    },
  ],
  [
    'error-errors',
    'has the member errors on 400 alone',
    document('Errors (errors: only on 400)'),
    async (ask, bank) => {
      const answer = await refusedBy(ask, bank);
      need(answer.status !== 400, 'a call without token is answered 400');
      const { errors } = membersOf(answer);
      demand(errors === undefined || errors === null, `no errors on ${answer.status}`, 'errors');
    },
  ],
  [
    'error-keeps-secrets',
    'repeats neither key nor token in a refusal',
    rfc('9457, 5: an error gives nothing away'),
    async (ask, bank) => {
      const token = 'conformance.secret.token';
      const { text, headers } = await ask(bank, { Authorization: `Bearer ${token}` });
      const seen = `${text}${JSON.stringify(headers)}`;
      const leaks = [token, bank.application().subscriptionKey].some((secret) => seen.includes(secret));
      demand(!leaks, 'neither of them', 'one of them in the answer');
    },
  ],
  [
    'request-id-on-refusal',
    'names the request id when it refuses, so that both sides can find the call',
    complaint('#149 (no interaction id on failures)'),
    async (ask, bank) => {
      const id = newId();
      const answer = await ask(bank, { Authorization: null, 'X-Request-ID': id });
      demand(answer.headers['x-request-id'] === id, 'X-Request-ID as it was sent', 'none or another');
    },
  ],
];

const plainSketches: readonly Sketch[] = [
  [
    'request-id-echo',
    'names the request id in its answer',
    profile('Errors (every answer echoes X-Request-ID)'),
    async (ask, bank) => {
      const id = newId();
      const answer = await ask(bank, { 'X-Request-ID': id });
      demand(answer.headers['x-request-id'] === id, 'X-Request-ID as it was sent', 'none or another');
    },
  ],
  [
    'accept-xml',
    'says 406 if only XML is accepted',
    profile('Errors (406)'),
    async (ask, bank) => demandStatus(await ask(bank, { Accept: 'application/xml' }), 406),
  ],
  [
    'accept-json',
    'answers in JSON if only that is accepted',
    document('What the service does (JSON)'),
    async (ask, bank) => {
      const answer = await ask(bank, { Accept: 'application/json' });
      demand(isJsonType(answer), 'a JSON media type', mediaTypeOf(answer) || 'no Content-Type');
    },
  ],
];

const idCases = ({ area, section }: OperationUnderTest, ask: Asked): Case[] =>
  Object.entries({ missing: null, malformed: 'conformance-1' }).map(([name, value]) => ({
    id: `${area}-request-id-${name}`,
    title: `${areas[area]} refuses a call whose X-Request-ID is ${name}`,
    area,
    clause: document(`${section}, request headers (X-Request-ID: uuid, required)`),
    run: async (bank) => demandStatus(await ask(bank, { 'X-Request-ID': value }), 400),
  }));

const methodCases = ({ area, section, wrongMethod, request }: OperationUnderTest): Case[] => {
  const ask = async (bank: Bank): Promise<Answer> => {
    const { path } = await request(bank);
    return bank.call({ method: wrongMethod, path });
  };
  return [
    {
      id: `${area}-method`,
      title: `${areas[area]} refuses the method ${wrongMethod}`,
      area,
      clause: document(`${section} (method; 405)`),
      run: async (bank) => demandStatus(await ask(bank), 405),
    },
    {
      id: `${area}-allow`,
      title: `${areas[area]} names with 405 the methods that it has`,
      area,
      clause: rfc('9110, 15.5.6: 405 has Allow'),
      run: async (bank) => {
        const { status, headers } = await ask(bank);
        need(status === 405, `${wrongMethod} is answered ${status}, not 405`);
        const allowed = (headers.allow ?? '').split(',').map((each) => each.trim());
        const { method = 'GET' } = await request(bank);
        demand(allowed.includes(method), `Allow with ${method}`, headers.allow ?? 'no Allow');
      },
    },
    {
      id: `${area}-version`,
      title: `${areas[area]} has no version 99`,
      area,
      clause: document('Versioning 1'),
      run: async (bank) => {
        const wanted = await request(bank);
        demandStatus(await bank.call({ ...wanted, path: wanted.path.replace('/v1/', '/v99/') }), 404);
      },
    },
  ];
};

const PRIVATE = ['funds', 'status', 'payment'];

const privacyCase = ({ area }: OperationUnderTest, ask: Asked): Case => ({
  id: `${area}-no-store`,
  title: `${areas[area]} lets no cache keep its answer`,
  area,
  clause: rfc('9111, 5.2.2.5 (no-store), for data of one person'),
  run: async (bank) => {
    const { headers } = await ask(bank);
    demand(/\bno-store\b/.test(headers['cache-control'] ?? ''), 'Cache-Control: no-store', 'none');
  },
});

export const messageCases: readonly Case[] = operations.flatMap((operation) => {
  const { area, needsRequestId } = operation;
  const ask = requestWith(operation);
  return [
    ...[...errorSketches, ...plainSketches].map(
      ([name, title, clause, run]): Case => ({
        id: `${area}-${name}`,
        title: `${areas[area]} ${title}`,
        area,
        clause,
        run: (bank) => run(ask, bank),
      }),
    ),
    ...(needsRequestId ? idCases(operation, ask) : []),
    ...methodCases(operation),
    ...(PRIVATE.includes(area) ? [privacyCase(operation, ask)] : []),
  ];
});
