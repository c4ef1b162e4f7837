/** Submission, orders, and what a bank elsewhere is told. */
import type { Mutant } from '../mutant.js';

export const payments: readonly Mutant[] = [
  {
    id: 'P3',
    file: 'payment/submit.ts',
    find: 'submitted_at = ?, expires_at = null',
    replace: 'submitted_at = ?, expires_at = expires_at',
    killedBy: ['consents/rules-held.test.ts > time does not end a payment that was submitted'],
    means: 'a submitted, still open payment is Expired to every reader a day later',
  },
  {
    id: 'P2b',
    file: 'payment/submit.ts',
    find: '(expires_at is null or expires_at > ?)',
    replace: '(expires_at is null or expires_at > 0 * ?)',
    killedBy: ['consents/rules-held.test.ts > a payment whose time passes between the check'],
    means: 'a payment whose time has passed is submitted',
  },
  {
    id: 'P7',
    file: 'payment/remote/call.ts',
    find: "if (!isHeld()) return { kind: 'lost' };",
    replace: '',
    killedBy: ['payments/remote/claims.test.ts > tells nothing once the claim has run out'],
    means: 'a node that was paused tells the bank what another one asks about: paid twice',
  },
  {
    id: 'P8',
    file: 'payment/remote/outbox.ts',
    find: 'and (sent_at is null) = (cast(? as bigint) is null)',
    replace: 'and (cast(? as bigint) is null or 1 = 1)',
    killedBy: ['payments/remote/claims.test.ts > does not claim on an old view'],
    means: 'a payment that was told already is told again without asking first',
  },
  {
    id: 'P9',
    file: 'payment/remote/outbox.ts',
    find: "and status = 'RCVD' and unresolved_at is null",
    replace: "and status = 'RCVD'",
    killedBy: ['payments/remote/claims.test.ts > is not told again once people have to settle it'],
    means: 'a payment is told again while people settle it by hand',
  },
];
