/** Operation 2: conditional reads, and what publishing does to them on every node. */
import { describe, expect, it } from 'vitest';
import { demoAtms } from '../../packages/sandbox/src/atms/demo-atms.js';
import type { Atm } from '../../src/atms/atm.js';
import { publishAtms } from '../../src/atms/publication.js';
import { HOUR, SECOND } from '../../src/lib/clock.js';
import { instantText } from '../../src/lib/instant.js';
import type { Answer } from '../support/client.js';
import { engines } from '../support/engines.js';
import { ATMS, freshToken } from '../support/operations.js';
import { type Service, startService } from '../support/service.js';
import { type Use, useService, withStore } from '../support/use-service.js';

interface Copy {
  /** With its quotes. */
  readonly etag: string;
  readonly bare: string;
  readonly modifiedMs: number;
}

const copyOf = ({ headers }: Answer): Copy => {
  const etag = headers.etag ?? '';
  return { etag, bare: etag.slice(1, -1), modifiedMs: Date.parse(headers['last-modified'] ?? '') };
};

const query = (parameters: Readonly<Record<string, string>>): string =>
  `${ATMS}?${Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;

type Conditions = (copy: Copy, nowMs: number) => Readonly<Record<string, string>>;

const read = async (service: Service, conditions: Conditions, headers?: Conditions): Promise<Answer> => {
  const copy = copyOf(await service.call({ path: ATMS }));
  const now = service.clock.now();
  return service.call({ path: query(conditions(copy, now)), headers: headers?.(copy, now) ?? {} });
};

const at = (ms: number): string => instantText(ms).replace('.000Z', 'Z');

const byTag: readonly [string, Conditions, 200 | 304][] = [
  ['the ETag with quotes', ({ etag }) => ({ if_None_Match: etag }), 304],
  ['the ETag without quotes', ({ bare }) => ({ if_None_Match: bare }), 304],
  ['a weak ETag', ({ etag }) => ({ if_None_Match: `W/${etag}` }), 304],
  ['a weak ETag without quotes', ({ bare }) => ({ if_None_Match: `W/${bare}` }), 304],
  ['a list with the ETag', ({ etag }) => ({ if_None_Match: `"a", ${etag} ,W/"b"` }), 304],
  ['a list without quotes', ({ bare }) => ({ if_None_Match: `a,${bare}` }), 304],
  ['a star', () => ({ if_None_Match: '*' }), 304],
  ['another ETag', () => ({ if_None_Match: '"another"' }), 200],
  ['a list of others', () => ({ if_None_Match: '"a", W/"b", c' }), 200],
  ['the ETag in another case', ({ bare }) => ({ if_None_Match: bare.toLowerCase() }), 200],
  ['a part of the ETag', ({ bare }) => ({ if_None_Match: bare.slice(0, -1) }), 200],
];

const byDate: readonly [string, Conditions, 200 | 304][] = [
  ['the date of the copy', ({ modifiedMs }) => ({ if_Modified_Since: at(modifiedMs) }), 304],
  ['a second earlier', ({ modifiedMs }) => ({ if_Modified_Since: at(modifiedMs - SECOND) }), 200],
  ['in lower case', ({ modifiedMs }) => ({ if_Modified_Since: at(modifiedMs).toLowerCase() }), 304],
  [
    'another zone',
    ({ modifiedMs }) => ({ if_Modified_Since: at(modifiedMs + 2 * HOUR).replace('Z', '+02:00') }),
    304,
  ],
  [
    'west of us',
    ({ modifiedMs }) => ({ if_Modified_Since: at(modifiedMs - 5 * HOUR).replace('Z', '-05:00') }),
    304,
  ],
  ['a fraction later', ({ modifiedMs }) => ({ if_Modified_Since: instantText(modifiedMs + 999) }), 304],
  ['a fraction earlier', ({ modifiedMs }) => ({ if_Modified_Since: instantText(modifiedMs - 1) }), 200],
  ['now', (_copy, now) => ({ if_Modified_Since: instantText(now) }), 304],
  ['up to a minute ahead', (_copy, now) => ({ if_Modified_Since: instantText(now + 55 * SECOND) }), 304],
  [
    'over a minute ahead, which is a mistake',
    (_copy, now) => ({ if_Modified_Since: instantText(now + 90 * SECOND) }),
    200,
  ],
  ['a leap day', () => ({ if_Modified_Since: '2024-02-29T23:59:59Z' }), 200],
  ['a leap second', () => ({ if_Modified_Since: '2016-12-31T23:59:60Z' }), 200],
  ['the end of time', () => ({ if_Modified_Since: '9999-12-31T23:59:59Z' }), 200],
  ['the beginning of time', () => ({ if_Modified_Since: '0001-01-01T00:00:00Z' }), 200],
];

const together: readonly [string, Conditions, 200 | 304][] = [
  [
    'another ETag beside the date of today',
    (_copy, now) => ({ if_None_Match: '"x"', if_Modified_Since: at(now) }),
    200,
  ],
  [
    'the ETag beside an old date',
    ({ etag }) => ({ if_None_Match: etag, if_Modified_Since: '2001-01-01T00:00:00Z' }),
    304,
  ],
];

const none: Conditions = () => ({});
const httpDate = (ms: number): string => new Date(ms).toUTCString();

const byHeader: readonly [string, Conditions, Conditions, 200 | 304][] = [
  ['If-None-Match', none, ({ etag }) => ({ 'If-None-Match': etag }), 304],
  ['a weak If-None-Match in a list', none, ({ etag }) => ({ 'If-None-Match': `"a", W/${etag}` }), 304],
  ['If-None-Match: *', none, () => ({ 'If-None-Match': '*' }), 304],
  ['another If-None-Match', none, () => ({ 'If-None-Match': '"x"' }), 200],
  ['If-Modified-Since', none, ({ modifiedMs }) => ({ 'If-Modified-Since': httpDate(modifiedMs) }), 304],
  ['an earlier one', none, ({ modifiedMs }) => ({ 'If-Modified-Since': httpDate(modifiedMs - SECOND) }), 200],
  ['a future one', none, (_copy, now) => ({ 'If-Modified-Since': httpDate(now + HOUR) }), 200],
  ['one that is no date', none, () => ({ 'If-Modified-Since': 'yesterday' }), 200],
  [
    'both, the ETag wins',
    none,
    (_copy, now) => ({ 'If-None-Match': '"x"', 'If-Modified-Since': httpDate(now) }),
    200,
  ],
  [
    'a header beside if_None_Match',
    () => ({ if_None_Match: '"x"' }),
    ({ etag }) => ({ 'If-None-Match': etag }),
    200,
  ],
  [
    'a header beside if_Modified_Since',
    () => ({ if_Modified_Since: '2001-01-01T00:00:00Z' }),
    ({ etag }) => ({ 'If-None-Match': etag }),
    200,
  ],
];

const conditional = (service: Use): void => {
  it.each(byTag)('if_None_Match: %s', async (_what, conditions, expected) => {
    expect((await read(service(), conditions)).status).toBe(expected);
  });
  it.each(byDate)('if_Modified_Since: %s', async (_what, conditions, expected) => {
    expect((await read(service(), conditions)).status).toBe(expected);
  });
  it.each(together)('the ETag wins over the date: %s', async (_what, conditions, expected) => {
    expect((await read(service(), conditions)).status).toBe(expected);
  });
  it.each(byHeader)(
    'standard headers, where no parameter is sent: %s',
    async (_what, conditions, headers, expected) => {
      expect((await read(service(), conditions, headers)).status).toBe(expected);
    },
  );

  it('an unchanged list is told without a body, but with its ETag and dates', async () => {
    const full = await service().call({ path: ATMS });
    for (const method of ['GET', 'HEAD']) {
      const answer = await service().call({
        method,
        path: query({ if_None_Match: '*' }),
        headers: { 'Accept-Encoding': 'br' },
      });
      expect([answer.status, answer.text]).toEqual([304, '']);
      for (const name of ['etag', 'last-modified', 'cache-control', 'vary'])
        expect(answer.headers[name]).toBe(full.headers[name]);
      expect(answer.headers['content-type']).toBeUndefined();
      expect(answer.headers['content-encoding']).toBeUndefined();
    }
  });
};

const publish = (service: Service, atms: readonly Atm[]): Promise<unknown> =>
  withStore(service, (db) => publishAtms(db, atms, service.clock.now()));

const readAgain = async (service: Service, path = ATMS): Promise<Answer> =>
  service.call({ path, headers: { Authorization: `Bearer ${await freshToken(service)}` } });

const publishing = (service: Use): void => {
  it('publishing the same list again changes neither ETag nor date', async () => {
    const before = copyOf(await readAgain(service()));
    service().clock.advance(HOUR);
    await publish(service(), demoAtms().reverse());
    expect(copyOf(await readAgain(service()))).toEqual(before);
  });

  it('one changed ATM changes both, and a caller with the old copy gets the new list', async () => {
    const before = copyOf(await readAgain(service()));
    const [first, ...others] = demoAtms();
    await publish(service(), [{ ...first, name: 'Νέο όνομα' } as Atm, ...others]);
    const again = (): Promise<Answer> => readAgain(service(), query({ if_None_Match: before.etag }));
    await expect.poll(async () => (await again()).status).toBe(200);
    const after = await again();
    expect(after.text).toContain('Νέο όνομα');
    const { etag, modifiedMs } = copyOf(after);
    expect(etag).not.toBe(before.etag);
    expect(modifiedMs).toBeGreaterThan(before.modifiedMs);
    expect((await readAgain(service(), query({ if_Modified_Since: at(before.modifiedMs) }))).status).toBe(
      200,
    );
    expect((await readAgain(service(), query({ if_Modified_Since: at(modifiedMs) }))).status).toBe(304);
  });

  it('another node on the same database shows a new list within a second', async () => {
    const other = await startService({ databaseUrl: service().databaseUrl });
    try {
      const before = copyOf(await other.call({ path: ATMS }));
      expect(before).toEqual(copyOf(await readAgain(service())));
      await publish(service(), demoAtms().slice(0, 5));
      const etagOf = async (answer: Promise<Answer>): Promise<string> => copyOf(await answer).etag;
      await expect.poll(() => etagOf(other.call({ path: ATMS }))).not.toBe(before.etag);
      const after = await etagOf(other.call({ path: ATMS }));
      await expect.poll(() => etagOf(readAgain(service()))).toBe(after);
    } finally {
      await other.close();
    }
  });
};

describe.each(engines)('conditional reads of the ATMs on %s', (engine) => {
  describe('304 Not Modified', () => conditional(useService({ engine })));
  describe('publishing', () => publishing(useService({ engine })));
});
