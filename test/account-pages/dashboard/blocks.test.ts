/** Blocks on the dashboard: what they do is said before, they act at once, and only an authentication for this very block lifts one. */
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../support/client.js';
import { engines } from '../../support/engines.js';
import { BUDGET, FINANCE } from '../../support/operations.js';
import { useService, withStore } from '../../support/use-service.js';
import { htmlFaults } from '../../web/html.js';
import { addRequest, demoCodeOf, forgetCodes, hiddenFields, stored, titleOf } from '../approve-support.js';
import { DASHBOARD, enter } from './support.js';

const BLOCKS = `${DASHBOARD}/blocks`;

describe.each(engines)('blocks on %s', (engine) => {
  const service = useService({ engine });
  const tppOf = async (clientId: string): Promise<string> => {
    const sql = 'select tpp_id as "tppId" from applications where client_id = ?';
    return (await withStore(service(), (db) => db.one<{ tppId: string }>(sql, [clientId])))?.tppId ?? '';
  };
  const blocked = (): Promise<string[]> =>
    withStore(service(), async (db) =>
      (await db.all<{ id: string }>('select tpp_id as id from third_party_blocks order by tpp_id')).map(
        ({ id }) => id,
      ),
    );

  test('are made after a page that says what happens, and end everything at once', async () => {
    const id = await tppOf(FINANCE);
    const valid = await addRequest(service(), { kind: 'ConfirmationOfFunds', status: 'Valid' });
    const other = await addRequest(service(), {
      kind: 'ConfirmationOfFunds',
      status: 'Valid',
      clientId: BUDGET,
    });
    const visitor = await enter(service());
    const question = await visitor.get(`${BLOCKS}/${id}/add`);
    expect(titleOf(question)).toBe('Να αποκλειστεί ο πάροχος Agora Finance;');
    expect(question.text).toMatch(/Λήγουν αμέσως \d+ άδειες/);
    expect(htmlFaults(question.text)).toEqual([]);
    expect((await stored(service(), valid)).status).toBe('Valid');
    expect((await visitor.post(`${BLOCKS}/${id}/add`, {})).status).toBe(403);
    expect(await blocked()).toEqual([]);
    const done = await visitor.post(`${BLOCKS}/${id}/add`, hiddenFields(question.text));
    expect((await stored(service(), valid)).status).toBe('RevokedByPsu');
    expect((await stored(service(), other)).status).toBe('Valid');
    const list = await visitor.get(done.headers.location ?? '');
    expect(list.text).toContain('Αποκλείστηκε: Agora Finance');
    expect(htmlFaults(list.text)).toEqual([]);
    expect((await visitor.get(DASHBOARD)).text).toContain('Έχετε αποκλείσει παρόχους');
    expect((await visitor.get(`${DASHBOARD}/apps/${FINANCE}`)).text).not.toContain('/add"');
    expect((await visitor.get(`${DASHBOARD}/permissions/${valid}`)).text).toContain(
      'Αποκλείσατε τον πάροχο.',
    );
    expect((await visitor.get(`${BLOCKS}/unknown/add`)).status).toBe(404);
  });

  test('are lifted with an authentication for this very block alone', async () => {
    await forgetCodes(service());
    const id = await tppOf(FINANCE);
    const visitor = await enter(service());
    const all = await visitor.get(`${BLOCKS}/all/add`);
    await visitor.post(`${BLOCKS}/all/add`, hiddenFields(all.text));
    const [one, everyone] = [`${BLOCKS}/${id}/lift`, `${BLOCKS}/all/lift`];
    const page = await visitor.sendCode(await visitor.get(one), one);
    const allPage = await visitor.sendCode(await visitor.get(everyone), everyone);
    expect(titleOf(page)).toBe('Να αρθεί ο αποκλεισμός του παρόχου Agora Finance;');
    expect(htmlFaults(page.text)).toEqual([]);
    const answer = (path: string, form: Answer, code: string) =>
      visitor.post(path, { ...hiddenFields(form.text), code });
    expect((await answer(one, page, '')).status).toBe(400);
    expect((await answer(one, page, demoCodeOf(allPage.text))).status).toBe(400);
    expect((await answer(everyone, allPage, demoCodeOf(page.text))).status).toBe(400);
    expect((await visitor.post(one, { code: demoCodeOf(page.text) })).status).toBe(403);
    expect(await blocked()).toEqual(['*', id]);
    const lifted = await answer(one, page, demoCodeOf(page.text));
    expect(await blocked()).toEqual(['*']);
    expect((await visitor.get(lifted.headers.location ?? '')).text).toContain('Ο αποκλεισμός άρθηκε');
    // Blocked again later: what was confirmed before does not lift it.
    service().clock.advance(1000);
    await visitor.post(`${BLOCKS}/${id}/add`, hiddenFields(all.text));
    expect((await answer(one, page, demoCodeOf(page.text))).status).toBe(400);
    expect(await blocked()).toEqual(['*', id]);
    await answer(everyone, allPage, demoCodeOf(allPage.text));
    expect(await blocked()).toEqual([id]);
    const stranger = await enter(service(), 'nikos');
    expect((await stranger.get(one)).headers.location).toContain('/dashboard/blocks?');
  });
});
