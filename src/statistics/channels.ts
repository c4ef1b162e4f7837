/** The availability of the bank's own channels, which the law wants beside that of the interface. The bank brings it as a file. */
import type { Queries } from '../store/db.js';

export interface ChannelDay {
  readonly day: string;
  readonly channel: string;
  readonly upPercent: number;
}

const READ = `
  select day, channel, up_percent as "upPercent" from channel_days where day >= ? and day <= ? order by day, channel`;

export const readChannelDays = async (db: Queries, first: string, last: string): Promise<ChannelDay[]> => {
  const rows = await db.all<{ day: string; channel: string; upPercent: string }>(READ, [first, last]);
  return rows.map((row) => ({ ...row, upPercent: Number(row.upPercent) }));
};

const PUT = `
  insert into channel_days (day, channel, up_percent) values (?, ?, ?)
  on conflict (day, channel) do update set up_percent = excluded.up_percent`;

export const putChannelDays = async (db: Queries, days: readonly ChannelDay[]): Promise<void> => {
  for (const { day, channel, upPercent } of days) await db.run(PUT, [day, channel, String(upPercent)]);
};
