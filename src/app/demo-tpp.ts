/** The demo third party: the sandbox plays it, and its pages show it. */
import { createDemoTpp } from '../sandbox/tpp/index.js';
import { createDemoTppPages } from '../web/demo-tpp/index.js';
import type { Frame } from '../web/frame.js';
import type { AccessRooms } from './access.js';
import type { Foundation } from './foundation.js';

/** `hasPage` is asked when all pages are known. */
export const openDemoTpp = (
  base: Foundation,
  { addressOf }: AccessRooms,
  frame: () => Frame,
  hasPage: (path: string) => boolean,
) => {
  const thirdParty = createDemoTpp({ ...base, hasDashboard: () => hasPage('/dashboard') });
  return {
    pages: createDemoTppPages({ frame, site: base.site, thirdParty, addressOf }),
    mount: thirdParty.mount,
  };
};
