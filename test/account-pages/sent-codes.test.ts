/** When a code is sent, which of them count, and how a pause ends. */
import { expect, test } from 'vitest';
import { SECOND } from '../../src/lib/clock.js';
import type { Answer } from '../support/client.js';
import { account, moveBankClock } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import {
  addRequest,
  addRequests,
  BACK,
  cardValues,
  challenges,
  demoCodeOf,
  forgetCodes,
  hiddenFields,
  Visitor,
} from './approve-support.js';
import { DASHBOARD, DashboardVisitor } from './dashboard/support.js';

const FULL = 'Δεν στέλνουμε άλλον κωδικό μέχρι τις ';
const PAUSED = 'Δεν δεχόμαστε κωδικούς μέχρι τις ';
const wrong = (code: string) => (code === '111111' ? '222222' : '111111');

const use = useService({ env: { TRAPEZA_CODES_PER_PERSON: '5' } });
const payer = { account: account('eleni', 101).id };

const begun = async (visitor: Visitor, id: string): Promise<Answer> =>
  visitor.askForCode(id, await visitor.get(`/authorise/${id}`), payer);

test('ten payments in a row by one person go through', async () => {
  const ids = await addRequests(
    use(),
    Array.from({ length: 10 }, () => ({})),
  );
  const visitor = new Visitor(use());
  await visitor.open(ids[0] ?? '');
  const ends = [];
  for (const id of ids)
    ends.push((await visitor.decide(id, await begun(visitor, id), payer)).headers.location);
  expect(ends.filter((end) => !end?.includes('result=approved'))).toEqual([]);
  expect(ends).toHaveLength(10);
});

test('a page that is opened sends nothing, however often; what is asked for without an answer counts', async () => {
  await forgetCodes(use());
  const ids = await addRequests(
    use(),
    Array.from({ length: 7 }, () => ({})),
  );
  const visitor = new Visitor(use());
  const before = await challenges(use());
  for (const id of ids) await visitor.open(id);
  expect(await challenges(use())).toBe(before);
  const asked: Answer[] = [];
  for (const id of ids) asked.push(await begun(visitor, id));
  expect(asked.map(({ text }) => demoCodeOf(text) !== '')).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  const [refused] = asked.slice(-1);
  expect(refused?.text).toContain(FULL);
  expect(refused?.text).toContain('PUT /sandbox/clock');
  expect(refused?.text).toContain('POST /sandbox/reset');
  // Nobody is kept out of the pages on which permissions are withdrawn.
  expect((await new DashboardVisitor(use()).enter()).text).toContain('Finance App');
  // A right answer gives its own place back, and no other.
  const [first = '', second = '', ...rest] = ids;
  const [firstPage] = asked;
  if (!firstPage) throw new Error('no page');
  expect((await visitor.decide(first, firstPage, payer)).status).toBe(303);
  const last = rest.at(-1) ?? '';
  const page = await begun(visitor, last);
  expect(demoCodeOf(page.text)).not.toBe('');
  expect((await visitor.get(`/authorise/${second}`)).text).toContain('name="code"');
  expect((await begun(visitor, rest.at(-2) ?? '')).text).toContain(FULL);
});

test('a page that is shown again keeps its code, and the button sends another one after half a minute', async () => {
  await forgetCodes(use());
  const id = await addRequest(use());
  const visitor = new Visitor(use());
  const before = await challenges(use());
  const opened = await visitor.open(id);
  expect(demoCodeOf(opened.text)).toBe('');
  expect(await challenges(use())).toBe(before);
  const [first, second] = cardValues(opened.text);
  // A button pressed twice sends one code.
  const [page] = await Promise.all(
    [1, 2].map(() => visitor.askForCode(id, opened, { account: second ?? '' })),
  );
  if (!page) throw new Error('no page');
  const code = demoCodeOf(page.text);
  for (const view of ['', '?lang=en', '?lang=el', ''])
    expect(demoCodeOf((await visitor.get(`/authorise/${id}${view}`)).text)).toBe(code);
  expect(await challenges(use())).toBe(before + 1);
  const send = { decision: 'send', code: '', account: second ?? '' };
  const early = await visitor.decide(id, page, send);
  expect(early.status).toBe(429);
  expect(early.text).toContain('Περιμένετε λίγο. Μπορείτε να ζητήσετε νέο κωδικό από τις ');
  expect(await challenges(use())).toBe(before + 1);
  use().clock.advance(30 * SECOND);
  const sent = await visitor.decide(id, page, send);
  expect(sent.status).toBe(200);
  expect(demoCodeOf(sent.text)).not.toBe(code);
  expect(await challenges(use())).toBe(before + 2);
  expect(sent.text).toMatch(new RegExp(`value="${second}" checked`));
  expect((await visitor.decide(id, page, { account: first ?? '', code })).status).toBe(400);
  expect((await visitor.decide(id, sent, { account: first ?? '' })).headers.location).toContain(BACK);
  await forgetCodes(use());
});

test('what was chosen wrongly costs no code', async () => {
  await forgetCodes(use());
  const id = await addRequest(use());
  const visitor = new Visitor(use());
  const before = await challenges(use());
  const page = await visitor.askForCode(id, await visitor.open(id));
  expect([page.status, await challenges(use())]).toEqual([400, before]);
  expect(page.text).toContain('Διαλέξτε');
});

test('the clock of the bank ends both pauses, and the page shows its time', async () => {
  await forgetCodes(use());
  const visitor = new DashboardVisitor(use());
  const code = await visitor.logIn('sofia');
  for (let times = 0; times < 5; times += 1) await visitor.tryCode(code, wrong(demoCodeOf(code.text)));
  const paused = await visitor.get(DASHBOARD);
  expect(paused.text).toContain(PAUSED);
  expect(paused.text).toContain('PUT /sandbox/clock');
  await moveBankClock(use(), 'PT16M');
  expect((await visitor.get(DASHBOARD)).text).not.toContain(PAUSED);
  use().clock.advance(30 * SECOND);
  const again = await visitor.post(`${DASHBOARD}/code`, { ...hiddenFields(code.text), send: 'send' });
  expect((await visitor.tryCode(again)).status).toBe(303);
});
