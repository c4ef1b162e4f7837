/** What the simulated core knows of consents: of each the state with the highest revision; an end is final. */
import { type Db, jsonColumn, members, text, wholeNumber } from 'trapeza/base';
import { type Answer, type Asked, Refusal } from './contract.js';

type State = Asked<'putConsent'>['body'];

const stateColumn = jsonColumn<State>(
  'the state of a consent',
  members({ consentId: text, revision: wholeNumber, status: text }),
);
/** A later revision than that of an end comes from a store that was restored to an earlier moment. */
const KEEP_HIGHEST_REVISION = `
  insert into simulator_consents (id, revision, state) values (?, ?, ?)
  on conflict (id) do update set revision = excluded.revision,
    state = case when simulator_consents.state like '%"status":"Valid"%' then excluded.state else simulator_consents.state end
  where excluded.revision > simulator_consents.revision`;
const FIND = 'select revision, state from simulator_consents where id = ?';
const LIST = 'select state from simulator_consents order by id limit 100000';

export const putConsent = async (
  db: Db,
  { params: { consentId }, body }: Asked<'putConsent'>,
): Promise<Answer<'putConsent'>> => {
  if (body.consentId !== consentId) throw new Refusal(400, 'consentId must be the one of the path');
  const key = consentId.toLowerCase();
  await db.run(KEEP_HIGHEST_REVISION, [key, body.revision, stateColumn.write(body)]);
  const kept = await db.one<{ revision: number; state: string }>(FIND, [key]);
  if (!kept) throw new Refusal(503, 'the consent was removed at this moment');
  return { consentId, revision: kept.revision, status: stateColumn.read(kept.state).status };
};

export const listConsents = async (db: Db): Promise<readonly State[]> =>
  (await db.all<{ state: string }>(LIST)).map(({ state }) => stateColumn.read(state));
