/** Repeated requests, quotas, reads a day. */
import type { Mutant } from '../mutant.js';

export const requests: readonly Mutant[] = [
  {
    id: 'R4',
    file: 'gate/replay.ts',
    find: "if (call.isLate()) throw new Problem('processing-timeout');",
    replace: '',
    killedBy: ['consents/rules-held.test.ts > a write whose caller was told 408 has no effect'],
    means: 'a payment happens after its caller was told 408',
  },
  {
    id: 'Q2',
    file: 'gate/limits/window.ts',
    find: 'this.#counts.set(key, { used: 1, endsAt: now + this.#ms });',
    replace: 'this.#counts.set(key, { used: 1, endsAt: now + this.#ms + 30_000 });',
    killedBy: ['gate/quotas.test.ts > code M8: is a minute'],
    means: 'a quota of a minute is one of a minute and a half',
  },
  {
    id: 'D3',
    file: 'api/ais/reads/data-accesses.ts',
    find: 'and attended = 0 and page = 1 and accessed_at > ?',
    replace: 'and attended = 0 and page = 1 and accessed_at >= ?',
    killedBy: ['ais/unattended.test.ts > a read is free again after 24 hours to the millisecond'],
    means: 'a read is refused in the moment for which it was promised',
  },
];
