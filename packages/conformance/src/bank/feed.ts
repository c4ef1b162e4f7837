/** The feed of events of an application, and the keys of notifications. */
import { type Members, membersOf } from '../shapes.js';
import { NotRun, need } from '../verdict.js';
import { objectsIn } from './access.js';
import type { Bank, Caller } from './bank.js';
import type { Answer } from './http.js';
import type { PublishedKey } from './notification.js';

export const EVENTS = '/events/psd2/v1';

/** The document has no events: a bank without a feed is not judged by that. */
export const feed = async (bank: Bank, query = '', as: Caller = 'application'): Promise<Answer> => {
  const answer = await bank.call({ as, path: `${EVENTS}${query}` });
  need(answer.status !== 404, `the bank has no ${EVENTS}`);
  return answer;
};

export const eventsIn = (answer: Answer): readonly Members[] => objectsIn(membersOf(answer).events);

const MOST_PAGES = 50;

/** All there are. */
export const wholeFeed = async (bank: Bank, as: Caller = 'application'): Promise<readonly Members[]> => {
  const all: Members[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const last = all.at(-1)?.id;
    const answer = await feed(bank, last === undefined ? '?limit=100' : `?limit=100&after=${last}`, as);
    need(answer.status === 200, `the feed is answered ${answer.status}`);
    const events = eventsIn(answer);
    if (events.length === 0) return all;
    all.push(...events);
  }
  throw new NotRun('the feed has too many events');
};

export const publishedKeys = async (bank: Bank): Promise<readonly PublishedKey[]> => {
  const keys = objectsIn(membersOf(await bank.send({ path: `${EVENTS}/keys` })).keys);
  need(keys.length > 0, 'no keys are published');
  return keys as readonly PublishedKey[];
};
