/** What the store says of a closed interface. The command line reads and writes it, so it loads nothing of the path of a request. */
import type { RealTime } from '../lib/clock.js';
import { instantText } from '../lib/instant.js';
import type { Queries } from '../store/db.js';
import { jsonColumn, members, orNull, text, whole } from '../store/json-column.js';
import { putSetting, removeSetting } from '../store/settings.js';

export interface Closure {
  readonly since: RealTime;
  /** What callers read. It opens nothing. */
  readonly until: RealTime | null;
  readonly message: string | null;
}

const CLOSURE = 'maintenance';
const column = jsonColumn<Closure>(
  'the maintenance',
  members({ since: whole, until: orNull(whole), message: orNull(text) }),
);
const released = (name: string): string => `maintenance-released ${name}`;
const READ = `
  select (select value from settings where name = '${CLOSURE}') as closure,
         (select value from settings where name = ?) as released`;

export interface MaintenanceState {
  readonly closure: Closure | undefined;
  /** False as long as the node has the name of a closing that was not released in this store. */
  readonly isReleased: boolean;
}

export const readMaintenance = async (db: Queries, name: string | undefined): Promise<MaintenanceState> => {
  const row = await db.one<{ closure: string | null; released: string | null }>(READ, [released(name ?? '')]);
  const closure = row?.closure ?? null;
  return {
    closure: closure === null ? undefined : column.read(closure),
    isReleased: name === undefined || (row?.released ?? null) !== null,
  };
};

/** Call within a transaction, as the next one. */
export const closeInterface = (tx: Queries, closure: Closure): Promise<void> =>
  putSetting(tx, CLOSURE, column.write(closure));

export const openInterface = async (tx: Queries, name: string | undefined, now: RealTime): Promise<void> => {
  await removeSetting(tx, CLOSURE);
  if (name !== undefined) await putSetting(tx, released(name), instantText(now));
};
