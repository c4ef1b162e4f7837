/** Publishing the list of ATMs. Its schema is loaded by those who publish, not by every command. */
import { act } from '../acts/act.js';
import { given, optional } from '../acts/field.js';
import { Gone } from '../acts/refusal.js';
import type { PublishableList } from './publishable.js';
import { texts } from './texts.js';

export const publishAtms = act({
  name: 'atms.publish',
  about: 'new',
  within: 'exclusive',
  roles: ['compliance'],
  texts,
  input: {
    list: given<PublishableList>(),
    /** The ETag of the list that it is to replace: only that one is replaced. */
    basis: optional(given<string>()),
  },
  async run(tx, { input: { list, basis }, now }) {
    const { currentAtms, publishListIn } = await import('./publication.js');
    if (basis !== undefined && ((await currentAtms(tx))?.etag ?? '') !== basis)
      throw new Gone('another list was published meanwhile');
    return publishListIn(tx, list, now);
  },
  subject: () => 'atms',
  facts: ({ changed, count, etag }) => ({ changed, count, etag }),
});
