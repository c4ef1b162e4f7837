/** Figures of the demo bank's last weeks, so that the statistics of a new sandbox have something to show. */
import { DAY, HOUR, MINUTE, type Queries, type RealTime, SECOND, startOfDay } from 'trapeza/base';
import { Counts, type NodeSpan, putChannelDays, putNotes } from 'trapeza/extend';

const DAYS = 60;
const NODE = 'demo';
/** Milliseconds of a usual answer, and calls a day. */
const usual = { pis: [310, 40], ais: [190, 260], piis: [65, 520] } as const;
const channels = [
  { name: 'Web banking', up: 99.97 },
  { name: 'Mobile banking', up: 99.99 },
];

/** The same on every start: a wave with some teeth. */
const wave = (day: number, teeth: number): number => (Math.sin(day * 0.9) + ((day * teeth) % 7) / 7) / 2;

const addCalls = (counts: Counts, noon: number, day: number): void => {
  for (const [area, [ms, calls]] of Object.entries(usual)) {
    const share = day % 7 > 4 ? 0.4 : 1;
    for (let call = 0; call < Math.round((calls * share * (1 + wave(day, 3) / 3)) / 10); call += 1) {
      const micros = Math.round(ms * 1000 * (0.7 + wave(day, 5) / 4 + (call % 9) / 12));
      const isFault = (day * 31 + call) % 97 === 0;
      counts.add({
        area: area as keyof typeof usual,
        receivedAt: noon,
        micros: isFault ? undefined : micros,
        isFault,
      });
    }
  }
};

/** A node that lived all the time, but for a restart and a bad night. */
const livesUntil = (now: number, from: number): readonly NodeSpan[] => {
  const restart = now - 9 * DAY;
  const night = now - 31 * DAY;
  return [
    { kind: 'beat', firstAt: from, lastAt: night },
    { kind: 'beat', firstAt: night + 42 * MINUTE, lastAt: restart },
    { kind: 'beat', firstAt: restart + 25 * SECOND, lastAt: now },
  ];
};

export const seedStatistics = async (tx: Queries, now: RealTime, timeZone: string): Promise<void> => {
  const counts = new Counts(timeZone);
  const days = Array.from({ length: DAYS }, (_, index) =>
    new Date(now - (DAYS - index) * DAY).toISOString().slice(0, 10),
  );
  const from = startOfDay(days[0] ?? '', timeZone);
  for (const [index, date] of days.entries()) addCalls(counts, startOfDay(date, timeZone) + 12 * HOUR, index);
  const spans = livesUntil(now, from);
  await putNotes(tx, { node: NODE, number: 1, at: now, counts: counts.take(), slots: [], spans });
  await putChannelDays(
    tx,
    days.flatMap((day, index) =>
      channels.map(({ name, up }) => ({
        day,
        channel: name,
        upPercent: Math.round(100 * Math.min(100, up + wave(index, 4) / 20)) / 100,
      })),
    ),
  );
};
