/** The third parties of the sandbox: the one that it plays, and the page that people come back to from the others. */

import type { Mount } from 'trapeza/base';
import type { PageParts } from 'trapeza/extend';
import type { Page } from 'trapeza/pages';
import { applicationsAt, RETURN, WALKTHROUGH } from './applications.js';
import type { DemoPsu } from './bank/people.js';
import { codeExchange, findReturned, nextCall } from './first-call.js';
import { returningApplication } from './own-applications.js';
import { createDemoTppPages } from './pages/tpp/index.js';
import { createReturnPage } from './pages/tpp/return-page.js';
import { createDemoTpp } from './tpp/index.js';

export const openDemoTpp = (
  parts: PageParts,
  people: () => readonly DemoPsu[],
): { readonly pages: readonly Page[]; readonly mount: Mount } => {
  const { frame, site, addressOf, hasPage } = parts;
  const thirdParty = createDemoTpp({ ...parts, people, hasDashboard: () => hasPage('/dashboard') });
  return {
    pages: createDemoTppPages({ frame, site, thirdParty, addressOf }),
    mount: thirdParty.mount,
  };
};

export const openReturnPage = (
  { db, bankTime, site, frame }: PageParts,
  people: () => Promise<readonly DemoPsu[]>,
): Page =>
  createReturnPage(
    {
      frame,
      applicationOf: async (clientId) => {
        const { baseUrl } = site;
        const application =
          applicationsAt(baseUrl).find((each) => each.clientId === clientId) ??
          (await returningApplication(db, clientId));
        if (!application || clientId === WALKTHROUGH) return undefined;
        return {
          name: application.name,
          consent: async (id) => {
            const found = await findReturned(db, clientId, id, await bankTime());
            if (!found) return undefined;
            return {
              status: found.status,
              nextCall: nextCall(baseUrl, application, found, await people()),
            };
          },
          codeExchange: (code) => codeExchange(baseUrl, application, code),
        };
      },
    },
    RETURN,
  );
