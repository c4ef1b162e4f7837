/** Large answers about accounts are compressed for callers that accept it; what could hold a secret of a form never is. */
import { describe, expect, it } from 'vitest';
import { type Answer, send } from '../../support/client.js';
import { useService } from '../../support/use-service.js';
import { historyBank } from './history-bank.js';
import { type Access, addAccess, pathOf, read } from './support.js';

const use = useService({ bank: historyBank() });
const LARGE = '?limit=90';

const readWith = (access: Access, path: string, encoding: string | undefined, more: object = {}) =>
  read(use(), access, path, { headers: { 'Accept-Encoding': encoding }, ...more });
const codingOf = ({ headers }: Answer): string | undefined => headers['content-encoding'];
const bytesOf = ({ headers }: Answer): number => Number(headers['content-length']);
const bookedIn = ({ json }: Answer): unknown =>
  (json as { transactions: { booked: unknown } }).transactions.booked;

describe('a large list of transactions', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br, deflate, gzip;q=0.1', 'gzip'],
    ['br', undefined],
    ['*', 'gzip'],
    ['*;q=0', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=0.000', undefined],
    ['gzip;q=0, *', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0, *;q=0', undefined],
    ['gzip;q=nonsense', undefined],
    [';;;,,,===', undefined],
    ['gzipped', undefined],
    [`${'x'.repeat(9)},`.repeat(1200), undefined],
  ])('with Accept-Encoding %j is sent as %s', async (encoding, coding) => {
    const access = await addAccess(use());
    const path = `${pathOf('getTransactions', access.first)}${LARGE}`;
    const answer = await readWith(access, path, encoding);
    expect([answer.status, codingOf(answer), answer.headers.vary]).toEqual([200, coding, 'Accept-Encoding']);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const plain = await readWith(access, path, undefined);
    expect(bookedIn(answer)).toEqual(bookedIn(plain));
    if (coding) expect(bytesOf(answer)).toBeLessThan(bytesOf(plain) / 5);
    else expect(Math.abs(bytesOf(answer) - bytesOf(plain))).toBeLessThan(20);
  });

  it('has the same headers with HEAD, and is whole for many at once', async () => {
    const access = await addAccess(use());
    const path = `${pathOf('getStatement', access.first)}`;
    const get = await readWith(access, path, 'gzip');
    const head = await readWith(access, path, 'gzip', { method: 'HEAD' });
    expect([codingOf(head), bytesOf(head), head.text]).toEqual(['gzip', bytesOf(get), '']);
    const answers = await Promise.all(Array.from({ length: 40 }, () => readWith(access, path, 'gzip')));
    for (const answer of answers) expect(answer.text).toBe(get.text);
  });
});

describe('is sent as it is', () => {
  it('what is small', async () => {
    const access = await addAccess(use());
    const balances = await readWith(access, pathOf('getBalances', access.first), 'gzip');
    expect([balances.status, codingOf(balances)]).toEqual([200, undefined]);
  });

  it('a problem, a consent, a login and a token', async () => {
    const { url } = use();
    const access = await addAccess(use());
    const headers = { 'Accept-Encoding': 'gzip, br' };
    const wrong = await readWith(access, `${pathOf('getTransactions', access.first)}?limit=x`, 'gzip');
    const answers = [
      wrong,
      await use().call({ path: `/ais/psd2/v1/consents/${access.id}`, headers, as: access.as }),
      await send(url, { path: '/dashboard', headers, outsideContract: true }),
      await send(url, { method: 'POST', path: '/oauth/token', headers, outsideContract: true }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 200, 200, 400]);
    expect(answers.map(codingOf)).toEqual(answers.map(() => undefined));
  });
});
