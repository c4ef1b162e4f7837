/** What operators announce: planned downtimes and incidents. Everybody reads it on the status page, every third party gets it as an event. */
import { type NewAnnouncement, writeAnnouncement } from '../events/announcement.js';
import { DAY } from '../lib/clock.js';
import { instantText } from '../lib/instant.js';
import {
  closeIncident,
  incidentsAfter,
  openIncident,
  type Texts,
  updateIncident,
} from '../statistics/incidents.js';
import { announceDowntime, cancelDowntime, type NewDowntime, plannedAfter } from '../statistics/planned.js';
import type { Queries } from '../store/db.js';
import type { ActParts } from './acts.js';
import { StatisticsActs, StatisticsRefusal } from './statistics-acts.js';

const LONGEST_TEXT = 500;
const LONGEST = 30 * DAY;
const LATEST = 2 * 365 * DAY;
const OLDEST_BEGINNING = 7 * DAY;
const SHOWN = 90 * DAY;

const refuse = (...fault: ConstructorParameters<typeof StatisticsRefusal>): never => {
  throw new StatisticsRefusal(...fault);
};

const demandTexts = ({ textEl, textEn }: Texts): void => {
  if (textEl.trim() === '' || textEn.trim() === '')
    refuse('texts', 'it needs a text in Greek and one in English');
  if (textEl.length > LONGEST_TEXT || textEn.length > LONGEST_TEXT)
    refuse('text-length', `a text may have ${LONGEST_TEXT} characters`);
};

const demandDowntime = (downtime: NewDowntime, now: number): void => {
  const { from, to } = downtime;
  if (from >= to) refuse('order', 'it ends before it begins');
  if (to - from > LONGEST) refuse('length', 'it takes longer than 30 days');
  if (from <= now)
    refuse('past', 'it begins in the past: only what is announced before it begins is planned');
  if (from - now > LATEST) refuse('future', 'it begins more than two years from now');
  demandTexts(downtime);
};

const demandIncident = (texts: Texts, from: number, now: number): void => {
  if (from > now || from < now - OLDEST_BEGINNING)
    refuse('incident-start', 'an incident began at most seven days ago, and not in the future');
  demandTexts(texts);
};

export class AnnouncementActs extends StatisticsActs {
  readonly #parts: ActParts;

  constructor(parts: ActParts) {
    super(parts);
    this.#parts = parts;
  }

  /** Those that are not over. */
  plannedDowntimes() {
    return plannedAfter(this.db, this.#parts.clock.now());
  }

  /** Those of the last 90 days. */
  incidents() {
    return incidentsAfter(this.db, this.#parts.clock.now() - SHOWN);
  }

  /** The id of the planned downtime. */
  async announceDowntime(downtime: NewDowntime): Promise<string> {
    demandDowntime(downtime, this.#parts.clock.now());
    const details = { from: instantText(downtime.from), to: instantText(downtime.to) };
    const announce = await this.#announcer({ kind: 'downtime', status: 'announced' });
    return this.make(
      ['downtime.announce', details],
      async (tx, now) => {
        const id = await announceDowntime(tx, downtime, now);
        await announce(tx, { ...downtime, subjectId: id });
        return id;
      },
      (id) => `downtime:${id}`,
    );
  }

  async cancelDowntime(id: string): Promise<void> {
    const announce = await this.#announcer({ kind: 'downtime', status: 'cancelled' });
    await this.change('downtime.cancel', `downtime:${id}`, async (tx, now) => {
      const planned = await cancelDowntime(tx, id, now);
      if (!planned) throw new StatisticsRefusal('gone', `there is no planned downtime ${id} that is to come`);
      await announce(tx, { ...planned, subjectId: id });
    });
  }

  /** `from`: when it began, if that was before now. The id of the incident. */
  async openIncident(texts: Texts, from = this.#parts.clock.now()): Promise<string> {
    demandIncident(texts, from, this.#parts.clock.now());
    const announce = await this.#announcer({ kind: 'incident', status: 'opened' });
    return this.make(
      'incident.open',
      async (tx, now) => {
        const id = await openIncident(tx, from, texts, now);
        await announce(tx, { ...texts, subjectId: id, from, to: null });
        return id;
      },
      (id) => `incident:${id}`,
    );
  }

  updateIncident(id: string, texts: Texts): Promise<void> {
    return this.#changeIncident(id, texts, 'updated');
  }

  closeIncident(id: string, texts: Texts): Promise<void> {
    return this.#changeIncident(id, texts, 'closed');
  }

  async #changeIncident(id: string, texts: Texts, status: 'updated' | 'closed'): Promise<void> {
    demandTexts(texts);
    const isOver = status === 'closed';
    const write = isOver ? closeIncident : updateIncident;
    const announce = await this.#announcer({ kind: 'incident', status });
    await this.change(isOver ? 'incident.close' : 'incident.update', `incident:${id}`, async (tx, now) => {
      const from = await write(tx, id, texts, now);
      if (from === undefined) throw new StatisticsRefusal('gone', `there is no incident ${id} that lasts`);
      await announce(tx, { ...texts, subjectId: id, from, to: isOver ? now : null });
    });
  }

  /** Reads the bank's time before the transaction begins. */
  async #announcer(about: Pick<NewAnnouncement, 'kind' | 'status'>) {
    const at = await this.#parts.bankTime();
    return (tx: Queries, given: Pick<NewAnnouncement, 'subjectId' | 'from' | 'to' | 'textEl' | 'textEn'>) => {
      const { subjectId, from, to, textEl, textEn } = given;
      return writeAnnouncement(tx, { ...about, subjectId, from, to, textEl, textEn, at });
    };
  }
}
