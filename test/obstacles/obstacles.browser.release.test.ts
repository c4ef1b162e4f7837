/**
 * What each journey costs an account holder, beside the clause that limits it. `npm run prove -- obstacles` walks all of them and writes
 * docs/obstacles.md; `npm test` walks a few and compares.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localService, useJourney } from '../account-pages/approve-browser.js';
import { root } from '../lib/source.js';
import { hasBrowser, useBrowser } from '../support/browser.js';
import type { Service } from '../support/service.js';
import { type Journey, journeys as withCodes } from './journeys.js';
import { type Count, Walker } from './walker.js';
import { otherJourneys } from './ways.js';

const journeys = [...withCodes, ...otherJourneys];

const FILE = join(root, 'docs/obstacles.md');
const isWriting = process.env.TEST_OBSTACLES === 'write';

const rowOf = ({ name, clauses, atMost }: Journey, count: Count): string =>
  `| ${name} | ${count.screens} (${atMost.screens}) | ${count.logins} (1) | ${count.authentications} (${atMost.authentications ?? 1}) | ${count.inputs} (${atMost.inputs}) | ${count.clicks} (${atMost.clicks}) | ${clauses} |`;

const documentOf = (rows: readonly string[]): string => `# Obstacles

What each journey asks of an account holder, counted in a real browser by \`npm run prove -- obstacles\`, which writes this page. In brackets is what
is allowed at most; one more fails the tests. A screen is a page of the bank; the pages of the third party are not counted.

| Journey | Screens | Logins | Authentications | Inputs | Clicks | Limited by |
|---|---|---|---|---|---|---|
${rows.join('\n')}

In every journey nobody types an account number: accounts are picked, and the only fields to type into are user name, password, one-time
code and, for confirmations of funds, the last day. A person who has several ways to confirm gets the one used last; the walks begin with
it. A code is sent when the person asks for it, which is one click. What the person does on the phone is not counted, nor are the own pages of a provider at which the bank logs people in. Each of these
journeys, except the one on the dashboard, ends at the third party, with \`result=approved\`, \`refused\`, \`failed\` or \`expired\`, or as OAuth says
it; after an approval or a refusal nothing has to be pressed for that. The texts of these pages, in both languages, and the pages walked are
searched for words that warn against third parties. The withdrawal is that of an app's only permission; of several, it is one page more.

The clauses: RTS is Delegated Regulation (EU) 2018/389, with Article 10a of (EU) 2022/2360: all ways that the bank's own customers have
(30(2)), no obstacles (32(3)), the 180 days (10a). EBA/OP/2020/10 is the EBA's opinion on obstacles, with paragraphs: every way to confirm (14),
no unnecessary steps (15), back by itself (16), one authentication for a payment (26), no account number to type (34). Q&A are those of the
EBA; DNB is the Dutch central bank, Q&A of 5 July 2023: one login, no redirection screen that needs an action, no discouraging words; PSR the Payment Services Regulation, as the Council published it in April 2026.
`;

/** Words that would discourage people, in both languages. */
const DISCOURAGING =
  /at your own risk|dangerous|not recommended|we advise against|are you (really )?sure|unsafe|not secure|beware|με δική σας ευθύνη|επικίνδυν|δεν συνιστ|δεν συστήν|είστε σίγουρ|ανασφαλ|προσοχή/i;

const messageFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(messages\/|texts).*\.tsx?$/.test(name))
    .map((name) => join(folder, name));

test('no text for account holders discourages them', () => {
  const files = messageFiles(join(root, 'src/account-pages'));
  expect(files.length).toBeGreaterThan(10);
  const found = files.flatMap((file) =>
    (readFileSync(file, 'utf8').match(new RegExp(DISCOURAGING, 'gi')) ?? []).map(
      (word) => `${file}: ${word}`,
    ),
  );
  expect(found).toEqual([]);
});

const sample = ['Account access, token and consent apart', 'Ten payments, one after the other', 'Refusal'];

describe.skipIf(!hasBrowser)('journeys without obstacles', () => {
  let started: Service;
  // At a host name: passkeys need one.
  beforeAll(async () => {
    started = await localService('sqlite', { TRAPEZA_CODES_PER_PERSON: '5' });
  });
  afterAll(() => started?.close());
  const service = () => started;
  const browser = useBrowser();
  const { addresses } = useJourney(service);
  const rows: string[] = [];

  test.each(journeys.filter(({ name }) => isWriting || sample.includes(name)))('$name', async (journey) => {
    const context = await browser().newContext({ locale: 'en-GB', javaScriptEnabled: true });
    const page = await context.newPage();
    const walker = new Walker(page);
    // How many codes a person is sent in a while is limited.
    service().clock.advance(20 * 60_000);
    await journey.walk({ service: service(), page, walker, redirectUri: addresses.redirectUri });
    const { back, atMost } = journey;
    if (back !== undefined) await page.waitForURL((url) => url.search.includes(back));
    await context.close();
    expect(walker.count.logins).toBe(1);
    expect(walker.texts.join('\n')).not.toMatch(DISCOURAGING);
    for (const [what, limit] of Object.entries({ authentications: 1, ...atMost }))
      expect([what, walker.count[what as keyof Count] <= limit]).toEqual([what, true]);
    const typed = [...walker.typed].filter(
      (name) => !['username', 'password', 'code', 'date'].includes(name),
    );
    if (back !== undefined) expect(typed).toEqual([]);
    expect(typed.filter((name) => /iban|account/i.test(name))).toEqual([]);
    const row = rowOf(journey, walker.count);
    rows.push(row);
    if (!isWriting) expect(readFileSync(FILE, 'utf8')).toContain(row);
  });

  test('the page has a row for each journey', () => {
    if (isWriting) writeFileSync(FILE, documentOf(rows));
    const text = readFileSync(FILE, 'utf8');
    const written = text.split('\n').filter((line) => /^\| [A-Z]/.test(line));
    expect(written.map((line) => line.split(' | ')[0]?.slice(2))).toEqual([
      'Journey',
      ...journeys.map(({ name }) => name),
    ]);
    expect(text).toBe(documentOf(written.slice(1)));
  });
});
