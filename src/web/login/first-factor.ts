/** The first factor, wherever it is asked for: a right name and password get a new session, every wrong one the same answer. */
import type { AccountHolders } from '../../bank/account-holders.js';
import type { PageRequest } from '../../http/pages.js';
import type { Session, Sessions } from '../../psu/sessions.js';
import { type VisitorEventParts, visitorEvent } from './visitor-events.js';

export const MAX_NAME = 128;
const MAX_PASSWORD = 256;

interface FirstFactorParts extends VisitorEventParts {
  readonly accountHolders: AccountHolders;
  readonly sessions: Sessions;
}

/** Whoever has logged in, with the secret of their session; undefined where they were refused. */
export const passFirstFactor = async (
  parts: FirstFactorParts,
  request: PageRequest,
  before: Session | undefined,
): Promise<{ readonly psuId: string; readonly secret: string } | undefined> => {
  const { accountHolders, sessions } = parts;
  const { username = '', password = '' } = request.form;
  if (username.length > MAX_NAME || password.length > MAX_PASSWORD) return undefined;
  const outcome = await accountHolders.login(username.trim(), password);
  if (outcome.kind === 'refused') {
    visitorEvent(parts, 'login-refused', request, { userName: username });
    return undefined;
  }
  // The session of before may be known to somebody else; it never becomes this person's.
  if (before) await sessions.close(before.secret);
  const { secret } = await sessions.open({ id: outcome.psuId, name: outcome.name });
  return { psuId: outcome.psuId, secret };
};
