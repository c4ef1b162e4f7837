/** Payments of which the core has not said what became of them: it is asked again, or people write it down. */
import { act, type Context } from '../acts/act.js';
import { given } from '../acts/field.js';
import { storeTime } from '../store/server-time.js';
import type { Moment } from './remote/outbox.js';
import {
  type ByHand,
  retryAllUnresolved,
  retryUnresolved,
  sentAgain,
  settleByHand,
} from './remote/unresolved.js';
import { texts } from './texts.js';

const readMoment = async ({ db, clock, bankTime }: Context): Promise<Moment> => ({
  now: await storeTime(db, clock),
  bankNow: await bankTime(),
});

/** The core is asked again about one unresolved payment, or about `all`. About how many. */
export const retryPayment = act({
  name: 'payment.retry',
  about: 'existing',
  roles: ['customers'],
  texts,
  input: {},
  page: { path: '/payments', things: 'payments', done: 'retried' },
  prepare: readMoment,
  async run(tx, { id, prepared: moment }) {
    if (id === 'all') return retryAllUnresolved(tx, moment);
    await retryUnresolved(tx, id, moment);
    return 1;
  },
});

/** Writes down what became of a payment, once people have found out. False: it was sent again meanwhile. */
export const settlePayment = act({
  name: 'payment.settle',
  about: 'existing',
  roles: [],
  texts,
  input: {
    outcome: given<ByHand>(),
    /** The operator, for the history of the order. */
    by: given<string>(),
    /** Also one that is not unresolved yet. */
    isForced: given<boolean>(),
  },
  audited: ['outcome', 'by', 'isForced'],
  needsTwo: () => true,
  prepare: readMoment,
  run: (tx, { id, input, prepared: moment }) => settleByHand(tx, id, input, moment),
  subject: (id, isSettled) => (isSettled ? `payment:${id}` : undefined),
  failure: (id, isSettled) => (isSettled ? undefined : sentAgain(id)),
});
