/** The third parties of the sandbox: the one that it plays, and the page that people come back to from the others. */
import { type Page, replyOf } from '../http/pages.js';
import { applicationsAt, RETURN, WALKTHROUGH } from '../sandbox/applications.js';
import type { ControlParts } from '../sandbox/controls.js';
import { codeExchange, findReturned, nextCall } from '../sandbox/first-call.js';
import { createDemoTpp } from '../sandbox/tpp/index.js';
import { version } from '../version.js';
import { createDemoTppPages } from '../web/demo-tpp/index.js';
import { createReturnPage } from '../web/demo-tpp/return-page.js';
import { type Frame, frameOf } from '../web/frame.js';
import { credentialsPage } from '../web/home/credentials-page.js';
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

export const openReturnPage = ({ db, bankTime, site }: Foundation, frame: () => Frame): Page =>
  createReturnPage(
    {
      frame,
      applicationOf: (clientId) => {
        const { baseUrl } = site;
        const application = applicationsAt(baseUrl).find((each) => each.clientId === clientId);
        if (!application || clientId === WALKTHROUGH) return undefined;
        return {
          name: application.name,
          consent: async (id) => {
            const found = await findReturned(db, clientId, id, await bankTime());
            return found && { status: found.status, nextCall: nextCall(baseUrl, application, found) };
          },
          codeExchange: (code) => codeExchange(baseUrl, application, code),
        };
      },
    },
    RETURN,
  );

/** Without the demo people it is the sandbox in front of a bank of its own. */
export const openCredentialsPage =
  (site: Foundation['site']): ControlParts['credentialsPage'] =>
  (credentials) => {
    const environment = { isSandbox: true, isTestBank: credentials.psus.length > 0 };
    return replyOf(credentialsPage(frameOf(site.baseUrl, version, environment), credentials));
  };
