/** What is not an operation: the pages for developers and account holders, and the authorization server. */
import { createKeysPage } from '../events/keys-page.js';
import { openApiDocument } from '../http/openapi.js';
import type { Operation } from '../http/operation.js';
import { createPageServer } from '../http/pages.js';
import type { Mount } from '../http/router.js';
import { type AuthorizationParts, createAuthorizationServer } from '../oauth/authorization-server.js';
import { errorFields } from '../observe/log.js';
import { demoApplications } from '../sandbox/applications.js';
import { firstCall } from '../sandbox/first-call.js';
import { version } from '../version.js';
import { createApprovalPages } from '../web/approve/index.js';
import { frameOf } from '../web/frame.js';
import { createPages } from '../web/index.js';
import { languageOf } from '../web/login/language.js';
import { loginFailurePage } from '../web/login/login-failure-page.js';
import { createLoginPages } from '../web/login/login-pages.js';
import { createOpenIdPages, LOGIN_START } from '../web/login/openid-pages.js';
import type { AccessRooms } from './access.js';
import type { Foundation } from './foundation.js';
import type { Closers } from './options.js';

export const openMounts = async (
  base: Foundation,
  access: AccessRooms,
  operations: readonly Operation[],
  closers: Closers,
): Promise<readonly Mount[]> => {
  const { config, site, isSandbox, observer, accountHolders, openId, log } = base;
  const loginStart = openId ? LOGIN_START : undefined;
  const frame = () => frameOf(site.baseUrl, version, isSandbox, loginStart);
  const developerPages = createPages({
    operations,
    openApi: () => openApiDocument(operations, { version, serverUrl: site.baseUrl }),
    site,
    isSandbox,
    version,
    firstCall: () => (isSandbox ? firstCall(site.baseUrl, demoApplications) : undefined),
  });
  const { timeZone, maxConsentDays, grantDays } = config;
  const report = (error: unknown): void => log.error(errorFields(error), 'approval page');
  const approvalPages = accountHolders
    ? createApprovalPages({ ...base, ...access, accountHolders, frame, timeZone, maxConsentDays, report })
    : [];
  // With an identity provider of the bank's own, these paths do not exist.
  const failurePage: AuthorizationParts['failurePage'] = (request, reason) =>
    loginFailurePage({ frame: frame(), lang: languageOf(request), reason }).body;
  const authorization =
    accountHolders && !config.issuer
      ? createAuthorizationServer({ ...base, ...access, grantDays, failurePage })
      : undefined;
  const loginPages =
    accountHolders && authorization
      ? createLoginPages({ ...base, ...access, ...authorization, accountHolders, frame })
      : [];
  const openIdPages = openId ? createOpenIdPages({ ...base, ...access, openId, frame, report }) : [];
  const all = [
    ...developerPages,
    ...approvalPages,
    ...loginPages,
    ...openIdPages,
    ...(authorization?.pages ?? []),
    createKeysPage(async () => (await access.webhookKeys.all()).map(({ publicJwk }) => publicJwk)),
  ];
  const pages = closers.add(await createPageServer(all, { site, observer }), (each) => each.close());
  return authorization ? [pages, authorization.mount] : [pages];
};
