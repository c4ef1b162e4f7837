/** News from the core with several processes: the first one has the private listener, a worker has the store. */
import cluster from 'node:cluster';
import type { App } from '../app/app.js';
import { NEWS_PATH } from '../bank/http/contract/news.js';
import type { Config } from '../config/config.js';
import type { PrivateCall } from '../http/listeners/management.js';
import { MINUTE, monotonicMs } from '../lib/clock.js';
import type { Log } from '../observe/log.js';
import { answer, ask, type Peer } from './process-call.js';

const NEWS = 'trapeza:news';

/** In a worker. */
export const receiveNews = (app: Pick<App, 'receiveNews'>): void =>
  answer(process, NEWS, (body) => app.receiveNews(body));

/** In the first process: one worker acts and answers, the others forget what they remember. */
const relayNews = async (body: unknown): Promise<object | undefined> => {
  const [first, ...others] = Object.values(cluster.workers ?? {}).filter((each) => each?.isConnected());
  if (!first) throw new Error('no worker');
  const results = (await ask(first, NEWS, body)) as object | undefined;
  if (results) for (const other of others) void ask(other as Peer, NEWS, body).catch(() => undefined);
  return results;
};

/** At most once a minute, however often it happens. */
const createQuietWarning = (log: Log, message: string): (() => void) => {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (monotonicMs() - warnedAt < MINUTE) return;
    warnedAt = monotonicMs();
    log.warn({}, message);
  };
};

/** The call on the private listener of the first process; undefined if there is none. */
export const newsCall = ({ coreNewsToken: token }: Config, log: Log): PrivateCall | undefined =>
  token === undefined
    ? undefined
    : {
        path: NEWS_PATH,
        token,
        receive: relayNews,
        onRefused: createQuietWarning(log, 'wrong token of news from the core'),
      };
