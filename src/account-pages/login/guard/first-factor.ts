/**
 * The first factor: a right name and password get a new session, every wrong one the same answer. Who has tried too often waits before
 * the bank is queried, whether the name exists or not.
 */

import type { AccountHolders } from '../../../bank/account-holders.js';
import type { Guard, Judged } from '../../../gate/guard/guard.js';
import type { PageCookie, PageRequest } from '../../../http/pages.js';
import type { Site } from '../../../http/render.js';
import type { Vault } from '../../../lib/vault.js';
import type { PsuId } from '../../../model/ids.js';
import type { Sessions } from '../../../psu/sessions.js';
import { languageOf } from '../../../web/language.js';
import type { VisitorEventParts } from '../visitor-events.js';

export const MAX_NAME = 128;
const MAX_PASSWORD = 256;

export interface FirstFactorParts extends VisitorEventParts {
  readonly accountHolders: AccountHolders;
  readonly sessions: Sessions;
  readonly guard: Pick<Guard, 'logIn' | 'confirm'>;
  readonly site: Site;
  readonly vault: Vault;
}

export type FirstFactor =
  | {
      readonly kind: 'passed';
      readonly psuId: PsuId;
      /** Of a new session. */
      readonly secret: string;
      readonly cookies: readonly PageCookie[];
    }
  | Exclude<Judged<never>, { readonly kind: 'passed' }>;

export const passFirstFactor = async (
  { accountHolders, sessions, guard, site }: FirstFactorParts,
  request: PageRequest,
  /** The secret of a session that this browser has: another person may know it, so it never becomes this person's. */
  before: string | undefined,
): Promise<FirstFactor> => {
  const { username = '', password = '' } = request.form;
  const name = username.trim();
  const isReadable = name.length <= MAX_NAME && password.length <= MAX_PASSWORD;
  const judged = await guard.logIn({ audience: 'holder', name, request, site }, async () => {
    if (!isReadable) return undefined;
    const outcome = await accountHolders.login(name, password, languageOf(request));
    return outcome.kind === 'refused' ? undefined : outcome;
  });
  if (judged.kind !== 'passed') return judged;
  if (before !== undefined) await sessions.close(before);
  const { psuId, name: shownName } = judged.value;
  const { secret } = await sessions.open({ id: psuId, name: shownName });
  return { kind: 'passed', psuId, secret, cookies: judged.cookies };
};
