/** What is forgotten, and when. */
import type { Mutant } from '../mutant.js';

export const retention: readonly Mutant[] = [
  {
    id: 'U1',
    file: 'jobs/retention.ts',
    find: 'where accessed_at <= ? order by accessed_at, id limit ?',
    replace: 'where accessed_at < ? order by accessed_at, id limit ?',
    killedBy: ['jobs/retention.test.ts > to the millisecond'],
    means: 'a record is kept longer than announced',
  },
  {
    id: 'U4',
    file: 'jobs/retention.ts',
    find: 'date.setUTCDate(Math.min(day, days));',
    replace: 'date.setUTCDate(day);',
    killedBy: ['jobs/retention.test.ts > to the millisecond'],
    means: 'on the last days of a month records go up to three days early',
  },
  {
    id: 'U6',
    file: 'jobs/retention.ts',
    find: "  'delete from payment_order_history where order_id in (select id from payment_orders where consent_id = ?)',\n",
    replace: '',
    killedBy: ['consents/rules-held.test.ts > a purged payment leaves no history'],
    means: 'the history of a payment is kept for ever',
  },
];
