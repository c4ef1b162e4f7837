/** The public keys that notifications are verified with, for everybody. */
import { everybody } from '../http/audience.js';
import type { Page } from '../http/pages.js';

export const KEYS_PATH = '/events/psd2/v1/keys';

/** A new key is published longer before its first use than a copy of this answer lasts. */
const FIVE_MINUTES = { 'Cache-Control': 'public, max-age=300' };

export const createKeysPage = (publicKeys: () => Promise<readonly object[]>): Page => ({
  method: 'GET',
  path: KEYS_PATH,
  audience: everybody,
  render: async () => ({
    status: 200,
    type: 'application/json',
    body: JSON.stringify({ keys: await publicKeys() }),
    headers: FIVE_MINUTES,
  }),
});
