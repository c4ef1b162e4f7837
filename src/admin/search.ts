/** One field finds anything: a third party, a consent, a payment, a person, a call. */
import { folded } from '../lib/format/folded.js';
import { isUuid } from '../lib/id.js';
import type { Queries } from '../store/db.js';

export interface Hit {
  readonly kind: 'tpp' | 'consent' | 'payment' | 'person' | 'call';
  readonly id: string;
  readonly text: string;
}

const MOST = 50;
/** Two engines fold letters in two ways, so names are compared here, as many at a time. */
const AT_ONCE = 1000;

interface Party {
  readonly key: string;
  readonly id: string;
  readonly name: string;
  /** What else names it: its registration, or one of its applications. */
  readonly mark: string;
}

const PARTIES = `
  select id as key, id, name, registration as mark from tpps where id > ? order by id limit ${AT_ONCE}`;
const APPLICATIONS = `
  select a.client_id as key, t.id, t.name, a.name as mark from applications a join tpps t on t.id = a.tpp_id
  where a.client_id > ? order by a.client_id limit ${AT_ONCE}`;
const CONSENTS = `select 'consent' as kind, id, kind || ', ' || status as text from consents where id = ?`;
const PAYMENTS = `select 'payment' as kind, consent_id as id, status as text from payment_orders where id = ?`;
const PEOPLE = `
  select 'person' as kind, psu_id as id, psu_id as text from consents where psu_id = ? limit 1`;
const CALLS = `
  select 'call' as kind, t.id, t.name || ', ' || a.name as text
  from request_log r join applications a on a.client_id = r.client_id join tpps t on t.id = a.tpp_id
  where lower(r.call) like ? order by r.at desc limit ${MOST}`;

const partiesIn = async (
  db: Queries,
  sql: string,
  isWanted: (party: Party) => boolean,
): Promise<readonly Party[]> => {
  const found: Party[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: readonly Party[] = await db.all<Party>(sql, [after]);
    found.push(...rows.filter(isWanted));
    after = rows.length < AT_ONCE ? undefined : rows.at(-1)?.key;
  }
  return found;
};

/** By an id, or by part of a name; each once. */
const partiesNamed = async (db: Queries, text: string): Promise<readonly Hit[]> => {
  const part = folded(text);
  const isWanted = ({ key, name, mark }: Party): boolean =>
    folded(key) === part || [name, mark].some((each) => folded(each).includes(part));
  const found = [
    ...(await partiesIn(db, APPLICATIONS, isWanted)),
    // Last: what is found by its own name is shown with its registration.
    ...(await partiesIn(db, PARTIES, isWanted)),
  ];
  const hits = found.map(({ id, name, mark }): [string, Hit] => [
    id,
    { kind: 'tpp', id, text: `${name} (${mark})` },
  ]);
  return [...new Map(hits).values()].toSorted((a, b) => a.text.localeCompare(b.text)).slice(0, MOST);
};

export const search = async (db: Queries, wanted: string): Promise<readonly Hit[]> => {
  const text = wanted.trim();
  if (text === '' || text.length > 200) return [];
  const id = text.toLowerCase();
  const found: Hit[] = [...(await partiesNamed(db, text)), ...(await db.all<Hit>(PEOPLE, [text]))];
  if (!isUuid(id)) return found;
  return [
    ...found,
    ...(await db.all<Hit>(CONSENTS, [id])),
    ...(await db.all<Hit>(PAYMENTS, [id])),
    ...(await db.all<Hit>(CALLS, [`%"requestid":"${id}"%`])),
  ];
};
