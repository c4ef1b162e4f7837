/** Problems that only a shared database can cause: two calls with one id, and a commit whose answer is lost. */
import { FaultyProxy } from '../../faults/faulty-proxy.js';
import { createDatabase } from '../../support/database.js';
import { hasPostgres } from '../../support/engines.js';
import { FINANCE } from '../../support/operations.js';
import { startService } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';
import type { Reply } from './client.js';
import { type Case, calling } from './support.js';

const isSkipped = !hasPostgres;

const creation = { method: 'POST', path: '/ais/psd2/v1/consents', body: { permissions: ['AccountsBasic'] } };

const TAKE =
  'insert into request_ids (client_id, request_id, fingerprint, used_at, outcome) values (?, ?, ?, ?, null)';

/** Another transaction has the id in hand until the first attempt has its answer. */
const inProgress: Case = {
  slug: 'request-in-progress',
  end: 'success',
  advice: ['repeat'],
  isSkipped,
  prepare: async () => {
    const service = await startService({ engine: 'postgres', env: { TRAPEZA_DEADLINE_MS: '1500' } });
    const good = calling(service, () => creation);
    let isFirst = true;
    return {
      service,
      send: async (state) => {
        if (!isFirst) return good(state);
        isFirst = false;
        const replies: Reply[] = [];
        const held = withStore(service, (db) =>
          db.transaction(async (tx) => {
            await tx.run(TAKE, [FINANCE, state.requestId, 'of the original', service.clock.now()]);
            replies.push(await good(state));
            throw new Error('the original comes to nothing');
          }),
        );
        await held.catch(() => undefined);
        if (!replies[0]) throw new Error('nothing was answered');
        return replies[0];
      },
      close: () => service.close(),
    };
  },
};

/** The consent is created, but nobody hears of it. */
const unknownOutcome: Case = {
  slug: 'outcome-unknown',
  end: 'success',
  advice: ['repeat'],
  isSkipped,
  prepare: async () => {
    const database = await createDatabase('postgres');
    const proxy = await FaultyProxy.beforeUrl(database.url);
    const service = await startService({ databaseUrl: proxy.through(database.url) });
    const good = calling(service, () => creation);
    let isFirst = true;
    return {
      service,
      send: (state) => {
        if (isFirst) proxy.cutAfter('commit');
        isFirst = false;
        return good(state);
      },
      close: async () => {
        await service.close();
        await proxy.close();
        await database.drop();
      },
    };
  },
};

export const storeCases: readonly Case[] = [inProgress, unknownOutcome];
