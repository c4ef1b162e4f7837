/** Takes the configured trusted lists anew, and warns of those that are refused or have expired: the last good ones go on counting. */
import { type ImportParts, importLists } from '../admin/trust-lists.js';
import { listTrustLists } from '../certificate/lists/stored-lists.js';
import { HOUR } from '../lib/clock.js';
import type { Log } from '../observe/log.js';
import type { SecurityEvents } from '../observe/security-events.js';
import type { Job } from './jobs.js';

export interface RefreshParts extends Omit<ImportParts, 'by'> {
  readonly sources: readonly string[];
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly security: Pick<SecurityEvents, 'event'>;
}

const EVERY_MS = 6 * HOUR;

export const refreshTrustLists = ({ sources, log, security, ...parts }: RefreshParts): Job => ({
  name: 'refresh trusted lists',
  endsNothing: true,
  everyMs: EVERY_MS,
  async step() {
    for (const outcome of await importLists({ ...parts, by: { actor: 'system' } }, sources))
      if ('fault' in outcome) {
        log.warn(outcome, 'trusted list refused');
        if (outcome.isRefusal) security.event('list-refused', { reason: 'trusted-list' });
      } else {
        const { source, territory, sequence, added, removed } = outcome;
        const names = [added, removed].map((rows) =>
          rows.map(({ provider, name }) => `${provider}: ${name}`),
        );
        // Third parties with a certificate of an authority that is gone are refused from now on.
        log[removed.length > 0 ? 'warn' : 'info'](
          { source, territory, sequence, added: names[0], removed: names[1] },
          'trusted list accepted',
        );
      }
    const now = parts.clock.now();
    for (const { territory, nextUpdate } of await listTrustLists(parts.db))
      if (nextUpdate < now) {
        log.warn({ territory }, 'trusted list has expired');
        security.event('list-refused', { reason: 'trusted-list-expired' });
      }
    return 0;
  },
});
