/**
 * How a third party names an account: `resourceId`, the same for one application, person and account in every consent. An id
 * that the application already has goes on, even if it comes from another gateway; else it is derived, by a key that does not change
 * with TRAPEZA_SECRET.
 */
import { pairwiseId, type Vault } from '../lib/vault.js';
import type { Queries } from '../store/db.js';
import { pairwiseKey } from '../store/kept-keys.js';
import type { Consent, ConsentAccount } from './record.js';

type Named = ConsentAccount & { readonly resourceId: string };

/** What older approved consents call their accounts, the newest first. */
const KNOWN = `
  select a.resource_id as "resourceId", a.account_id as "accountId", a.iban, a.bban, a.msisdn, a.currency
  from (select id, created_at from consents
        where psu_id = ? and client_id = ? and kind = 'AccountAccess' and approved_at is not null
        order by created_at desc limit ?) c
  join consent_accounts a on a.consent_id = c.id
  where a.account_id is not null and a.resource_id is not null
  order by c.created_at desc, c.id, a.position`;

/** Consents that are looked through: a bound, because one-off ones add up. */
const LOOKED_THROUGH = 50;

/** What stays if the core gives its accounts new ids. */
const numberOf = ({ iban, bban, currency }: ConsentAccount): string | undefined =>
  (iban ?? bban) === null ? undefined : `${iban ?? bban} ${currency}`;

const identityOf = (account: ConsentAccount): string => numberOf(account) ?? `${account.accountId}`;

/** Gives the accounts of an account access the ids under which its application reads them. */
export const withResourceIds = async (
  tx: Queries,
  vault: Vault,
  { kind, clientId, psuId }: Pick<Consent, 'kind' | 'clientId' | 'psuId'>,
  accounts: readonly ConsentAccount[],
): Promise<readonly ConsentAccount[]> => {
  if (kind !== 'AccountAccess' || accounts.length === 0) return accounts;
  const known = await tx.all<Named>(KNOWN, [psuId, clientId, LOOKED_THROUGH]);
  const key = await pairwiseKey(tx, vault);
  const taken = new Set<string>();
  return accounts.map((account) => {
    const number = numberOf(account);
    const before =
      known.find(({ accountId }) => accountId === account.accountId) ??
      known.find((each) => number !== undefined && numberOf(each) === number);
    const usual =
      account.resourceId ??
      before?.resourceId ??
      pairwiseId(key, [clientId, psuId, identityOf(account)].join('\n'));
    // Two accounts of one consent never share an id, whatever a core says of their numbers.
    const resourceId = taken.has(usual)
      ? pairwiseId(key, [clientId, psuId, identityOf(account), account.accountId].join('\n'))
      : usual;
    taken.add(resourceId);
    return { ...account, resourceId };
  });
};
