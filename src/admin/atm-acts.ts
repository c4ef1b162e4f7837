/** Acts about the published ATM list. Its schema is loaded by those who publish, not by every command. */
import type { PublishOutcome } from '../atms/publication.js';
import type { PublishableList } from '../atms/publishable.js';
import { RegistryError } from '../tpp/registry.js';
import type { ActParts } from './acts.js';
import { RegisterActs } from './register-acts.js';

export class AtmActs extends RegisterActs {
  readonly #parts: ActParts;

  constructor(parts: ActParts) {
    super(parts);
    this.#parts = parts;
  }

  /** Keeps the text of a list for a preview and publishes nothing. Returns its id. */
  async draftAtms(feed: string, country: string | undefined, by: string): Promise<string> {
    const { db, clock } = this.#parts;
    const { saveDraft } = await import('../atms/drafts.js');
    return db.transaction((tx) => saveDraft(tx, { feed, country, by }, clock.now()));
  }

  async atmDraft(id: string) {
    const { db, clock } = this.#parts;
    const { findDraft } = await import('../atms/drafts.js');
    return findDraft(db, id, clock.now());
  }

  /** With `basis`, the ETag of the list that it is to replace, only that one is replaced. */
  async publishAtms(list: PublishableList, basis?: string): Promise<PublishOutcome> {
    const { db, clock } = this.#parts;
    const { currentAtms, publishListIn } = await import('../atms/publication.js');
    return db.exclusive(async (tx) => {
      if (basis !== undefined && ((await currentAtms(tx))?.etag ?? '') !== basis)
        throw new RegistryError('another list was published meanwhile');
      const outcome = await publishListIn(tx, list, clock.now());
      const { changed, count, etag } = outcome;
      await this.record(tx, ['atms.publish', { changed, count, etag }], 'atms', clock.now());
      return outcome;
    });
  }
}
