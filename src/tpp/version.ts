/** The version of the directory: bumped by every change, polled by every node. */
import type { Queries } from '../store/db.js';

export const bumpVersion = async (tx: Queries): Promise<void> => {
  await tx.run(
    `insert into settings (name, value) values ('directory-version', '1')
     on conflict (name) do update set value = cast(cast(settings.value as bigint) + 1 as text)`,
  );
};

export const readVersion = async (db: Queries): Promise<string> =>
  (await db.one<{ value: string }>(`select value from settings where name = 'directory-version'`))?.value ??
  '0';
