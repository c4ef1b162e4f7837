/** Which accounts the approval page offers, and what it says of those that cannot be picked. */
import { describe, expect, test } from 'vitest';
import { account } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import { accessDetails, addRequest, cardValues, stored, Visitor } from './approve-support.js';

describe('the accounts to pick from', () => {
  const service = useService();

  test('an account that is closed is shown with the reason, and cannot be picked', async () => {
    const id = await addRequest(service(), {
      psu: 'dimitris',
      kind: 'AccountAccess',
      details: accessDetails,
    });
    const visitor = new Visitor(service());
    const page = await visitor.open(id, 'dimitris');
    const [open, closed] = [account('dimitris', 601), account('dimitris', 602)];
    expect(cardValues(page.text)).toEqual([open.id, closed.id]);
    expect(page.text).toContain('Ο λογαριασμός έχει κλείσει και δεν μπορεί να χρησιμοποιηθεί.');
    expect((await visitor.decide(id, page, { account: closed.id })).status).toBe(400);
    await visitor.decide(id, page, { account: open.id });
    expect(await stored(service(), id)).toMatchObject({ status: 'Valid', accounts: [open.id] });
  });
});
