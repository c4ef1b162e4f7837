/** What account holders and the logins of third parties do during an upgrade, through the balancer. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DASHBOARD, DashboardVisitor } from '../account-pages/dashboard/support.js';
import { applicationOf, discover, obtainTokens, type Place, postToken } from '../oauth/provider-journey.js';
import { type Answer, send } from '../support/client.js';
import { ATMS } from '../support/operations.js';

/** Throws at the first answer that is not right. */
type Work = (isOver: () => boolean) => Promise<number>;

const expectRight = (what: string, { status, text }: Answer, words = /(?:)/): void => {
  if (status !== 200 || !words.test(text)) throw new Error(`${what}: ${status} ${text.slice(0, 300)}`);
};

const PAUSE_MS = 100;
/** Then a new login begins. */
const REFRESHES = 10;

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
}

/** Logs in, uses the token, refreshes it, uses the next one, and so on. */
export const refreshing =
  (place: Place): Work =>
  async (isOver) => {
    let count = 0;
    const use = async ({ access_token }: Tokens): Promise<void> => {
      const headers = {
        'Ocp-Apim-Subscription-Key': applicationOf(place).subscriptionKey,
        Authorization: `Bearer ${access_token}`,
        'X-Request-ID': randomUUID(),
      };
      expectRight('a token', await send(place.url, { path: ATMS, headers }));
      count += 1;
    };
    while (!isOver()) {
      let tokens: Tokens = await obtainTokens(place, await discover(place));
      await use(tokens);
      for (let left = REFRESHES; left > 0 && !isOver(); left -= 1) {
        const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' };
        const answer = await postToken(place, form);
        expectRight('a refresh', answer);
        tokens = answer.json as Tokens;
        await use(tokens);
        await pause(PAUSE_MS);
      }
    }
    return count;
  };

/** Stays logged in and reads the dashboard. */
export const reading =
  (place: Place): Work =>
  async (isOver) => {
    const visitor = new DashboardVisitor(place);
    await visitor.enter();
    let count = 0;
    for (; !isOver(); count += 1) {
      expectRight('the dashboard', await visitor.get(DASHBOARD), /\/dashboard\/permissions\//);
      await pause(PAUSE_MS);
    }
    return count;
  };
