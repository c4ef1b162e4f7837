/** The life of a consent, as a pure table: who may move it from which status to which, and what time alone does to it. */
import { type BankTime, DAY } from '../lib/clock.js';
import type { Regime } from '../model/regime.js';
import type { Consent, ConsentStatus } from './record.js';

export type Actor = 'tpp' | 'psu' | 'bank' | 'time';

/** The other four statuses are final. */
const moves: Readonly<
  Partial<Record<ConsentStatus, Readonly<Partial<Record<ConsentStatus, readonly Actor[]>>>>>
> = {
  Received: {
    Valid: ['psu'],
    Rejected: ['psu', 'bank', 'time'],
    TerminatedByTpp: ['tpp'],
    Expired: ['time'],
  },
  Valid: { RevokedByPsu: ['psu'], TerminatedByTpp: ['tpp'], Expired: ['time', 'bank'] },
};

export const mayMove = (from: ConsentStatus, to: ConsentStatus, by: Actor): boolean =>
  moves[from]?.[to]?.includes(by) ?? false;

export const isFinal = (status: ConsentStatus): boolean => moves[status] === undefined;

/** A consent without a decision within a day is rejected. */
export const UNDECIDED_MS = DAY;

/** So long does one strong authentication at the bank open an account to account information under PSD2 (RTS Art. 10a). */
export const SCA_LASTS_MS = 180 * DAY;

/** Under the PSR the third party authenticates its user every 180 days (Art. 86(4)); an authentication at the bank never ends. */
export const scaEnd = (scaAt: BankTime, regime: Regime): BankTime =>
  regime === 'psd2' ? scaAt + SCA_LASTS_MS : Number.POSITIVE_INFINITY;

/** The end of an account access for its third party: of its authentication, or its own if that is sooner. Undefined under the PSR. */
export const scaValidUntil = (
  { scaAt, expiresAt }: { readonly scaAt: BankTime; readonly expiresAt: BankTime | null },
  regime: Regime,
): BankTime | undefined =>
  regime === 'psd2' ? Math.min(scaEnd(scaAt, regime), expiresAt ?? Number.POSITIVE_INFINITY) : undefined;

/** What a reader sees at this bank time: expiry needs no write to be true. */
export const statusAt = (
  consent: Pick<Consent, 'status' | 'createdAt' | 'expiresAt'>,
  bankNow: BankTime,
): ConsentStatus => {
  if (isFinal(consent.status)) return consent.status;
  const expiresAt = consent.expiresAt ?? Number.POSITIVE_INFINITY;
  const decideBy =
    consent.status === 'Received' ? consent.createdAt + UNDECIDED_MS : Number.POSITIVE_INFINITY;
  if (bankNow < Math.min(expiresAt, decideBy)) return consent.status;
  return expiresAt < decideBy ? 'Expired' : 'Rejected';
};

/** The statuses in the store that a reader may see as this one: itself, and those that time ends so. */
export const storedAs = (status: ConsentStatus): readonly ConsentStatus[] => [
  status,
  ...(['Received', 'Valid'] as const).filter((from) => mayMove(from, status, 'time')),
];
