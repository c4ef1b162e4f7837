/**
 * What each journey costs an account holder, beside the clause that limits it. `npm run obstacles` walks all of them and writes
 * docs/obstacles.md; `npm test` walks a few and compares.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useJourney } from '../account-pages/approve-browser.js';
import { root } from '../lib/source.js';
import { hasBrowser, useBrowser } from '../support/browser.js';
import { useService } from '../support/use-service.js';
import { type Journey, journeys } from './journeys.js';
import { type Count, Walker } from './walker.js';

const FILE = join(root, 'docs/obstacles.md');
const isWriting = process.env.TEST_OBSTACLES === 'write';

const rowOf = ({ name, clauses, atMost }: Journey, count: Count): string =>
  `| ${name} | ${count.screens} (${atMost.screens}) | ${count.logins} (1) | ${count.authentications} (1) | ${count.inputs} (${atMost.inputs}) | ${count.clicks} (${atMost.clicks}) | ${clauses} |`;

const documentOf = (rows: readonly string[]): string => `# Obstacles

What each journey asks of an account holder, counted in a real browser by \`npm run obstacles\`, which writes this page. In brackets is what
is allowed at most; one more fails the tests. A screen is a page of the bank; the pages of the third party are not counted.

| Journey | Screens | Logins | Authentications | Inputs | Clicks | Limited by |
|---|---|---|---|---|---|---|
${rows.join('\n')}

In every journey nobody types an account number: accounts are picked, and the only fields to type into are user name, password, one-time
code and, for confirmations of funds, the last day. Each end leads back to the third party, with \`result=approved\`, \`refused\`, \`failed\` or
\`expired\`, or as OAuth says it. No text of these pages warns against third parties; a list of such words is searched for.

The clauses: RTS is Delegated Regulation (EU) 2018/389; EBA/OP/2020/10 the EBA's opinion on obstacles, with paragraphs; Q&A those of the
EBA; PSR the Payment Services Regulation, as the Council published it in April 2026.
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

const sample = ['Account access, token and consent apart', 'Payment, one redirect (RAR)', 'Refusal'];

describe.skipIf(!hasBrowser)('journeys without obstacles', () => {
  const service = useService();
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
    expect(walker.count.authentications).toBeLessThanOrEqual(1);
    for (const [what, limit] of Object.entries(atMost))
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
