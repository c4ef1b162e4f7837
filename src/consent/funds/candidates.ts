/**
 * The consents that may answer a funds question. The Valid ones are read first, by an index that holds no ended consent: a
 * question costs the same however many consents of the person are over. Only a question that they do not answer looks at the
 * others, of which it needs the newest.
 */
import type { Caller } from '../../model/caller.js';
import type { Queries, Reads } from '../../store/db.js';
import type { FundsCandidate, FundsReferences } from './matching-consent.js';

const VALID = `
  select c.id as "consentId", c.status, c.created_at as "createdAt", c.expires_at as "expiresAt", c.bank_data as "bankData",
         a.account_id as "accountId", a.currency, a.iban, a.bban, a.msisdn, c.card_hash as "cardHash"
  from consents c join consent_accounts a on a.consent_id = c.id
  where c.client_id = ? and c.psu_id = ? and c.kind = 'ConfirmationOfFunds' and c.status = 'Valid'
    and (a.iban = ? or a.bban = ? or a.msisdn = ? or c.card_hash = ? or c.card_hash = ?)
  order by c.created_at desc`;
/** The same for an IBAN alone, as nearly always, with what is then needed. */
const VALID_BY_IBAN = `
  select c.id as "consentId", c.status, c.created_at as "createdAt", c.expires_at as "expiresAt", c.bank_data as "bankData",
         a.account_id as "accountId", a.currency, a.iban
  from consents c join consent_accounts a on a.consent_id = c.id
  where c.client_id = ? and c.psu_id = ? and c.kind = 'ConfirmationOfFunds' and c.status = 'Valid' and a.iban = ?
  order by c.created_at desc`;

type HashPair = readonly [string | null, string | null];

/** A statement takes two hashes. More are asked for one after the other: there are more only after several changes of the secret. */
const eachPair = async (
  { cardHashes }: FundsReferences,
  query: (pair: HashPair) => Promise<FundsCandidate[]>,
): Promise<FundsCandidate[]> => {
  const [first = null, second = null, ...more] = cardHashes;
  const found = await query([first, second]);
  if (more.length === 0) return found;
  for (let at = 0; at < more.length; at += 2)
    found.push(...(await query([more[at] ?? null, more[at + 1] ?? null])));
  // What the other references find is found every time.
  const each = new Map(found.map((candidate) => [JSON.stringify(candidate), candidate]));
  return [...each.values()].sort((a, b) => b.createdAt - a.createdAt);
};

export const findValidCandidates = (
  db: Reads,
  { clientId, psuId }: Caller,
  references: FundsReferences,
): Promise<FundsCandidate[]> => {
  const { iban, bban, msisdn, cardHashes } = references;
  const hasMore = bban !== null || msisdn !== null || cardHashes.length > 0;
  if (!hasMore) return db.all(VALID_BY_IBAN, [clientId, psuId, iban]);
  return eachPair(references, (pair) => db.all(VALID, [clientId, psuId, iban, bban, msisdn, ...pair]));
};

/**
 * More than the newest consent: several references, or several sub-accounts, may each name another. SQLite runs a cross join in
 * the written order: from the few named accounts to their consents.
 */
const NEWEST = `
  with named as (
    select * from (select consent_id, position from consent_accounts
      where funds_client = ? and funds_psu = ? and iban = ? order by funds_at desc limit 100) by_iban
    union select * from (select consent_id, position from consent_accounts
      where funds_client = ? and funds_psu = ? and bban = ? order by funds_at desc limit 100) by_bban
    union select * from (select consent_id, position from consent_accounts
      where funds_client = ? and funds_psu = ? and msisdn = ? order by funds_at desc limit 100) by_msisdn
    union select * from (select a.consent_id, a.position from consents c join consent_accounts a on a.consent_id = c.id
      where c.client_id = ? and c.psu_id = ? and c.card_hash = ? order by c.created_at desc limit 100) by_card
    union select * from (select a.consent_id, a.position from consents c join consent_accounts a on a.consent_id = c.id
      where c.client_id = ? and c.psu_id = ? and c.card_hash = ? order by c.created_at desc limit 100) by_card_before)
  select c.id as "consentId", c.status, c.created_at as "createdAt", c.expires_at as "expiresAt", c.bank_data as "bankData",
         c.end_reason as "endReason",
         a.account_id as "accountId", a.currency, a.iban, a.bban, a.msisdn, c.card_hash as "cardHash"
  from named cross join consents c cross join consent_accounts a
  where c.id = named.consent_id and c.client_id = ? and c.psu_id = ?
    and a.consent_id = named.consent_id and a.position = named.position
  order by c.created_at desc`;

/** The newest consents of each reference, whatever their status: one may have become Valid since the others were read. */
export const findOtherCandidates = (
  db: Queries,
  { clientId, psuId }: Caller,
  references: FundsReferences,
): Promise<FundsCandidate[]> => {
  const { iban, bban, msisdn } = references;
  return eachPair(references, (pair) =>
    db.all(NEWEST, [
      ...[iban, bban, msisdn, ...pair].flatMap((reference) => [clientId, psuId, reference]),
      clientId,
      psuId,
    ]),
  );
};
