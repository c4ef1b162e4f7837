/** The operations of the interface with those of extensions, and the jobs that run beside them. */

import { Admin } from '../admin/admin.js';
import { createApi, createOrderApi } from '../api/index.js';
import { FundsRecords } from '../api/piis/funds-records.js';
import { createRegistrationApi } from '../api/registration/operations.js';
import { AtmFeed } from '../atms/feed.js';
import type { Actor } from '../audit/audit-log.js';
import { DataAccesses } from '../consent/data-accesses.js';
import { accessKinds } from '../consent/uses.js';
import { sweepGrants } from '../gate/limits/quota-grants.js';
import type { ReplayParts } from '../gate/request-ids.js';
import type { Operation } from '../http/operation.js';
import { tellAuditHead } from '../jobs/audit-head.js';
import { createCertificateMetrics, warnOfCertificates } from '../jobs/certificate-expiry.js';
import { expireConsents } from '../jobs/expire-consents.js';
import { type Job, type Jobs, startJobs } from '../jobs/jobs.js';
import { createJobMetrics } from '../jobs/metrics.js';
import { type RefreshParts, refreshTrustLists } from '../jobs/refresh-trust-lists.js';
import { type ReportParts, reportConsents } from '../jobs/report-consents.js';
import { resumeParties } from '../jobs/resume-parties.js';
import { retention } from '../jobs/retention.js';
import { tellEnds } from '../jobs/tell-ends.js';
import { withdrawRegistrations } from '../jobs/withdraw-registrations.js';
import { DAY, MINUTE } from '../lib/clock.js';
import type { TlsFiles } from '../lib/net/tls-files.js';
import { issueToken } from '../oauth/access-token.js';
import { oauthOverdueMs, sweepOauth } from '../oauth/records.js';
import { createCounter } from '../observe/counter.js';
import type { OrderBooks } from '../payment/order-books.js';
import { SESSION_MS } from '../psu/sessions.js';
import { removeNotesBefore } from '../statistics/notes.js';
import { resumeOverdue } from '../tpp/overdue-suspensions.js';
import { type AccessRooms, registrationOf } from './access.js';
import { openDeliverer } from './deliveries.js';
import type { ExtensionParts } from './extension.js';
import type { Foundation } from './foundation.js';
import type { Closers } from './options.js';
import type { Orders } from './orders.js';
import { createOwnCertificateMetrics } from './own-certificates.js';

export interface Made {
  readonly operations: readonly Operation[];
  readonly service: ExtensionParts;
  readonly feed: AtmFeed;
  /** Undefined if the bank carries out no payments. */
  readonly books: OrderBooks | undefined;
}

const registrationApi = (
  base: Foundation,
  { clientCertificates }: AccessRooms,
  replay: ReplayParts,
): readonly Operation[] => {
  const registration = registrationOf(base);
  if (registration === 'off') return [];
  const { config, clock, site } = base;
  return createRegistrationApi({
    ...replay,
    audit: base.audit,
    clock,
    site,
    registration,
    fapi2Only: config.fapi2Only === 'on',
    hasClientCertificates: clientCertificates.isAsked,
  });
};

export const createOperations = (
  base: Foundation,
  access: AccessRooms,
  orders: Orders | undefined,
  closers: Closers,
): Made => {
  const { config, clock, db, vault, metrics, site, bank, bankTime, extensions } = base;
  const { keys, realm, requestIds } = access;
  const feed = closers.add(new AtmFeed(db, clock), (each) => each.close());
  const answers = {
    true: metrics.fundsAnswers.labels({ available: 'true' }),
    false: metrics.fundsAnswers.labels({ available: 'false' }),
  };
  const dataReads = createCounter(metrics.registry, {
    name: 'trapeza_account_reads_total',
    help: 'Reads of account data by kind, and whether the account holder was said to be present',
    labels: { kind: accessKinds, attended: ['true', 'false'] },
  });
  const { books } = orders ?? {};
  const beforeEffect = async (): Promise<void> => {
    for (const extension of extensions) await extension.beforeEffect?.();
  };
  const replay = { db, requestIds, ...(extensions.length > 0 ? { beforeEffect } : {}) };
  const orderApi = books ? createOrderApi({ ...replay, bank, books, bankTime, site }) : [];
  const consents = createApi({
    ...replay,
    bank,
    vault,
    feed,
    clock,
    site,
    bankTime,
    regime: config.regime,
    timeZone: config.timeZone,
    maxConsentDays: config.maxConsentDays,
    unattendedPerDay: config.unattendedPerDay,
    isTest: base.isTest,
    reach: base.reach,
    records: new FundsRecords(db, requestIds, base.notes),
    accesses: new DataAccesses(db),
    onRead: (read, psuAddress) => {
      dataReads.inc({ kind: read.kind, attended: String(read.isAttended) });
      if (psuAddress) base.detection.attended(read, read.consentId, psuAddress);
    },
    onAnswer: (answer) => {
      answers[answer.available ? 'true' : 'false'].inc();
      base.detection.answered(answer);
    },
  });
  const service: ExtensionParts = {
    ...base,
    ...access,
    issueToken: (claims) => issueToken(keys, realm(), claims, clock),
    refreshAtms: async () => void (await feed.refresh()),
  };
  const operations = extensions.reduce<readonly Operation[]>(
    (api, extension) => extension.operations?.(service, api) ?? api,
    [...consents, ...orderApi, ...registrationApi(base, access, replay)],
  );
  return { operations, service, feed, books };
};

const sweepCodes = async (rooms: AccessRooms): Promise<number> => {
  const { codesTried, codesSent, appAsked, sentCodes, lastMethods } = rooms;
  let places = 0;
  for (const times of [codesTried, codesSent.approval, codesSent.dashboard, appAsked])
    places += await times.sweep();
  return places + (await sentCodes.sweep(SESSION_MS)) + (await lastMethods.sweep());
};

const trustParts = ({ config, db, audit, clock, log, security }: Foundation): RefreshParts => ({
  ...{ db, audit, clock, log, security, proxy: config.egressProxy },
  sources: config.trustLists,
  signers: config.trustListSigners,
});

/** What published figures were made of, for those who ask how. */
const KEPT_NOTES_MS = 800 * DAY;

const CORE: Actor = { actor: 'core' };

const watchForLosses = (base: Foundation): ReportParts['onLost'] => {
  const { metrics, log, continuity } = base;
  const lost = createCounter(metrics.registry, {
    name: 'trapeza_core_consents_ahead_total',
    help: 'Consents of which the core has a later state than the store: the store was restored to an earlier moment',
    labels: {},
  });
  return async ({ consentId, known: { revision, status }, isProof }) => {
    lost.inc();
    log.warn({ consent: consentId, status }, 'the core has a later state of this consent');
    if (status !== undefined && status !== 'Valid')
      await new Admin({ ...base, by: CORE }).endConsent(consentId, {
        by: 'the core',
        why: 'the core knows that it has ended',
      });
    if (isProof) continuity?.accuse(`the core has revision ${revision} of the consent ${consentId}`);
  };
};

const refreshed = async (certificates: readonly TlsFiles[]): Promise<number> => {
  let renewed = 0;
  for (const each of certificates) renewed += await each.refresh();
  return renewed;
};

const ENDED = { actor: 'system', reason: 'the suspension has ended' } as const;

export const openJobs = (
  base: Foundation,
  access: AccessRooms,
  orders: Orders | undefined,
  closers: Closers,
): Jobs => {
  const { config, db, clock, storeClock, bankTime, endingTime, log } = base;
  const certificates = [access.tls, access.operatorTls].filter((each) => each !== undefined);
  const sweep = (what: string, step: Job['step'], overdueMs?: Job['overdueMs']): Job => ({
    name: `sweep ${what}`,
    everyMs: MINUTE,
    step,
    ...(overdueMs ? { overdueMs } : {}),
  });
  const jobs = [
    expireConsents(db, endingTime),
    tellEnds(db, bankTime, config.regime),
    ...(base.bank.consentChanged
      ? [reportConsents({ db, bank: base.bank, clock: storeClock, bankTime, onLost: watchForLosses(base) })]
      : []),
    ...(orders?.jobs ?? []),
    sweep('sessions', () => access.sessions.sweep()),
    sweep('codes', () => sweepCodes(access)),
    sweep('statistics', () => removeNotesBefore(db, clock.now() - KEPT_NOTES_MS)),
    sweep('login devices', () => base.guard.sweep()),
    sweep(
      'request ids',
      async () => (await access.requestIds.sweep(db)) + (await sweepGrants(db, clock)),
      () => access.requestIds.overdueMs(db),
    ),
    sweep(
      'grants',
      async () => sweepOauth(db, clock, { bankNow: await bankTime(), grantDays: config.grantDays }),
      () => oauthOverdueMs(db, clock),
    ),
    sweep('proofs', () => access.proofs.sweep(db)),
    ...(certificates.length > 0
      ? [
          {
            name: 'renew TLS certificate',
            everyMs: MINUTE,
            isLocal: true,
            endsNothing: true,
            step: () => refreshed(certificates),
          },
        ]
      : []),
    ...base.extensions.flatMap((extension) => extension.jobs ?? []),
    ...retention({ db, bankTime: endingTime, ...config }),
    warnOfCertificates(db, clock, log),
    tellAuditHead(base),
    ...(config.trustLists.length > 0 ? [refreshTrustLists(trustParts(base))] : []),
    withdrawRegistrations({ db, audit: base.audit, clock, log, certificates: access.certificates }),
    resumeParties(db, clock, (id) => resumeOverdue({ ...base, by: ENDED }, id)),
  ];
  createCertificateMetrics(base.metrics.registry, db, clock);
  createOwnCertificateMetrics(base, access);
  const jobParts = { db, clock: storeClock, log, metrics: createJobMetrics(base.metrics.registry, jobs) };
  const deliverer = closers.add(openDeliverer(base, access), (each) => each.close());
  const started = closers.add(startJobs(jobs, jobParts), (each) => each.close());
  return {
    ...started,
    async runAll() {
      await started.runAll();
      await orders?.drain();
      await deliverer.drain();
    },
  };
};
