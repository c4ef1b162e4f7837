/** People of one's own in a sandbox that runs: one developer's are nothing to another, and every node has the same. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, done, slugOf } from '../support/client.js';
import { engines } from '../support/engines.js';
import type { Service } from '../support/service.js';
import { callIn, type Made, made, useNodes } from './developers-support.js';

const PEOPLE = '/sandbox/people';
const account = { iban: 'GR1601101250000000012300695', currency: 'EUR', balance: 10.5 };
const person = (username: string, ...accounts: readonly object[]) => ({
  ...{ username, password: 'only-for-tests', name: 'Δοκιμή', accounts },
});

describe.each(engines)('people of one’s own on %s', (engine) => {
  const node = useNodes(engine);
  let alice: Made;
  let boris: Made;
  beforeAll(async () => {
    alice = await made(node(0), 'alice');
    boris = await made(node(1), 'boris');
  });

  const put = (on: Service, who: Made, ...people: readonly object[]): Promise<Answer> =>
    callIn(on, who, { method: 'PUT', path: PEOPLE, body: { people } });
  const tokenFor = (on: Service, who: Made, psu: string): Promise<Answer> =>
    callIn(on, who, { method: 'POST', path: '/sandbox/tokens', body: { psu } });
  const namesIn = async (on: Service, who: Made): Promise<string[]> => {
    const { json } = done(await callIn(on, who, { path: '/sandbox/credentials' }));
    return (json as { psus: { username: string }[] }).psus.map(({ username }) => username);
  };

  it('are in that sandbox alone, on all nodes, with their consents; a reset keeps them', async () => {
    expect((await put(node(0), alice, person('iro', account))).status).toBe(204);
    for (const place of [0, 1]) {
      expect(await namesIn(node(place), alice)).toEqual(expect.arrayContaining(['eleni', 'iro']));
      expect((await tokenFor(node(place), alice, 'iro')).status).toBe(200);
      expect(slugOf(await tokenFor(node(place), boris, 'iro'))).toBe('validation-failed');
    }
    done(await callIn(node(1), alice, { method: 'POST', path: '/sandbox/reset' }));
    const { json } = done(await callIn(node(0), alice, { path: '/sandbox/credentials' }));
    const { consents } = json as { consents: { psu: string; account: string }[] };
    expect(consents.filter(({ psu }) => psu === 'iro').map((each) => each.account)).toEqual([account.iban]);
  });

  it('are replaced as a whole and reset what was there, until they are removed', async () => {
    const leap = { method: 'PUT', path: '/sandbox/clock', body: { advance: 'P2D' } };
    done(await callIn(node(0), alice, leap));
    done(await put(node(1), alice, person('stavros', account)));
    expect(await namesIn(node(0), alice)).toContain('stavros');
    expect(await namesIn(node(0), alice)).not.toContain('iro');
    const { now } = done(await callIn(node(0), alice, { path: '/sandbox/clock' })).json as { now: string };
    expect(Date.parse(now)).toBeLessThan(Date.now() + 86_400_000);
    done(await callIn(node(0), alice, { method: 'DELETE', path: PEOPLE }));
    for (const place of [0, 1]) expect(await namesIn(node(place), alice)).not.toContain('stavros');
    expect((await tokenFor(node(1), alice, 'eleni')).status).toBe(200);
  });

  it('are refused with the member that is wrong, and then nothing has changed', async () => {
    done(await put(node(0), boris, person('iro', account)));
    const errorsOf = ({ json }: Answer) => Object.keys((json as { errors: object }).errors);
    const wrong: readonly (readonly [object, string])[] = [
      [person('eleni'), 'people.0.username'],
      [person('a', { ...account, balance: 1.005 }), 'people.0.accounts.0.balance'],
      [person('a', { ...account, iban: 'GR00' }), 'people.0.accounts.0.iban'],
      [{ ...person('a'), role: 'admin' }, 'people.0.role'],
    ];
    for (const [each, member] of wrong) {
      const refused = await put(node(0), boris, each);
      expect([refused.status, errorsOf(refused)]).toEqual([400, [member]]);
    }
    const transactions = Array.from({ length: 500 }, () => ({
      daysAgo: 1,
      amount: 1,
      text: 'x'.repeat(140),
    }));
    const many = Array.from({ length: 4 }, () => ({ currency: 'EUR', balance: 1, transactions }));
    expect(slugOf(await put(node(0), boris, person('big', ...many)))).toBe('message-too-large');
    done(await put(node(0), boris, person('big', ...many.slice(0, 1))));
    expect(await namesIn(node(1), boris)).toContain('big');
  });
});
