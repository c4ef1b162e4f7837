/** What the two reads of a consent have in common: who may see it, and what their headers must look like. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { consentStatuses } from '../../src/consent/record.js';
import { type Answer, slugOf } from '../support/client.js';
import { ACCOUNTS, BUDGET, CARD, moveBankClock, resetSandbox, shownHeaders } from '../support/operations.js';
import type { Service } from '../support/service.js';
import type { Use } from '../support/use-service.js';

export interface Read {
  readonly kind: 'AccountAccess' | 'PaymentInitiation';
  readonly scope: 'ais' | 'pis';
  /** Named `status` or `consentStatus`. */
  readonly member: string;
  path(id: string): string;
}

const statusOf = async (service: Service, read: Read, id: string): Promise<unknown> => {
  const answer = await service.call({ path: read.path(id) });
  expect(answer.status).toBe(200);
  return (answer.json as Record<string, unknown>)[read.member];
};

export const everyStatus = (read: Read, service: Use): void => {
  it.each(consentStatuses)('its owner reads a consent that is %s', async (status) => {
    const { id } = service().consent(read.kind, status);
    expect(await statusOf(service(), read, id)).toBe(status);
  });

  it('the status changes with the bank time alone', async () => {
    const valid = service().consent(read.kind, 'Valid').id;
    const received = service().consent(read.kind, 'Received').id;
    await moveBankClock(service(), 'PT22H50M');
    expect(await statusOf(service(), read, received)).toBe('Received');
    await moveBankClock(service(), 'PT15M');
    expect(await statusOf(service(), read, received)).toBe('Rejected');
    // A payment must be submitted within a day of its approval; account access lasts longer.
    expect(await statusOf(service(), read, valid)).toBe(read.kind === 'AccountAccess' ? 'Valid' : 'Expired');
    await moveBankClock(service(), 'P181D');
    expect(await statusOf(service(), read, valid)).toBe('Expired');
    await resetSandbox(service());
    expect(await statusOf(service(), read, valid)).toBe('Valid');
  });

  it('HEAD has the headers of GET and no body', async () => {
    const path = read.path(service().consent(read.kind).id);
    const [get, head] = [await service().call({ path }), await service().call({ method: 'HEAD', path })];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect(get.headers['cache-control']).toBe('no-store');
  });

  it('everything that may be told about the account holder is accepted', async () => {
    const headers = {
      'PSU-IP-Address': '2001:db8::1',
      'PSU-IP-Port': '65535',
      'PSU-Accept': 'text/html',
      'PSU-Accept-Charset': 'utf-8',
      'PSU-Accept-Encoding': 'gzip',
      'PSU-Accept-Language': 'el',
      'PSU-User-Agent': 'x'.repeat(500),
      'PSU-Http-Method': 'PATCH',
      'PSU-Device-ID': randomUUID(),
      'PSU-Geolocation': 'GEO:37.98;23.72',
    };
    const path = read.path(service().consent(read.kind).id);
    expect((await service().call({ path, headers })).status).toBe(200);
  });
};

/** Ids that must all look alike: no consent, or somebody else's. */
const absentIds = (service: Service, read: Read): readonly (readonly [string, string])[] => {
  const otherKind = read.kind === 'AccountAccess' ? 'PaymentInitiation' : 'AccountAccess';
  const own = service.consent(read.kind).id;
  return [
    ['unknown', randomUUID()],
    ['of another application', service.consent(read.kind, 'Valid', { application: BUDGET }).id],
    ['of another kind', service.consent(otherKind).id],
    ['of a funds consent', service.consent('ConfirmationOfFunds').id],
    ['in upper case', own.toUpperCase()],
    ['with a letter too many', `${own}0`],
    ['with a blank', `${own}%20`],
    ['NUL', '%00'],
    ['a NUL after the id', `${own}%00`],
    ['a quote', '%27%20or%201=1--'],
    ['a traversal', '..%2f..%2fetc%2fpasswd'],
    ['a word', 'null'],
    ['__proto__', '__proto__'],
    ['Greek', encodeURIComponent('συναίνεση')],
    ['128 letters', 'a'.repeat(128)],
  ];
};

export const absent = (read: Read, service: Use): void => {
  it('unknown, foreign, wrong and malformed ids are answered with the same bytes', async () => {
    const requestId = randomUUID();
    const ask = (id: string): Promise<Answer> =>
      service().call({ path: read.path(id), headers: { 'X-Request-ID': requestId } });
    const first = await ask(randomUUID());
    expect([first.status, slugOf(first)]).toEqual([404, 'resource-not-found']);
    for (const [what, id] of absentIds(service(), read)) {
      const answer = await ask(id);
      expect([what, answer.status, answer.text]).toEqual([what, 404, first.text]);
      expect(shownHeaders(answer)).toEqual(shownHeaders(first));
      expect(Object.keys(answer.headers)).toEqual(Object.keys(first.headers));
    }
  });

  it("another account holder's token finds nothing, whatever the status", async () => {
    const requestId = randomUUID();
    const headers = { 'X-Request-ID': requestId };
    const unknown = await service().call({ path: read.path(randomUUID()), headers });
    for (const status of consentStatuses) {
      const path = read.path(service().consent(read.kind, status).id);
      const answer = await service().call({ path, headers, as: { psu: 'nikos' } });
      expect(answer.text).toBe(unknown.text);
      expect(shownHeaders(answer)).toEqual(shownHeaders(unknown));
    }
  });

  it('the other application reads its own consent and not this one', async () => {
    const as = { application: BUDGET };
    const own = service().consent(read.kind, 'Valid', as).id;
    expect((await service().call({ path: read.path(own), as })).status).toBe(200);
    const foreign = await service().call({ path: read.path(service().consent(read.kind).id), as });
    expect(slugOf(foreign)).toBe('resource-not-found');
  });
};

export const wrongHeaders: readonly [string, string][] = [
  ['X-Request-ID', ''],
  ['X-Request-ID', 'not-a-uuid'],
  ['X-Request-ID', '99391c7ead8849eca2ad99ddcb1f7721'],
  ['PSU-IP-Address', '256.1.1.1'],
  ['PSU-IP-Address', '10.0.0.1:443'],
  ['PSU-IP-Address', 'localhost'],
  ['PSU-IP-Port', '0'],
  ['PSU-IP-Port', '65536'],
  ['PSU-IP-Port', '8o'],
  ['PSU-Http-Method', 'HEAD'],
  ['PSU-Http-Method', 'get'],
  ['PSU-Device-ID', 'phone'],
];

export const badHeaders = (read: Read, service: Use): void => {
  it.each(wrongHeaders)('names %s: %s', async (name, value) => {
    const path = read.path(service().consent(read.kind).id);
    const answer = await service().call({ path, headers: { [name]: value } });
    expect([answer.status, slugOf(answer)]).toEqual([400, 'invalid-header']);
    const { errors } = answer.json as { errors: Record<string, string[]> };
    expect(Object.keys(errors)).toEqual([`header.${name}`]);
  });

  it('reports all wrong headers together', async () => {
    const path = read.path(service().consent(read.kind).id);
    const headers = { 'X-Request-ID': 'x', 'PSU-IP-Address': 'x', 'PSU-IP-Port': 'x', 'PSU-Device-ID': 'x' };
    const { errors } = (await service().call({ path, headers })).json as { errors: object };
    expect(Object.keys(errors).sort()).toEqual(
      Object.keys(headers)
        .map((name) => `header.${name}`)
        .sort(),
    );
  });
};

/** Applications without the role have no product of the area, so not even an id can be tried. */
export const otherRoles = (read: Read, service: Use): void => {
  it('is closed to applications without the role', async () => {
    const application = read.scope === 'ais' ? CARD : ACCOUNTS;
    const as = { application, scope: read.scope };
    const path = read.path(service().consent(read.kind).id);
    const answer = await service().call({ path, as });
    expect([answer.status, slugOf(answer)]).toEqual([403, 'product-not-subscribed']);
  });
};
