/** A person blocks a third party, or all: what it has ends, what it asks for waits in vain, and it cannot tell. */
import { describe, expect, test } from 'vitest';
import { type Blocked, blocksOf, blockThirdParty, liftBlock } from '../../src/consent/blocks.js';
import type { Db, Queries } from '../../src/store/db.js';
import { addRequests, demoCodeOf, stored, titleOf, Visitor } from '../account-pages/approve-support.js';
import { slugOf } from '../support/client.js';
import { racingEngines } from '../support/engines.js';
import { BUDGET, FINANCE, psuId } from '../support/operations.js';
import { useService, withStore } from '../support/use-service.js';
import { created, kinds } from './kinds.js';

const eleni = psuId('eleni');
const access = kinds[1];

const engines = racingEngines(
  'an approval and a block at once: PostgreSQL puts them in line by an advisory lock, SQLite by its one writer',
);

describe.each(engines)('on %s', (engine) => {
  const use = useService({ engine });
  const create = async (
    application: string = FINANCE,
    psu = 'eleni',
    kind: (typeof kinds)[number] = access,
  ) => use().call({ method: 'POST', path: kind.create, body: kind.body, as: { application, psu } });
  const approve = (id: string) =>
    use().call({ method: 'POST', path: `/sandbox/consents/${id}/decision`, body: { decision: 'approve' } });
  const made = async (...who: Parameters<typeof create>) => created(await create(...who)).consentId;
  const valid = async (...who: Parameters<typeof create>) => {
    const id = await made(...who);
    expect((await approve(id)).status).toBe(200);
    return id;
  };
  /** As another node would: over a connection of its own. */
  const block = (blocked: Blocked) =>
    withStore(use(), (db) => blockThirdParty(db, eleni, blocked, use().clock.now()));
  const lift = (blocked: Blocked) => withStore(use(), (db) => liftBlock(db, eleni, blocked));
  const tppOf = async (clientId: string) => {
    const sql = 'select tpp_id as "tppId" from applications where client_id = ?';
    const row = await withStore(use(), (db) => db.one<{ tppId: string }>(sql, [clientId]));
    return { tppId: row?.tppId ?? '' };
  };
  const statuses = (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await stored(use(), id)).status));

  test('what a blocked third party has ends, and nothing of others', async () => {
    const finance = await tppOf(FINANCE);
    const ids = [await valid(), await valid(FINANCE, 'eleni', kinds[0]), await made()];
    const others = [await valid(BUDGET), await valid(FINANCE, 'nikos')];
    await block(finance);
    await block(finance);
    expect(await statuses(ids)).toEqual(['RevokedByPsu', 'RevokedByPsu', 'Rejected']);
    expect(await statuses(others)).toEqual(['Valid', 'Valid']);
    const read = await use().call({ path: `${access.read}/${ids[0]}` });
    expect(read.json).toMatchObject({ consentStatus: 'RevokedByPsu', statusReason: 'blocked' });
    const told = 'select status, reason from events where consent_id = ? and reason is not null';
    expect(await withStore(use(), (db) => Promise.all(ids.map((id) => db.one(told, [id]))))).toEqual(
      ['RevokedByPsu', 'RevokedByPsu', 'Rejected'].map((status) => ({ status, reason: 'blocked' })),
    );
    expect(await withStore(use(), (db) => blocksOf(db, eleni))).toMatchObject([
      { tpp: { id: finance.tppId, name: 'Agora Finance' } },
    ]);
    expect(await lift(finance)).toBe(true);
    expect(await lift(finance)).toBe(false);
    expect(await statuses(ids)).toEqual(['RevokedByPsu', 'RevokedByPsu', 'Rejected']);
  });

  test('a blocked third party is answered as if nobody had decided yet', async () => {
    await block('all');
    const [blocked, open] = [await create(), await create(FINANCE, 'nikos')];
    const shapeOf = ({ status, headers, json }: typeof blocked) => [
      status,
      Object.keys(headers).sort(),
      Object.keys(json as object),
    ];
    expect(shapeOf(blocked)).toEqual(shapeOf(open));
    const [id, other] = [created(blocked).consentId, created(open).consentId];
    for (const path of ['', '/status']) {
      const [one, two] = await Promise.all([
        use().call({ path: `${access.read}/${id}${path}` }),
        use().call({ path: `${access.read}/${other}${path}`, as: { psu: 'nikos' } }),
      ]);
      expect(one.status).toBe(200);
      expect(one.text.replaceAll(id, other).replace(/"createdDate":"[^"]*"/, '')).toBe(
        two.text.replace(/"createdDate":"[^"]*"/, ''),
      );
    }
    expect(slugOf(await approve(id))).toBe('state-conflict');
    expect((await stored(use(), id)).status).toBe('Received');
    await lift('all');
  });

  test('the approval page lifts the block with a code, and only then shows the request', async () => {
    for (const blocked of [await tppOf(FINANCE), 'all'] as const) {
      await block(blocked);
      const id = await made(FINANCE, 'eleni', kinds[2]);
      const visitor = new Visitor(use());
      const opened = await visitor.open(id);
      expect(titleOf(opened)).toMatch(/^Έχετε αποκλείσει/);
      const page = await visitor.askForCode(id, opened);
      expect(titleOf(page)).toMatch(/^Έχετε αποκλείσει/);
      expect(page.text).not.toMatch(/12,50|Νίκος Γεωργίου/);
      expect((await visitor.decide(id, page, { code: '000000' })).status).toBe(400);
      expect((await visitor.decide(id, page, { code: '' })).status).toBe(400);
      expect(titleOf(await visitor.get(`/authorise/${id}`))).toMatch(/^Έχετε αποκλείσει/);
      expect((await visitor.decide(id, page)).status).toBe(303);
      const request = await visitor.get(`/authorise/${id}`);
      expect(titleOf(request)).toMatch(/^Έγκριση πληρωμής/);
      expect(demoCodeOf(page.text)).toMatch(/^\d{6}$/);
      expect(demoCodeOf(request.text)).toBe('');
      expect(await withStore(use(), (db) => blocksOf(db, eleni))).toEqual([]);
      await withStore(use(), (db) => db.run('delete from recent_times'));
    }
  });

  test('a refusal leaves the block; an approval that was open before it decides nothing', async () => {
    const id = await made();
    const visitor = new Visitor(use());
    const before = await visitor.open(id);
    const [account = ''] = /name="account"[^>]*value="([^"]*)"/.exec(before.text)?.slice(1) ?? [];
    await withStore(use(), (db) =>
      db.run('insert into third_party_blocks (psu_id, tpp_id, blocked_at) values (?, ?, 1)', [eleni, '*']),
    );
    expect((await visitor.decide(id, before, { account })).status).toBe(409);
    const page = await visitor.get(`/authorise/${id}`);
    const answer = await visitor.decide(id, page, { decision: 'refuse' });
    expect(answer.headers.location).toContain('result=refused');
    expect((await stored(use(), id)).status).toBe('Rejected');
    expect(await lift('all')).toBe(true);
  });

  test('ends however much there is, or nothing if it is cut off in between', async () => {
    const finance = await tppOf(FINANCE);
    const wanted = { kind: 'ConfirmationOfFunds', status: 'Valid', clientId: FINANCE } as const;
    const ids = await addRequests(
      use(),
      Array.from({ length: 230 }, () => wanted),
    );
    const left = () =>
      withStore(use(), async (db) => {
        const sql = `select count(*) as n from consents where psu_id = ? and client_id = ? and status = 'Valid'`;
        const open = await db.one<{ n: number }>(sql, [eleni, FINANCE]);
        return [(await blocksOf(db, eleni)).length, (open?.n ?? 0) >= ids.length, open?.n === 0];
      });
    const cutOff = withStore(use(), (db) => {
      let steps = 0;
      const dying = (tx: Queries): Queries => ({
        one: (sql, params) => tx.one(sql, params),
        all: (sql, params) => tx.all(sql, params),
        run: async (sql, params) => {
          if (sql.includes('insert into consent_history')) steps += 1;
          if (steps > 150) throw new Error('the node ends here');
          return tx.run(sql, params);
        },
      });
      const { engine: kind } = db;
      const store = { engine: kind, transaction: (work) => db.transaction((tx) => work(dying(tx))) } as Db;
      return blockThirdParty(store, eleni, finance, use().clock.now());
    });
    await expect(cutOff).rejects.toThrow('the node ends here');
    expect(await left()).toEqual([0, true, false]);
    await block(finance);
    expect(await left()).toEqual([1, false, true]);
    await lift(finance);
  });

  test('of an approval and a block at once, none leaves a permission behind', async () => {
    const finance = await tppOf(FINANCE);
    for (let round = 0; round < 8; round += 1) {
      const id = await made();
      await Promise.all([approve(id), block(finance)]);
      expect((await stored(use(), id)).status).toMatch(/^(Rejected|RevokedByPsu)$/);
      await lift(finance);
    }
  });
});
