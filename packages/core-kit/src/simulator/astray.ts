/** Faults that take a question for another one: it is carried out and answered honestly, with the ids of what was answered. */

import { demoPsus } from '@trapeza/sandbox/demo-bank';
import type { AccountId, Eventual, PsuId } from 'trapeza/base';
import type { Asked, Core } from './contract.js';
import type { FaultKind } from './faults.js';

type Astray = (asked: Asked, core: Core) => Eventual<Asked>;

const withParams = (asked: Asked, params: Readonly<Record<string, string>>): Asked =>
  ({ ...asked, params: { ...asked.params, ...params } }) as Asked;

const astray: Readonly<Partial<Record<FaultKind, Astray>>> = {
  'other-account': async (asked, core) => {
    const { accountId } = asked.params as { readonly accountId?: AccountId };
    const { accounts } = await core.findAccounts({
      ...asked,
      params: { psuId: asked.psuId },
      query: {},
    } as never);
    const own = accounts.find(({ id }) => id === accountId);
    const others = accounts.filter(({ id }) => id !== accountId);
    const other = others.find(({ currency }) => currency === own?.currency) ?? others[0];
    return other ? withParams(asked, { accountId: other.id }) : asked;
  },
  'other-person': (asked) => {
    const { psuId } = asked.params as { readonly psuId?: PsuId };
    return withParams(asked, { psuId: demoPsus.find(({ id }) => id !== psuId)?.id ?? '' });
  },
  'same-page': (asked) => ({ ...asked, query: { ...asked.query, after: undefined } }) as Asked,
};

/** The question as the core takes it. */
export const takenFor = (kind: FaultKind | undefined, asked: Asked, core: Core): Eventual<Asked> =>
  (kind && astray[kind]?.(asked, core)) ?? asked;
