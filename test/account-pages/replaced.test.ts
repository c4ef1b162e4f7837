/** The approval page names every permission that the approval ends, before it does; afterwards the dashboard says what happened. */
import { describe, expect, test } from 'vitest';
import { addAccess } from '../api/ais/support.js';
import { engines } from '../support/engines.js';
import { account, approve as approveAt } from '../support/operations.js';
import { type Use, useService } from '../support/use-service.js';
import {
  accessDetails,
  addRequest,
  cardValues,
  stored,
  titleOf,
  Visitor,
  type WantedRequest,
} from './approve-support.js';
import { DASHBOARD, enter } from './dashboard/support.js';

const [first, second] = [account('eleni', 101), account('eleni', 102)];
const SURE = 'Τι λήγει αν εγκρίνετε';
const MAYBE = 'Τι μπορεί να λήξει';

const ask = (service: Use, wanted: WantedRequest = {}): Promise<string> =>
  addRequest(service(), { kind: 'AccountAccess', details: accessDetails, isRecurring: true, ...wanted });

describe.each(engines)('on %s', (engine) => {
  const service = useService({ engine });

  test('accounts that are picked: what may end is named with its accounts, and ends if one of them is ticked', async () => {
    const older = await addAccess(service(), { accounts: [first] });
    const other = await addAccess(service(), { accounts: [second] });
    const id = await ask(service);
    const visitor = new Visitor(service());
    const page = await visitor.open(id);
    expect(page.text).toContain(MAYBE);
    expect(page.text).not.toContain(SURE);
    const [ticked = ''] = cardValues(page.text);
    const answer = await visitor.decide(id, page, { account: [ticked] });
    expect(answer.headers.location).toContain('result=approved');
    expect((await stored(service(), older.id)).status).toBe('TerminatedByTpp');
    expect((await stored(service(), other.id)).status).toBe('Valid');
    const board = await enter(service());
    const told = await board.get(`${DASHBOARD}/permissions/${older.id}`);
    expect(told.text).toContain('Αντικαταστάθηκε από νεότερη');
    expect(told.text).toMatch(/Γιατί έληξε<\/dt><dd>Την αντικατέστησε μια νεότερη άδεια/);
    for (const each of [id, other.id]) await board.withdraw(each);
  });

  test('accounts that were named: what surely ends; other accounts and a one-off request end nothing', async () => {
    const older = await addAccess(service(), { accounts: [first, second] });
    const named = await new Visitor(service()).open(await ask(service, { accounts: [first] }));
    expect(named.text).toContain(SURE);
    expect(named.text).not.toContain(MAYBE);
    const oneOff = { details: { ...accessDetails, recurring: false }, isRecurring: false, accounts: [first] };
    expect((await new Visitor(service()).open(await ask(service, oneOff))).text).not.toContain(SURE);
    await (await enter(service())).withdraw(older.id);
    await addAccess(service(), { accounts: [second] });
    const beside = await new Visitor(service()).open(await ask(service, { accounts: [first] }));
    expect([beside.text.includes(SURE), beside.text.includes(MAYBE)]).toEqual([false, false]);
  });

  test('a permission that was given while the page stood there is shown before it ends', async () => {
    const [late, quick] = [
      await ask(service, { accounts: [first] }),
      await ask(service, { accounts: [first] }),
    ];
    const visitor = new Visitor(service());
    const page = await visitor.open(late);
    await approveAt(service(), quick);
    const changed = await visitor.decide(late, page, { account: cardValues(page.text) });
    expect(titleOf(changed)).toMatch(/άλλαξε/);
    expect((await stored(service(), quick)).status).toBe('Valid');
    const again = await visitor.get(`/authorise/${late}`);
    expect(again.text).toContain(SURE);
    await visitor.decide(late, again, { account: cardValues(again.text) });
    expect((await stored(service(), quick)).status).toBe('TerminatedByTpp');
  });
});
