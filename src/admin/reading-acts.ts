/**
 * People of the bank look at account holders. Opening one is an act with a reason; what is read after that is noted once in a while, so
 * that the audit log says who saw whom, when and why, and does not fill with every click.
 */
import { SYSTEM } from '../acts/role.js';
import { latestOpening } from '../audit/openings.js';
import { MINUTE, type RealTime } from '../lib/clock.js';
import type { ConsentId, PsuId } from '../model/ids.js';
import { type ActParts, Acts } from './act-methods.js';
import { ownerOf } from './consents.js';

/** For so long a reason counts, within one session. */
const OPEN_MS = 30 * MINUTE;

export type ReadAct = 'consent.open' | 'consent.list' | 'payment.list' | 'search.found';

export class ReadingActs extends Acts {
  readonly #parts: ActParts;

  constructor(parts: ActParts) {
    super(parts);
    this.#parts = parts;
  }

  ownerOf(id: ConsentId): Promise<PsuId | undefined> {
    return ownerOf(this.db, id);
  }

  openPerson(psuId: PsuId): Promise<void> {
    return this.change('person.open', `person:${psuId}`, async () => undefined);
  }

  /** Why this actor has opened the person in this session; undefined if that is too long ago. */
  async reasonFor(psuId: PsuId, session: RealTime): Promise<string | undefined> {
    const opening = { actor: this.#actor, act: 'person.open', subject: `person:${psuId}` } as const;
    const found = await latestOpening(this.db, opening, Math.max(session, this.#lately));
    return found?.reason ?? undefined;
  }

  /** A row, unless there is one of the last half hour with this reason. */
  async noteRead(act: ReadAct, subject: string): Promise<void> {
    const opening = { actor: this.#actor, act, subject };
    const latest = await latestOpening(this.db, opening, this.#lately);
    if (latest && latest.reason === (this.reason || null)) return;
    await this.change(act, subject, async () => undefined);
  }

  /** Everything about a person leaves the store. */
  noteExport(psuId: PsuId): Promise<void> {
    return this.change('psu.export', `person:${psuId}`, async () => undefined);
  }

  get #actor(): string {
    return (this.#parts.by ?? SYSTEM).actor;
  }

  get #lately(): RealTime {
    return this.#parts.clock.now() - OPEN_MS;
  }
}
