/** News from the core with several processes: the first one has the private listener, a worker has the store. */
import cluster, { type Worker } from 'node:cluster';
import type { App } from '../app/app.js';
import { NEWS_PATH } from '../bank/http/contract/news.js';
import type { Config } from '../config/config.js';
import type { PrivateCall } from '../http/listeners/management.js';
import { MINUTE, monotonicMs } from '../lib/clock.js';
import { newId } from '../lib/id.js';
import type { Log } from '../observe/log.js';

const NEWS = 'trapeza:news';
const RESULTS = 'trapeza:news-results';

interface Message {
  readonly type: string;
  readonly id: string;
  readonly body: unknown;
}

const isOf = (message: unknown, type: string): message is Message =>
  (message as { type?: unknown } | null)?.type === type;

/** In a worker. */
export const receiveNews = (app: Pick<App, 'receiveNews'>): void => {
  process.on('message', (message: unknown) => {
    if (!isOf(message, NEWS)) return;
    const answer = (body: unknown): void => void process.send?.({ type: RESULTS, id: message.id, body });
    app.receiveNews(message.body).then(answer, () => answer(null));
  });
};

const ask = (worker: Worker, body: unknown): Promise<object | undefined> =>
  new Promise((resolve, reject) => {
    const id = newId();
    const gone = (): void => reject(new Error('the worker died'));
    const listen = (message: unknown): void => {
      if (!isOf(message, RESULTS) || message.id !== id) return;
      worker.off('message', listen).off('exit', gone);
      if (message.body === null) reject(new Error('the news failed'));
      else resolve(message.body as object | undefined);
    };
    worker.on('message', listen).once('exit', gone);
    worker.send({ type: NEWS, id, body });
  });

/** In the first process: one worker acts and answers, the others forget what they remember. */
const relayNews = async (body: unknown): Promise<object | undefined> => {
  const [first, ...others] = Object.values(cluster.workers ?? {}).filter((each) => each?.isConnected());
  if (!first) throw new Error('no worker');
  const results = await ask(first, body);
  if (results) for (const other of others) void ask(other as Worker, body).catch(() => undefined);
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
