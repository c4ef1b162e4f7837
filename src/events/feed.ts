/** The feed of one application: its events, oldest first, after the one it has seen last. Nothing is ever inserted before that. */
import type { ClientId } from '../model/ids.js';
import type { Queries } from '../store/db.js';
import { ANNOUNCED, EVENT_COLUMNS, type EventBody, eventBody, type StatusEvent } from './event.js';

const POSITION = 'select position from events where id = ? and client_id = ?';
const PAGE = `
  select ${EVENT_COLUMNS}
  from events e ${ANNOUNCED}
  where e.client_id = ? and e.position > ? order by e.position limit ?`;

/** Undefined if the application has no event `after`. */
export const readFeed = async (
  db: Queries,
  clientId: ClientId,
  after: string | undefined,
  limit: number,
): Promise<readonly EventBody[] | undefined> => {
  const seen =
    after === undefined ? { position: 0 } : await db.one<{ position: number }>(POSITION, [after, clientId]);
  if (!seen) return undefined;
  const rows = await db.all<StatusEvent>(PAGE, [clientId, seen.position, limit]);
  return rows.map(eventBody);
};
