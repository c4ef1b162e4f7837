/** A consent as its account holder sees it, and the hash of what was shown. */

import type { BankTime } from '../lib/clock.js';
import { undisguised } from '../lib/format/undisguised.js';
import { sha256 } from '../lib/hash.js';
import { isUuid } from '../lib/id.js';
import { fromMinor } from '../model/amount.js';
import type { ConsentId, PsuId, TppId } from '../model/ids.js';
import type { PaymentNotes, Price, ShownTerms } from '../model/payment-terms.js';
import type { Quote } from '../model/quote.js';
import type { Queries } from '../store/db.js';
import { detailsColumn, notesColumn, quoteColumn } from './columns.js';
import type { Actor } from './lifecycle.js';
import type { Consent, ConsentAccount } from './record.js';
import { findOlder, type OlderAccess } from './supersede.js';

/** A consent as its account holder sees it, with who asks. */
export interface AskedConsent extends Consent {
  readonly recurring: number;
  /** When its third party asked to renew the authentication; null if no renewal is open. */
  readonly renewalAt: BankTime | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** Why it is asked for, in the third party's words; null if it did not say. */
  readonly purpose: string | null;
  /** What a payment costs in another currency, as it is shown and held. */
  readonly quote: Quote | null;
  /** In which other currencies it can be paid. Known while the account holder decides; the chosen one becomes `quote`. */
  readonly otherPrices: readonly Price[];
  /** What the bank said about a payment to its account holder; null before that. */
  readonly notes: PaymentNotes | null;
  readonly cardLastFour: string | null;
  readonly redirectUri: string | null;
  readonly nokRedirectUri: string | null;
  readonly tppState: string | null;
  /** The hash of the interaction within which it began: its way back is that one. */
  readonly interactionHash: string | null;
  /** What the bank wants to be reminded of. */
  readonly bankData: string | null;
  readonly applicationName: string;
  readonly tppId: TppId;
  readonly tppName: string;
  readonly tppRegistration: string;
  /** Of a suspended application or third party nothing is shown, decided, or sent back. */
  readonly isActive: number;
  /** Whether the person has blocked its third party, or all of them: then it can only be refused. */
  readonly block: 'one' | 'all' | null;
  readonly accounts: readonly ConsentAccount[];
  /** Which of the person's permissions an approval may end. */
  readonly older: readonly OlderAccess[];
}

const LOAD = `
  select c.id, c.kind, c.client_id as "clientId", c.psu_id as "psuId", c.status, c.created_at as "createdAt",
         c.expires_at as "expiresAt", c.submitted_at as "submittedAt", c.quote, c.payment_notes as notes, c.approved_at as "approvedAt", c.sca_at as "scaAt",
         c.end_reason as "endReason", c.superseded_by as "supersededBy", c.recurring,
         c.renewal_at as "renewalAt", c.details, c.purpose,
         c.card_last_four as "cardLastFour", c.redirect_uri as "redirectUri", c.nok_redirect_uri as "nokRedirectUri",
         c.tpp_state as "tppState", c.interaction_uid as "interactionHash", c.bank_data as "bankData",
         a.name as "applicationName", t.id as "tppId", t.name as "tppName", t.registration as "tppRegistration",
         case when a.status = 'active' and t.status = 'active' then 1 else 0 end as "isActive",
         (select case max(case when b.tpp_id = '*' then 2 else 1 end) when 2 then 'all' when 1 then 'one' end
          from third_party_blocks b where b.psu_id = c.psu_id and b.tpp_id in (t.id, '*')) as block
  from consents c join applications a on a.client_id = c.client_id join tpps t on t.id = a.tpp_id
  where c.id = ? and c.psu_id = ?`;
const ACCOUNTS = `
  select account_id as "accountId", iban, bban, msisdn, currency from consent_accounts where consent_id = ? order by position`;

interface StoredJson {
  readonly details: string;
  readonly quote: string | null;
  readonly notes: string | null;
}

type Parsed = 'accounts' | 'details' | 'older' | 'quote' | 'notes' | 'otherPrices';

/** Only for its own account holder; everybody else sees nothing. */
export const findAsked = async (
  db: Queries,
  id: ConsentId,
  psuId: PsuId,
): Promise<AskedConsent | undefined> => {
  if (!isUuid(id)) return undefined;
  const row = await db.one<Omit<AskedConsent, Parsed> & StoredJson>(LOAD, [id, psuId]);
  if (!row) return undefined;
  const accounts = await db.all<ConsentAccount>(ACCOUNTS, [id]);
  return {
    ...row,
    applicationName: undisguised(row.applicationName),
    tppName: undisguised(row.tppName),
    details: detailsColumn.read(row.details),
    quote: row.quote === null ? null : quoteColumn.read(row.quote),
    notes: row.notes === null ? null : notesColumn.read(row.notes),
    otherPrices: [],
    accounts,
    older: await findOlder(db, { ...row, accounts }),
  };
};

/** The charge as the interface names it: an amount is greater than 0, so no charge is no member. */
export const expensesOf = ({ currency, amountMinor }: Price['charge']) =>
  amountMinor > 0 ? { expenses: { currency, amount: fromMinor(amountMinor, currency) } } : {};

const atPrice = (asked: AskedConsent, { charge, quote }: Price): AskedConsent => ({
  ...asked,
  details: { ...asked.details, expenses: undefined, ...expensesOf(charge) },
  quote,
});

/** A payment at the terms that the bank has for its account holder. */
export const withTerms = (asked: AskedConsent, terms: ShownTerms): AskedConsent => {
  const { payeeCheck, executionDate, cutOff, instant, signatures } = terms;
  return {
    ...atPrice(asked, terms),
    otherPrices: terms.otherPrices ?? [],
    notes: { payeeCheck, executionDate, cutOff, instant, signatures },
  };
};

/** At the price of an account in this currency. */
export const pricedIn = (asked: AskedConsent, currency: string | null | undefined): AskedConsent => {
  const price = asked.otherPrices.find(({ quote }) => quote?.payCurrency === currency);
  return price ? atPrice(asked, price) : asked;
};

const LAST_STEP =
  'select changed_by from consent_history where consent_id = ? order by position desc limit 1';

/** Whether only the passing of time ended the consent. */
export const isEndedByTime = async (db: Queries, id: ConsentId): Promise<boolean> =>
  (await db.one<{ changed_by: Actor }>(LAST_STEP, [id]))?.changed_by === 'time';

/** Everything that is shown and decided about. What was shown is what is approved: a changed consent has another hash. */
export const shownHash = (asked: AskedConsent): string =>
  sha256(
    JSON.stringify([
      asked.id,
      asked.kind,
      asked.clientId,
      asked.psuId,
      asked.expiresAt,
      asked.recurring,
      asked.details,
      asked.quote,
      asked.cardLastFour,
      asked.accounts,
      asked.renewalAt,
      ...asked.older.map(({ id }) => id),
      ...(asked.notes ? [asked.notes, asked.otherPrices] : []),
      ...(asked.block === null ? [] : [{ block: asked.block }]),
      ...(asked.purpose === null ? [] : [{ purpose: asked.purpose }]),
    ]),
  );
