/** What a sandbox adds to the pages of its developers: a first call that works, a page to come back to, certificates. */
import type { Queries } from 'trapeza/base';
import { pemOf } from 'trapeza/certificates';
import type { DeveloperPortal } from 'trapeza/extend';
import { returnAddress } from './applications.js';
import { keyPem, newKeyPair } from './authority/authority.js';
import { firstCallOf } from './first-call.js';
import { findApplication } from './own-applications.js';
import type { SandboxAuthority } from './pki/sandbox-authority.js';

export interface PortalHelpParts {
  readonly db: Queries;
  readonly site: { readonly baseUrl: string };
  readonly authority: SandboxAuthority;
}

export const portalHelp = ({
  db,
  site,
  authority,
}: PortalHelpParts): Required<Pick<DeveloperPortal, 'firstCall' | 'returnAddress' | 'issueCertificate'>> => ({
  firstCall: ({ clientId, key }) => firstCallOf(site.baseUrl, key, { application: clientId }),
  returnAddress: (clientId) => returnAddress(site.baseUrl, clientId),
  async issueCertificate(clientId, use) {
    const application = await findApplication(db, clientId);
    const { publicKey, privateKey } = await newKeyPair('ec');
    const { der } = await authority.issue({ application, use, roles: application.roles, publicKey });
    return { certificate: pemOf(der), privateKey: keyPem(privateKey) };
  },
});
