/** Serves a file that pages refer to. */
import { everybody } from '../../http/audience.js';
import type { Page } from '../../http/pages.js';
import type { Asset } from './index.js';

const FOREVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

export const assetPage = ({ path, type, body }: Asset): Page => ({
  method: 'GET',
  path,
  audience: everybody,
  render: () => ({ status: 200, type, body, headers: FOREVER }),
});
