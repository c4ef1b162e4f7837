/**
 * The first factor: a right name and password get a new session, every wrong one the same answer. Too many attempts, from one
 * address or under one name, must wait before the bank is queried, whether the name exists or not.
 */

import type { AccountHolders } from '../../../bank/account-holders.js';
import type { Limits, Wait } from '../../../gate/limits/limits.js';
import type { PageRequest } from '../../../http/pages.js';
import { keyedHash } from '../../../lib/hash.js';
import type { Vault } from '../../../lib/vault.js';
import type { PsuId } from '../../../model/ids.js';
import type { Sessions } from '../../../psu/sessions.js';
import { languageOf } from '../../../web/language.js';
import { type VisitorEventParts, visitorEvent } from '../visitor-events.js';

export const MAX_NAME = 128;
const MAX_PASSWORD = 256;

export interface FirstFactorParts extends VisitorEventParts {
  readonly accountHolders: AccountHolders;
  readonly sessions: Sessions;
  readonly limits: Pick<Limits, 'tryFrom' | 'tryAs' | 'takeBack'>;
  readonly vault: Vault;
}

export type FirstFactor =
  /** With the secret of a new session. */
  | { readonly kind: 'passed'; readonly psuId: PsuId; readonly secret: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'wait'; readonly wait: Wait };

/** However it is written: a bank may not care for capitals. */
const nameHash = ({ vault }: FirstFactorParts, name: string): string =>
  keyedHash(vault.eventKey, `login:${name.normalize('NFKC').toLowerCase()}`);

export const passFirstFactor = async (
  parts: FirstFactorParts,
  request: PageRequest,
  /** The secret of a session that this browser has: another person may know it, so it never becomes this person's. */
  before: string | undefined,
): Promise<FirstFactor> => {
  const { accountHolders, sessions, limits, addressOf } = parts;
  const { username = '', password = '' } = request.form;
  const name = username.trim();
  const refuse = (reason?: string): void =>
    visitorEvent(parts, 'login-refused', request, { userName: name, reason });
  const hash = nameHash(parts, name);
  const wait = (await limits.tryFrom(addressOf(request.raw.request))) ?? (await limits.tryAs(hash));
  if (wait) {
    refuse('too-many');
    return { kind: 'wait', wait };
  }
  const isReadable = name.length <= MAX_NAME && password.length <= MAX_PASSWORD;
  const outcome = isReadable
    ? await accountHolders.login(name, password, languageOf(request)).catch(async (error: unknown) => {
        // The password was not checked: an outage of the bank must not lock its customers out.
        await limits.takeBack(hash);
        throw error;
      })
    : ({ kind: 'refused' } as const);
  if (outcome.kind === 'refused') {
    refuse();
    return outcome;
  }
  await limits.takeBack(hash);
  if (before !== undefined) await sessions.close(before);
  const { psuId } = outcome;
  const { secret } = await sessions.open({ id: psuId, name: outcome.name });
  return { kind: 'passed', psuId, secret };
};
