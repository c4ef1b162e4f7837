/** The rules of an account access that need no store: how long an authentication lasts, and how often data may be read. */
import { describe, expect, it } from 'vitest';
import { type AccountAccess, checkFresh, checkUsable } from '../../src/consent/access.js';
import { unattendedReads } from '../../src/consent/unattended-reads.js';
import { DAY, MINUTE } from '../../src/lib/clock.js';

const BASE = 'https://bank.example';
const RULE = { baseUrl: BASE, regime: 'psd2' } as const;
const scaAt = Date.UTC(2026, 0, 15, 12);
const access: AccountAccess = {
  id: 'consent',
  kind: 'AccountAccess',
  status: 'Valid',
  endReason: null,
  supersededBy: null,
  createdAt: scaAt,
  expiresAt: null,
  details: { permissions: ['AccountsBasic'] },
  accounts: [],
  scaAt,
  clientId: 'app',
  psuId: 'person',
  bankData: null,
};

describe('a strong authentication', () => {
  it('is over after 180 days under PSD2, to the millisecond, and never under the PSR', () => {
    expect(() => checkUsable(access, scaAt + 180 * DAY - 1, RULE)).not.toThrow();
    expect(() => checkUsable(access, scaAt + 180 * DAY, RULE)).toThrow('sca-renewal-required');
    expect(() => checkUsable(access, scaAt + 1_000 * DAY, { ...RULE, regime: 'psr' })).not.toThrow();
  });

  it('opens old history for 60 minutes', () => {
    const recent = { baseUrl: BASE, dateFrom: '2025-10-17' };
    expect(() => checkFresh(access, scaAt + 60 * MINUTE, recent)).not.toThrow();
    expect(() => checkFresh(access, scaAt + 60 * MINUTE + 1, recent)).toThrow('history-needs-authentication');
  });
});

describe('reads without the account holder', () => {
  it('are four a day, one of a one-off access, or as many as were approved', () => {
    expect(unattendedReads({ recurring: true })).toBe(4);
    expect(unattendedReads({ recurring: false })).toBe(1);
    expect(unattendedReads({})).toBe(1);
    expect(unattendedReads({ recurring: true, frequencyPerDay: 2 })).toBe(2);
  });
});
