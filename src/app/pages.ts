/** What is not an operation: the pages for developers and account holders, and the authorization server. */

import { OneTimeCodes } from '../account-pages/approve/codes/one-time-codes.js';
import { type ApprovalParts, createApprovalPages } from '../account-pages/approve/index.js';
import { createBankPages } from '../account-pages/bank-pages.js';
import { createDashboardPages } from '../account-pages/dashboard/index.js';
import { tooManyPage } from '../account-pages/login/guard/too-many-page.js';
import { loginFailurePage } from '../account-pages/login/login-failure-page.js';
import { createLoginPages } from '../account-pages/login/login-pages.js';
import { createConfirmedPage, createOpenIdPages, LOGIN_START } from '../account-pages/login/openid-pages.js';
import { Admin } from '../admin/admin.js';
import { createConsentRequests } from '../api/consents/requested-consents.js';
import { eventWebhook } from '../api/events/webhook.js';
import { createKeysPage } from '../events/keys-page.js';
import type { Mount } from '../http/exchange.js';
import { openApiDocument } from '../http/openapi.js';
import type { Operation } from '../http/operation.js';
import { createPageServer, type Page, type PageReport } from '../http/pages.js';
import { type AuthorizationParts, createAuthorizationServer } from '../oauth/authorization-server.js';
import { errorFields, levelOf } from '../observe/log.js';
import { createDeveloperPages } from '../portal/developer/index.js';
import { createPages } from '../portal/index.js';
import { createWrongTurns } from '../portal/problems/wrong-turn.js';
import { version } from '../version.js';
import { type Frame, frameOf, type PageAdditions } from '../web/frame.js';
import { hintsOf, pageLanguageOf } from '../web/language.js';
import { type AccessRooms, registrationOf } from './access.js';
import { testSender } from './deliveries.js';
import type { Foundation } from './foundation.js';
import type { Made } from './operations.js';
import type { Closers } from './options.js';

/** What the authorization server says to browsers. */
const answersOf = (frame: () => Frame): Pick<AuthorizationParts, 'failurePage' | 'tooManyPage'> => ({
  failurePage: (request, reason) =>
    loginFailurePage({ frame: frame(), lang: pageLanguageOf(hintsOf(request), frame()), reason }).body,
  tooManyPage: (request, wait) =>
    tooManyPage({ frame: frame(), lang: pageLanguageOf(hintsOf(request), frame()), wait }),
});

const wrongTurns = (frame: () => Frame, operations: readonly Operation[], pages: readonly Page[]) => {
  const pagePaths = pages.filter(({ method }) => method === 'GET').map(({ path }) => path);
  return createWrongTurns({ frame, operations, pagePaths });
};

const portalPages = (base: Foundation, access: AccessRooms, frame: () => Frame): readonly Page[] => {
  const portal = base.extensions.find((each) => each.portal)?.portal;
  if (!portal) return [];
  const admin = new Admin(base);
  return createDeveloperPages({ ...base, portal, frame, admin, sendTest: testSender(base, access) });
};

const describe = ({ config, site }: Foundation, operations: readonly Operation[]): object =>
  openApiDocument(operations, {
    version,
    serverUrl: site.baseUrl,
    issuer: config.issuer,
    webhooks: [eventWebhook],
    timeZone: config.timeZone,
  });

const reporting =
  (log: Foundation['log']): PageReport =>
  (error, request) =>
    log[levelOf(error)]({ ...errorFields(error), requestId: request?.requestId }, 'page for account holders');

/** Of its deadline, a page waits so much for what it can be shown without. */
const PATIENCE = 0.2;

export const openMounts = async (
  base: Foundation,
  access: AccessRooms,
  { operations, service, feed, books }: Made,
  closers: Closers,
): Promise<readonly Mount[]> => {
  const { config, site, accountHolders, openId, log, extensions, dress: brand } = base;
  const additions = (): PageAdditions | undefined => extensions.find((each) => each.additions)?.additions?.();
  const frame = () =>
    frameOf(site.baseUrl, version, additions(), { brand, loginStart: openId ? LOGIN_START : undefined });
  const { timeZone, maxConsentDays, unattendedPerDay, grantDays, regime, lowBalance } = config;
  const developerPages = createPages({
    operations,
    openApi: () => describe(base, operations),
    site,
    atms: () => feed.current(),
    ...{ timeZone, statistics: base },
    additions,
    hasPage: (path) => hasPage(path),
    bankName: (lang) => base.brand?.name(lang) ?? 'Trapeza',
    version,
  });
  const report = reporting(log);
  const requests = createConsentRequests({ ...base, timeZone, maxConsentDays, unattendedPerDay });
  // With an identity provider of the bank's own, these paths do not exist.
  const authorization =
    accountHolders && !config.issuer
      ? createAuthorizationServer({
          ...base,
          ...access,
          ...answersOf(frame),
          grantDays,
          fapi2Only: config.fapi2Only === 'on',
          registers: registrationOf(base) !== 'off',
          requests,
        })
      : undefined;
  const waiting: ApprovalParts['waiting'] = async (hash) => authorization?.waiting(hash);
  const shared = { ...base, ...access, frame, report, requests, patienceMs: config.deadlineMs * PATIENCE };
  const journeys = accountHolders
    ? { ...shared, accountHolders, timeZone, codes: new OneTimeCodes({ ...shared, accountHolders }) }
    : undefined;
  const approvalPages = journeys
    ? createApprovalPages({ ...journeys, regime, lowBalance, maxConsentDays, waiting })
    : [];
  const dashboardPages = journeys ? createDashboardPages({ ...journeys, books }) : [];
  const loginPages =
    accountHolders && authorization ? createLoginPages({ ...shared, ...authorization, accountHolders }) : [];
  const openIdPages = openId ? createOpenIdPages({ ...base, ...access, openId, frame, report }) : [];
  const hasPage = (path: string): boolean => all.some((page) => page.path === path);
  const added = extensions.flatMap((each) => each.pages?.({ ...service, frame, hasPage }) ?? []);
  const all: readonly Page[] = [
    ...developerPages,
    ...createBankPages(frame),
    ...approvalPages,
    ...dashboardPages,
    ...loginPages,
    ...openIdPages,
    ...(journeys ? [createConfirmedPage({ site: base.site, frame })] : []),
    ...portalPages(base, access, frame),
    ...(authorization?.pages ?? []),
    ...added.flatMap((each) => each.pages),
    createKeysPage(async () => (await access.webhookKeys.all()).map(({ publicJwk }) => publicJwk)),
  ];
  site.problemPage = wrongTurns(frame, operations, all);
  const pages = closers.add(await createPageServer(all, site), (each) => each.close());
  return [pages, ...(authorization ? [authorization.mount] : []), ...added.flatMap((each) => each.mounts)];
};
