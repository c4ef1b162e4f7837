/** Warns before the certificate of a third party ends: in the log, once per step and certificate, and in the metrics all the time. */
import { Gauge, type Registry } from 'prom-client';
import { type Clock, DAY, HOUR } from '../lib/clock.js';
import type { Log } from '../observe/log.js';
import type { Db, Queries } from '../store/db.js';
import { latestCertificates, markWarned } from '../tpp/certificates.js';
import type { Job } from './jobs.js';

/** Days before the end; 0 is the end itself. */
const steps = [30, 14, 7, 1, 0] as const;

/** The last step that has been reached. */
const stepAt = (leftMs: number): number | undefined => steps.findLast((days) => leftMs <= days * DAY);

export const warnOfCertificates = (db: Db, clock: Clock, log: Pick<Log, 'warn'>): Job => ({
  name: 'warn of certificates',
  endsNothing: true,
  everyMs: HOUR,
  async step() {
    const now = clock.now();
    let done = 0;
    for (const certificate of await latestCertificates(db, now + steps[0] * DAY)) {
      const { tppId, name, use, notAfter, fingerprint } = certificate;
      const step = stepAt(notAfter - now);
      if (step === undefined || !(await markWarned(db, certificate, step))) continue;
      done += 1;
      const days = Math.max(0, Math.ceil((notAfter - now) / DAY));
      log.warn(
        { tppId, name, use, days, certificate: fingerprint.slice(0, 16) },
        days === 0 ? 'certificate of a third party has expired' : 'certificate of a third party expires soon',
      );
    }
    return done;
  },
});

export const createCertificateMetrics = (registry: Registry, db: Queries, clock: Clock): void => {
  new Gauge({
    name: 'trapeza_tpp_certificate_expires_seconds',
    help: 'Time until the last certificate of a third party for a use ends; negative after that',
    labelNames: ['tpp', 'name', 'use'] as const,
    registers: [registry],
    async collect() {
      // A store that is away must not take the other figures with it.
      const found = await latestCertificates(db, Number.MAX_SAFE_INTEGER).catch(() => undefined);
      if (!found) return;
      this.reset();
      for (const { tppId, name, use, notAfter } of found)
        this.set({ tpp: tppId, name, use }, (notAfter - clock.now()) / 1000);
    },
  });
};
