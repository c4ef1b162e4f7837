/**
 * What operators announce and publish: planned downtimes and incidents, which everybody reads on the status page and every third party gets
 * as an event; the figures of a quarter, and the availability of the bank's own channels beside them.
 */
import { act, type Call, type Context } from '../acts/act.js';
import { lines, moment, optional, upload } from '../acts/field.js';
import { list } from '../acts/list.js';
import { Gone, Refusal } from '../acts/refusal.js';
import { type NewAnnouncement, writeAnnouncement } from '../events/announcement.js';
import { type BankTime, DAY } from '../lib/clock.js';
import { endOfDay } from '../lib/day.js';
import { instantText } from '../lib/instant.js';
import type { Queries } from '../store/db.js';
import { putChannelDays } from './channels.js';
import * as incidentRecords from './incidents.js';
import * as downtimeRecords from './planned.js';
import { datesOf, publishedText, publishQuarter, quarterOf, readQuarter } from './quarters.js';
import type { ReadChannels } from './read-channels.js';
import { texts } from './texts.js';

const LONGEST_TEXT = 500;
const LONGEST = 30 * DAY;
const LATEST = 2 * 365 * DAY;
const OLDEST_BEGINNING = 7 * DAY;
const SHOWN = 90 * DAY;
/** A line of a file of channels takes about 40 bytes: some years of ten channels. */
const LARGEST_FILE = 1024 * 1024;

const technical = ['service', 'compliance'] as const;

const bothLanguages = {
  textEl: lines('--el <text>', 'what everybody reads on the status page, in Greek'),
  textEn: lines('--en <text>', 'the same in English'),
};

const demandTexts = (given: incidentRecords.Texts): void => {
  for (const field of ['textEl', 'textEn'] as const) {
    if (given[field].trim() === '') throw new Refusal(texts, 'texts', { field });
    if (given[field].length > LONGEST_TEXT) throw new Refusal(texts, 'text-length', { field });
  }
};

/** Events have the time of the bank. */
const readBankTime = ({ bankTime }: Context): Promise<BankTime> => bankTime();

type Announced = Pick<NewAnnouncement, 'subjectId' | 'from' | 'to' | 'textEl' | 'textEn'>;

const announce = (
  tx: Queries,
  about: Pick<NewAnnouncement, 'kind' | 'status' | 'at'>,
  { subjectId, from, to, textEl, textEn }: Announced,
): Promise<void> => writeAnnouncement(tx, { ...about, subjectId, from, to, textEl, textEn });

const announcements = { path: '/announcements', done: 'announced' } as const;

export const announceDowntime = act({
  name: 'downtime.announce',
  about: 'new',
  roles: technical,
  texts,
  input: {
    from: moment('--from <moment>', 'such as 2026-12-06T02:00:00+02:00'),
    to: moment('--to <moment>', 'its end'),
    ...bothLanguages,
  },
  audited: ['from', 'to'],
  page: { ...announcements, things: 'downtimes' },
  command: {
    help: 'announce when the interface will be away: on the status page and to every third party',
    example:
      '--from 2026-12-06T02:00:00+02:00 --to 2026-12-06T04:00:00+02:00 --el "Συντήρηση" --en "Maintenance"',
    says: 'Planned downtime {id} is announced.',
  },
  prepare: readBankTime,
  async run(tx, { input, now, prepared: at }) {
    const { from, to } = input;
    if (from >= to) throw new Refusal(texts, 'order', { field: 'to' });
    if (to - from > LONGEST) throw new Refusal(texts, 'length', { field: 'to' });
    if (from <= now) throw new Refusal(texts, 'past', { field: 'from' });
    if (from - now > LATEST) throw new Refusal(texts, 'future', { field: 'from' });
    demandTexts(input);
    const id = await downtimeRecords.announceDowntime(tx, input, now);
    await announce(tx, { kind: 'downtime', status: 'announced', at }, { ...input, subjectId: id });
    return id;
  },
});

export const cancelDowntime = act({
  name: 'downtime.cancel',
  about: 'existing',
  roles: technical,
  texts,
  input: {},
  page: { ...announcements, things: 'downtimes' },
  command: {
    help: 'cancel what was announced',
    id: ['id', 'id of the planned downtime'],
    example: 'DOWNTIME_ID',
    says: 'Planned downtime {id} is cancelled.',
  },
  prepare: readBankTime,
  async run(tx, { id, now, prepared: at }) {
    const planned = await downtimeRecords.cancelDowntime(tx, id, now);
    if (!planned) throw new Gone(`there is no planned downtime ${id} that is to come`);
    await announce(tx, { kind: 'downtime', status: 'cancelled', at }, { ...planned, subjectId: id });
  },
});

export const plannedDowntimes = list({
  name: 'downtime.list',
  command: { help: 'list what is planned', empty: 'Nothing is planned: trapeza downtime announce --help' },
  /** Those that are not over. */
  rows: ({ db, clock }) => downtimeRecords.plannedAfter(db, clock.now()),
  line: ({ id, from, to, announcedAt, cancelledAt, textEn }) => ({
    ...{ id, from: instantText(from), to: instantText(to), announced: instantText(announcedAt) },
    cancelled: cancelledAt === null ? '' : instantText(cancelledAt),
    text: textEn,
  }),
});

export const openIncident = act({
  name: 'incident.open',
  about: 'new',
  roles: technical,
  texts,
  input: {
    /** If it was before now. */
    from: optional(
      moment('--from <moment>', 'when it began, such as 2026-12-06T02:00:00+02:00; now if absent'),
    ),
    ...bothLanguages,
  },
  page: { ...announcements, things: 'incidents' },
  command: {
    help: 'say that something is wrong: on the status page and to every third party',
    example: '--el "Αργές απαντήσεις" --en "Slow answers"',
    says: 'Incident {id} is on the status page.',
  },
  prepare: readBankTime,
  async run(tx, { input, now, prepared: at }) {
    const { from = now } = input;
    if (from > now || from < now - OLDEST_BEGINNING)
      throw new Refusal(texts, 'incident-start', { field: 'from' });
    demandTexts(input);
    const id = await incidentRecords.openIncident(tx, from, input, now);
    await announce(
      tx,
      { kind: 'incident', status: 'opened', at },
      { ...input, subjectId: id, from, to: null },
    );
    return id;
  },
});

const incidentId = ['id', 'id of the incident'] as const;

/** Notes about an incident that lasts go to everybody, and to every third party. */
const aboutIncident = {
  about: 'existing',
  roles: technical,
  texts,
  input: bothLanguages,
  page: { ...announcements, things: 'incidents' },
  prepare: readBankTime,
} as const;

const tellOf =
  (status: 'updated' | 'closed', write: typeof incidentRecords.updateIncident) =>
  async (tx: Queries, { id, input, now, prepared: at }: Call<typeof bothLanguages, BankTime>) => {
    demandTexts(input);
    const from = await write(tx, id, input, now);
    if (from === undefined) throw new Gone(`there is no incident ${id} that lasts`);
    const to = status === 'closed' ? now : null;
    await announce(tx, { kind: 'incident', status, at }, { ...input, subjectId: id, from, to });
  };

export const updateIncident = act({
  ...aboutIncident,
  name: 'incident.update',
  command: {
    help: 'say more about an incident',
    id: incidentId,
    example: 'INCIDENT_ID --el "Βρέθηκε η αιτία" --en "The cause is found"',
    says: 'Incident {id} has a new note.',
  },
  run: tellOf('updated', incidentRecords.updateIncident),
});

export const closeIncident = act({
  ...aboutIncident,
  name: 'incident.close',
  command: {
    help: 'say that an incident is over',
    id: incidentId,
    example: 'INCIDENT_ID --el "Αποκαταστάθηκε" --en "Solved"',
    says: 'Incident {id} is over.',
  },
  run: tellOf('closed', incidentRecords.closeIncident),
});

export const incidents = list({
  name: 'incident.list',
  command: {
    help: 'list incidents of the last 90 days',
    empty: 'There was no incident in the last 90 days.',
  },
  rows: ({ db, clock }) => incidentRecords.incidentsAfter(db, clock.now() - SHOWN),
  line: ({ id, startedAt, endedAt, notes }) => ({
    ...{ id, from: instantText(startedAt), to: endedAt === null ? '' : instantText(endedAt) },
    text: notes.at(-1)?.textEn,
  }),
  facts: (incident) => incident,
});

const figures = { path: '/statistics', things: 'statistics', isAlone: true } as const;

/** Freezes a quarter that is over. Its hash. */
export const publishStatistics = act({
  name: 'statistics.publish',
  about: 'existing',
  kind: 'quarter',
  roles: ['compliance'],
  texts,
  input: {},
  page: { ...figures, done: 'quarterPublished' },
  needsTwo: () => true,
  async prepare({ db, clock, config: { timeZone } }, { id: quarter }) {
    const last = datesOf(quarter)?.at(-1);
    if (last === undefined) throw new Gone(`"${quarter}" is not a quarter such as 2026Q4`);
    if (endOfDay(last, timeZone) > clock.now())
      throw new Refusal(texts, 'not-over', { values: { quarter, last } });
    const read = await readQuarter(db, quarter, clock.now(), timeZone);
    if (!read || read.published) throw new Refusal(texts, 'published', { values: { quarter } });
    if (read.days.every(({ uptimePercent }) => uptimePercent === null)) throw new Refusal(texts, 'unknown');
    return read;
  },
  async run(tx, { id: quarter, now, prepared }) {
    if (!(await publishQuarter(tx, prepared, now)))
      throw new Refusal(texts, 'published', { values: { quarter } });
    const { sha256 = '' } = (await publishedText(tx, quarter)) ?? {};
    return sha256;
  },
  facts: (sha256) => ({ sha256 }),
});

/** All lines of a CSV file, or none. How many. */
export const importStatistics = act({
  name: 'statistics.import',
  about: 'new',
  roles: ['compliance'],
  texts,
  input: {
    file: upload<ReadChannels>({ reader: 'channels', bytes: LARGEST_FILE, accept: '.csv,text/csv' }),
  },
  page: { ...figures, done: 'imported' },
  async run(tx, { input: { file } }) {
    if ('faults' in file) throw new Refusal(texts, 'channels', { field: 'file', faults: file.faults });
    for (const quarter of new Set(file.days.map(({ day }) => quarterOf(day))))
      if (await publishedText(tx, quarter))
        throw new Refusal(texts, 'frozen', { field: 'file', values: { quarter } });
    await putChannelDays(tx, file.days);
    return file.days.length;
  },
  subject: () => 'channels',
  facts: (days) => ({ days }),
});
