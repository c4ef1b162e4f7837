/** The demo people have a past, if the books of the bank reach back far enough. */
import { describe, expect, test } from 'vitest';
import { enter } from '../account-pages/dashboard/support.js';
import { engines } from '../support/engines.js';
import { psuId } from '../support/operations.js';
import { useService, withStore } from '../support/use-service.js';

describe.each(engines)('on %s', (engine) => {
  const use = useService({ engine, env: { TRAPEZA_DEMO_MONTHS: '12' } });

  test('a person has permissions that ended, settled payments, balance checks and reads', async () => {
    const of = <Row>(sql: string) => withStore(use(), (db) => db.all<Row>(sql, [psuId('nikos')]));
    const orders = await of<{ status: string }>('select status from payment_orders where psu_id = ?');
    expect(orders.map(({ status }) => status).toSorted()).toEqual(['ACSC', 'CANC', 'RJCT']);
    const reasons = 'select end_reason as reason from consents where psu_id = ? and end_reason is not null';
    expect((await of<{ reason: string }>(reasons)).map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(['expired', 'withdrawn', 'completed', 'payment-rejected', 'payment-cancelled']),
    );
    expect(await of('select id from funds_confirmations where psu_id = ?')).toHaveLength(14);
    expect(await of('select id from data_accesses where psu_id = ?')).toHaveLength(28);
    const visitor = await enter(use(), 'nikos');
    expect((await visitor.get('/dashboard/funds')).text).toContain('Βιβλιοπωλείο Αμοργός');
  });
});
