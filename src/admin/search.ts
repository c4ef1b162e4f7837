/** One field finds anything: a third party, a consent, a payment, a person, a call. */
import { isUuid } from '../lib/id.js';
import type { Queries } from '../store/db.js';

export interface Hit {
  readonly kind: 'tpp' | 'consent' | 'payment' | 'person' | 'call';
  readonly id: string;
  readonly text: string;
}

const MOST = 50;
const PARTIES = `
  select 'tpp' as kind, id, name || ' (' || registration || ')' as text from tpps
  where id = ? or lower(name) like ? escape '!' or lower(registration) like ? escape '!' order by name limit ${MOST}`;
const OF_APPLICATION = `
  select 'tpp' as kind, t.id, t.name || ' (' || a.name || ')' as text from applications a join tpps t on t.id = a.tpp_id
  where a.client_id = ?`;
const CONSENTS = `select 'consent' as kind, id, kind || ', ' || status as text from consents where id = ?`;
const PAYMENTS = `select 'payment' as kind, consent_id as id, status as text from payment_orders where id = ?`;
const PEOPLE = `
  select 'person' as kind, psu_id as id, psu_id as text from consents where psu_id = ? limit 1`;
const CALLS = `
  select 'call' as kind, t.id, t.name || ', ' || a.name as text
  from request_log r join applications a on a.client_id = r.client_id join tpps t on t.id = a.tpp_id
  where r.call like ? escape '!' order by r.at desc limit ${MOST}`;

const like = (text: string): string => `%${text.replaceAll(/[!%_]/g, '!$&')}%`;

export const search = async (db: Queries, wanted: string): Promise<readonly Hit[]> => {
  const text = wanted.trim();
  if (text === '' || text.length > 200) return [];
  const part = like(text.toLowerCase());
  const found: Hit[] = [
    ...(await db.all<Hit>(PARTIES, [text, part, part])),
    ...(await db.all<Hit>(OF_APPLICATION, [text])),
    ...(await db.all<Hit>(PEOPLE, [text])),
  ];
  if (!isUuid(text)) return found;
  return [
    ...found,
    ...(await db.all<Hit>(CONSENTS, [text])),
    ...(await db.all<Hit>(PAYMENTS, [text])),
    ...(await db.all<Hit>(CALLS, [like(`"requestId":"${text}"`)])),
  ];
};
