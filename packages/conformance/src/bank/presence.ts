/** Whether there is a bank with this interface at all: what answers otherwise is not judged, it is named. */
import { randomUUID } from 'node:crypto';
import { mediaTypeOf } from '../shapes.js';
import { Failure, Unusable } from '../verdict.js';
import type { Bank } from './bank.js';
import type { Answer, Http, Wanted } from './http.js';
import { ATMS, FUNDS, paymentPath, statusPath } from './operations.js';

const isPage = (answer: Answer): boolean => mediaTypeOf(answer) === 'text/html';

/** Not found, redirected, broken, or answered with a page of a website. */
const isAbsent = (answer: Answer): boolean => {
  const { status } = answer;
  const isRefusal = status >= 400 && status < 500;
  return status === 404 || !(isRefusal || (status >= 200 && status < 300 && !isPage(answer)));
};

/** Without credentials: a bank refuses each of them. */
export const demandInterface = async (http: Http): Promise<void> => {
  const calls: readonly Wanted[] = [
    { path: ATMS },
    { path: statusPath(randomUUID()) },
    { path: paymentPath(randomUUID()) },
    { method: 'POST', path: FUNDS, headers: { 'Content-Type': 'application/json' }, body: {} },
  ];
  const seen: string[] = [];
  for (const wanted of calls) {
    const answer = await http.send(wanted).catch((error: unknown) => {
      throw error instanceof Failure
        ? new Unusable(`${http.baseUrl} cannot be reached: ${error.seen}`)
        : error;
    });
    if (!isAbsent(answer)) return;
    seen.push(
      `${wanted.method ?? 'GET'} ${wanted.path}: ${answer.status}${isPage(answer) ? ' and a page' : ''}`,
    );
  }
  throw new Unusable(`there is no bank with this interface at ${http.baseUrl}: ${seen.join('; ')}`);
};

/** Credentials that do not open the bank would make it look bad: they say nothing of it. */
export const demandAccess = async (bank: Bank): Promise<void> => {
  if (bank.credentials.application.accessToken === undefined) return;
  const { status } = await bank.call({ path: statusPath(randomUUID()) });
  if (status !== 401) return;
  throw new Unusable('the bank answers 401 to key and token of the credentials: nothing was tried');
};
