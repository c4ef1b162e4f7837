/** Get consent status and Get payment information: whose consents are found, in which status, and the PSU headers. */
import { isDeepStrictEqual } from 'node:util';
import type { Bank, Called } from '../bank/bank.js';
import { anyConsent, decided, end, stage } from '../bank/consents.js';
import type { ConsentType } from '../bank/credentials.js';
import type { Answer } from '../bank/http.js';
import { newId, paymentPath, statusPath } from '../bank/operations.js';
import { areas, type Case, type Clause, document, law, profile } from '../case.js';
import { demandStatus, membersOf, type Status } from '../shapes.js';
import { demand, NotRun, need } from '../verdict.js';

interface Read {
  readonly area: 'status' | 'payment';
  readonly section: string;
  readonly type: ConsentType;
  /** Of which a consent is not found here. */
  readonly otherType: ConsentType;
  readonly path: (id: string) => string;
  /** Of the member with the status. */
  readonly member: 'status' | 'consentStatus';
}

const reads: readonly Read[] = [
  {
    area: 'status',
    section: 'Endpoints 3',
    type: 'AccountAccess',
    otherType: 'ConfirmationOfFunds',
    path: statusPath,
    member: 'status',
  },
  {
    area: 'payment',
    section: 'Endpoints 4',
    type: 'PaymentInitiation',
    otherType: 'AccountAccess',
    path: paymentPath,
    member: 'consentStatus',
  },
];

const get = (bank: Bank, { path }: Read, id: string, more: Partial<Called> = {}): Promise<Answer> =>
  bank.call({ ...more, path: path(id) });

/** How a consent gets into each status; undefined if only a known one can be read. */
const ways: Readonly<Record<Status, ((bank: Bank, type: ConsentType) => Promise<string>) | undefined>> = {
  Received: async (bank, type) => (await stage(bank, type)).id,
  Valid: async (bank, type) => (await decided(bank, type, 'approve')).id,
  Rejected: async (bank, type) => (await decided(bank, type, 'reject')).id,
  RevokedByPsu: async (bank, type) => (await decided(bank, type, 'revoke')).id,
  TerminatedByTpp: async (bank, type) => {
    const { id } = await stage(bank, type);
    const { status } = await end(bank, type, id);
    need(status === 204, `its end is answered ${status}`);
    return id;
  },
  Expired: undefined,
};

const titles: Readonly<Record<Status, string>> = {
  Received: 'a new consent is Received',
  Valid: 'a consent that was approved is Valid',
  Rejected: 'a consent that was refused is Rejected',
  RevokedByPsu: 'a consent that the account holder has withdrawn is RevokedByPsu',
  TerminatedByTpp: 'a consent that the third party has ended is TerminatedByTpp',
  Expired: 'a consent whose time is over is Expired',
};

const inStatus = async (bank: Bank, { type }: Read, status: Status): Promise<string> => {
  const known = bank.credentials.consents?.find((each) => each.type === type && each.status === status);
  const make = ways[status];
  try {
    if (make) return await make(bank, type);
  } catch (error) {
    if (!known || !(error instanceof NotRun)) throw error;
  }
  if (!known) throw new NotRun(`the credentials have no ${type} consent that is ${status}`);
  return known.id;
};

const statusCases = (read: Read): Case[] =>
  (Object.keys(titles) as Status[]).map((status) => ({
    id: `${read.area}-${status.toLowerCase()}`,
    title: `${areas[read.area]}: ${titles[status]}`,
    area: read.area,
    clause: document('States and transitions'),
    run: async (bank) => {
      const seen = membersOf(await get(bank, read, await inStatus(bank, read, status)))[read.member];
      demand(seen === status, status, typeof seen === 'string' ? seen : 'none');
    },
  }));

/** Without what names the call itself. */
const bodyOf = (answer: Answer): unknown => {
  const { instance: _, ...rest } = membersOf(answer);
  return rest;
};

const absenceCases = (read: Read): Case[] => {
  const { area, section, type, otherType } = read;
  const other = (bank: Bank): Promise<string> => anyConsent(bank, type);
  const sketches: readonly (readonly [string, string, Clause, (bank: Bank) => Promise<Answer>])[] = [
    [
      'unknown',
      'an id that was never given',
      document(`${section} (404)`),
      (bank) => get(bank, read, newId()),
    ],
    [
      'foreign',
      'a consent of another third party',
      law('RTS 2018/389 Art. 30(1)(a): a third party identifies itself, and sees its own'),
      async (bank) => get(bank, read, await other(bank), { as: 'other' }),
    ],
    [
      'other-kind',
      'a consent of another kind',
      document(`${section} (path parameter)`),
      async (bank) => get(bank, read, await anyConsent(bank, otherType)),
    ],
    ['odd-id', 'an id that is none', document(`${section} (404)`), (bank) => get(bank, read, 'conformance')],
  ];
  return [
    ...sketches.map(
      ([name, title, clause, ask]): Case => ({
        id: `${area}-${name}`,
        title: `${areas[area]}: ${title} is not found`,
        area,
        clause,
        run: async (bank) => demandStatus(await ask(bank), 404, ...(name === 'odd-id' ? [400] : [])),
      }),
    ),
    {
      id: `${area}-absence-alike`,
      title: `${areas[area]}: a consent of another third party looks like one that does not exist`,
      area,
      clause: profile('Errors, Unknown, foreign and wrong-kind ids'),
      run: async (bank) => {
        const [unknown, foreign] = [
          await get(bank, read, newId(), { as: 'other' }),
          await get(bank, read, await other(bank), { as: 'other' }),
        ];
        need(foreign.status === unknown.status, `they are answered ${foreign.status} and ${unknown.status}`);
        demand(isDeepStrictEqual(bodyOf(foreign), bodyOf(unknown)), 'the same body', 'different ones');
      },
    },
  ];
};

const PSU = document('Endpoints 3 and 4, request headers');

/** A header, a value that it may not have, and one that it may. */
const psuHeaders: Readonly<Record<string, readonly [good: string, bad?: string]>> = {
  'PSU-IP-Address': ['192.0.2.7', 'home'],
  'PSU-IP-Port': ['51234', 'many'],
  'PSU-Http-Method': ['PATCH', 'FETCH'],
  'PSU-Device-ID': ['99435c7e-ad88-49ec-a2ad-99ddcb1f5555', 'phone'],
  'PSU-Accept': ['text/html'],
  'PSU-Accept-Charset': ['utf-8'],
  'PSU-Accept-Encoding': ['gzip'],
  'PSU-Accept-Language': ['el'],
  'PSU-User-Agent': ['Mozilla/5.0'],
  'PSU-Geolocation': ['GEO:37.98;23.73'],
};

const headerCases = (read: Read): Case[] => [
  {
    id: `${read.area}-psu-headers`,
    title: `${areas[read.area]} takes every PSU header of the document`,
    area: read.area,
    clause: PSU,
    run: async (bank) => {
      const headers = Object.fromEntries(Object.entries(psuHeaders).map(([name, [good]]) => [name, good]));
      demandStatus(await get(bank, read, await anyConsent(bank, read.type), { headers }), 200);
    },
  },
  ...Object.entries(psuHeaders).flatMap(([name, [, bad]]): Case[] =>
    bad === undefined
      ? []
      : [
          {
            id: `${read.area}-${name.toLowerCase()}`,
            title: `${areas[read.area]} refuses a malformed ${name}`,
            area: read.area,
            clause: profile('Consents and payments, PSU headers'),
            run: async (bank) => {
              const id = await anyConsent(bank, read.type);
              demandStatus(await get(bank, read, id, { headers: { [name]: bad } }), 400);
            },
          },
        ],
  ),
];

export const readCases: readonly Case[] = reads.flatMap((read) => [
  ...statusCases(read),
  ...absenceCases(read),
  ...headerCases(read),
]);
