/** The demo third parties. Their keys and secrets are public, fixed, and refused outside the sandbox. */

import { type ClientId, derivedId, type Role, sha256 } from 'trapeza/base';
import { normalTarget, targetFault } from 'trapeza/extend';

export interface DemoApplication {
  readonly tppName: string;
  readonly registration: string;
  readonly name: string;
  readonly clientId: ClientId;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly subscriptionKey: string;
  readonly secondaryKey: string;
  readonly roles: readonly Role[];
}

const application = (
  id: string,
  name: string,
  tppName: string,
  registration: string,
  roles: readonly Role[],
): DemoApplication => ({
  tppName,
  registration,
  name,
  clientId: id,
  clientSecret: `demo-secret-${sha256(`secret:${id}`).slice(0, 24)}`,
  redirectUri: `https://${id}.example/callback`,
  subscriptionKey: `demo-key-${derivedId(`key:${id}:primary`)}`,
  secondaryKey: `demo-key-${derivedId(`key:${id}:secondary`)}`,
  roles,
});

export const everyRole: readonly Role[] = ['PSP_IC', 'PSP_AI', 'PSP_PI'];

export const demoApplications: readonly DemoApplication[] = [
  application('demo-finance-app', 'Finance App', 'Agora Finance', 'PSDGR-BOG-DEMO0001', everyRole),
  application('demo-budget-app', 'Budget App', 'Zefyros Money', 'PSDGR-BOG-DEMO0002', everyRole),
  application('demo-card-app', 'Card App', 'Kyma Cards', 'PSDGR-BOG-DEMO0003', ['PSP_IC']),
  application('demo-accounts-app', 'Accounts App', 'Ostria Insight', 'PSDGR-BOG-DEMO0004', ['PSP_AI']),
  application('demo-walkthrough', 'Walkthrough', 'Pharos Demo', 'PSDGR-BOG-DEMO0005', everyRole),
];

/** The application of the pages under `/sandbox/tpp`. It lives on this very service, so its addresses follow the service's. */
export const WALKTHROUGH = 'demo-walkthrough';

export const walkthroughAddresses = (baseUrl: string): { redirectUri: string; webhookUrl: string } => {
  const place = `${baseUrl.replace(/\/+$/, '')}/sandbox/tpp`;
  return { redirectUri: `${place}/callback`, webhookUrl: normalTarget(`${place}/webhook`) };
};

/** Whether the bank would send notifications to an address such as this: not over plain http to another machine. */
export const hasWebhookAt = (baseUrl: string): boolean =>
  targetFault(walkthroughAddresses(baseUrl).webhookUrl, true) === undefined;

/** The others have no site: their people come back to a page of the sandbox, below this path. */
export const RETURN = '/sandbox/return';

export const returnAddress = (baseUrl: string, clientId: ClientId): string =>
  `${baseUrl.replace(/\/+$/, '')}${RETURN}/${clientId}`;

/** The demo applications with the addresses that they have while the service is at this one. */
export const applicationsAt = (baseUrl: string): readonly DemoApplication[] =>
  demoApplications.map((each) => ({
    ...each,
    redirectUri:
      each.clientId === WALKTHROUGH
        ? walkthroughAddresses(baseUrl).redirectUri
        : returnAddress(baseUrl, each.clientId),
  }));
