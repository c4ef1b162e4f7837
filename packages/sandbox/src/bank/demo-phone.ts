/** The phone on which demo people confirm or refuse what the bank asks them in its app. */
import type { ScaContext } from 'trapeza/bank';
import type { Queries } from 'trapeza/base';

export interface PhoneRequest {
  readonly challengeId: string;
  readonly name: string;
  /** Amount and payee; null if it is no payment. */
  readonly payment: NonNullable<ScaContext['payment']> | null;
}

export type PhoneAnswer = 'right' | 'refused';

const OPEN = 'app_shown is not null and app_answer is null and used_at is null and expires_at > ?';
const LIST = `
  select c.id, p.name, c.app_shown as shown from demo_challenges c join demo_psus p on p.id = c.psu_id
  where ${OPEN} order by c.expires_at desc, c.id limit 20`;
const ANSWER = `update demo_challenges set app_answer = ? where id = ? and ${OPEN}`;

/** The newest first. */
export const phoneRequests = async (db: Queries, now: number): Promise<readonly PhoneRequest[]> => {
  const rows = await db.all<{ id: string; name: string; shown: string }>(LIST, [now]);
  return rows.map(({ id, name, shown }) => ({
    challengeId: id,
    name,
    payment: JSON.parse(shown) as PhoneRequest['payment'],
  }));
};

/** False if there is no such request, or no longer. */
export const answerOnPhone = async (
  db: Queries,
  challengeId: string,
  answer: PhoneAnswer,
  now: number,
): Promise<boolean> => (await db.run(ANSWER, [answer, challengeId, now])) === 1;
