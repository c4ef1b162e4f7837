/** Keeps the table of statuses honest: complete against the interface, and every "tested" has its block. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorStatuses } from '../../src/http/operation.js';
import { problemSlugs } from '../../src/http/problem-schema.js';
import { operationIds } from '../support/operations.js';
import { readIds } from './ais/support.js';
import { impossibleProblems, type ListedId, statuses } from './statuses.js';

/** One file generates the blocks of all reads of account data. */
const ofReads = ['ais/statuses'];

const files: Readonly<Record<string, readonly string[]>> = {
  confirmFunds: [
    'confirm-funds',
    'confirm-funds-accounts',
    'confirm-funds-consents',
    'confirm-funds-repeats',
  ],
  getAtms: ['get-atms', 'get-atms-conditional'],
  getConsentStatus: ['get-consent-status'],
  getPaymentConsent: ['get-payment-consent'],
  getEvents: ['../events/feed'],
};

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const common = read('./common-statuses.ts');

const hasBlock = (id: ListedId, status: string): boolean => {
  const own = (files[id] ?? ofReads).map((name) => read(`./${name}.test.ts`));
  const title = new RegExp(`describe\\('${status}\\b`);
  const usesCommon = own.some(
    (source) => source.includes(`commonStatuses('${id}'`) || source.includes('statusBlocks('),
  );
  return own.some((source) => title.test(source)) || (usesCommon && title.test(common));
};

const listed = [200, 304, ...errorStatuses];

describe.each([...operationIds, ...readIds])('%s', (id) => {
  it('has every listed status in the table and no other', () => {
    expect(Object.keys(statuses[id]).map(Number).sort()).toEqual(listed.toSorted());
  });

  it.each(Object.entries(statuses[id]))('%s: a block where tested, else a reason', (status, verdict) => {
    if (verdict === 'tested') expect(hasBlock(id, status)).toBe(true);
    else {
      expect(verdict).toMatch(/^impossible: .{20,}/);
      expect(hasBlock(id, status)).toBe(false);
    }
  });

  it('names problems of the catalogue alone as impossible, each with its reason', () => {
    for (const [slug, reason] of Object.entries(impossibleProblems[id])) {
      expect(problemSlugs).toContain(slug);
      expect(reason.length).toBeGreaterThan(20);
    }
  });
});
