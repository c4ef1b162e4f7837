/** A test facility in front of a bank's test core: its own people instead of the demo people, under a banner of its own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTestPeople } from '../../packages/sandbox/src/test-people.js';
import { behaves, json, RawCore } from '../bank/http/raw-core.js';
import { send } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

const folder = mkdtempSync(join(tmpdir(), 'trapeza-people-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (content: unknown): string => {
  const file = join(folder, 'people.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};

const person = {
  username: 'testuser1',
  password: 'only-for-tests',
  name: 'Δοκιμή Πρώτη',
  psuId: 'T-0001',
  accounts: [{ iban: 'GR1601101250000000012300695', currency: 'EUR', note: 'Everyday' }],
};
const other = { ...person, username: 'testuser2', name: 'Δοκιμή Δεύτερη', psuId: 'T-0002' };

describe('the file', () => {
  it.each([
    ['{\n"people": [\n{,\n', 'line 3: no JSON'],
    ['{"people":', 'line 1: no JSON'],
    [{ people: [] }, 'people'],
    [{ people: [{ ...person, password: undefined }] }, 'people.0.password'],
    [{ people: [{ ...person, psuId: 'a b' }] }, 'people.0.psuId'],
    [{ people: [{ ...person, accounts: [{ iban: 'GR00', currency: 'EUR' }] }] }, 'people.0.accounts.0.iban'],
    [{ people: [{ ...person, secret: 1 }] }, 'people.0.secret'],
    [{ people: [person, person] }, 'people.1.username is the same twice'],
  ])('%j is refused by its line or member, without a value', (content, told) => {
    const file = fileOf(content);
    let message = '';
    try {
      readTestPeople(file);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain(told);
    expect(message).not.toMatch(/only-for-tests|Δοκιμή|GR00/);
  });

  it('that is not there is named', () => {
    expect(() => readTestPeople(join(folder, 'absent.json'))).toThrow(
      /absent\.json: cannot be read \(ENOENT\)/,
    );
  });

  it('needs a core', async () => {
    await expect(
      startService({ core: 'embedded', env: { TRAPEZA_TEST_PEOPLE: fileOf({ people: [person] }) } }),
    ).rejects.toThrow(/TRAPEZA_TEST_PEOPLE needs TRAPEZA_CORE_URL/);
  });
});

describe('a test facility', () => {
  const core = new RawCore();
  let service: Service;
  beforeAll(async () => {
    await core.up();
    core.behave = (seen, response) =>
      seen.path === '/core/logins'
        ? json(response, { recognised: true, psuId: 'T-0001', name: person.name })
        : behaves(seen, response);
    service = await startService({
      env: {
        TRAPEZA_CORE_URL: core.url,
        TRAPEZA_BANK_NAME: 'Bank of Kalamata',
        TRAPEZA_TEST_PEOPLE: fileOf({ people: [person, other] }),
      },
    });
  });
  afterAll(async () => {
    await service.close();
    await core.down();
  });
  const page = async (path: string): Promise<string> =>
    (await send(service.url, { path, headers: { Accept: 'text/html' }, outsideContract: true })).text;

  it('shows its own people and no others, everywhere', async () => {
    const { json: credentials } = await send(service.url, { path: '/sandbox/credentials' });
    expect(credentials).toMatchObject({
      psus: [
        { username: 'testuser1', accounts: [{ iban: 'GR1601101250000000012300695' }] },
        { username: 'testuser2' },
      ],
      consents: [],
    });
    for (const path of ['/sandbox/credentials', '/dashboard?lang=en']) {
      const text = await page(path);
      expect(text).toContain('testuser1');
      expect(text).not.toMatch(/eleni|Ελένη/);
    }
  });

  it('has its own banner in both languages', async () => {
    expect(await page('/dashboard?lang=en')).toMatch(
      /Test facility of Bank of Kalamata\.<\/strong> Test data, no real money\./,
    );
    expect(await page('/dashboard?lang=el')).toMatch(
      /Περιβάλλον δοκιμών \(Bank of Kalamata\)\.<\/strong> Δοκιμαστικά δεδομένα, χωρίς πραγματικά χρήματα\./,
    );
  });

  it('gives out tokens of its own people alone, and its third party names them', async () => {
    const token = (body: object) => send(service.url, { method: 'POST', path: '/sandbox/tokens', body });
    expect((await token({})).status).toBe(200);
    expect((await token({ psu: 'testuser2' })).status).toBe(200);
    expect((await token({ psu: 'eleni' })).status).toBe(400);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const begun = await send(service.url, {
      method: 'POST',
      path: '/sandbox/tpp/walks',
      headers,
      body: 'flow=payment&way=one',
      outsideContract: true,
    });
    expect(begun.status).toBe(303);
    const cookie = (begun.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
    const { text } = await send(service.url, {
      path: begun.headers.location ?? '',
      headers: { Cookie: cookie, Accept: 'text/html' },
      outsideContract: true,
    });
    expect(text).toContain('Δοκιμή Δεύτερη');
    expect(text).not.toMatch(/eleni|Βασίλης/);
  });
});
