/**
 * Each defect of a bank is found by the case that is about it, and by no other. A sample with the cases of its area here;
 * `npm run prove -- conformance` tries every defect with every case.
 */
import { describe, expect, it } from 'vitest';
import { cases } from '../../packages/conformance/src/cases.js';
import { atmDefects, fundsDefects, readDefects } from './defects/four-operations.js';
import { notificationDefects } from './defects/notifications.js';
import { accountDefects, consentDefects, otherDefects } from './defects/the-rest.js';
import { unaltered } from './egress.js';
import { trySandbox } from './kit.js';
import type { Alter } from './proxy.js';
import { useBank } from './use-bank.js';

/** Made anew for each run: some remember what they have seen. */
const answerDefects = (): Readonly<Record<string, Alter>> => ({
  ...fundsDefects(),
  ...atmDefects,
  ...readDefects,
  ...consentDefects(),
  ...accountDefects(),
  ...otherDefects(),
});

const names = [answerDefects(), notificationDefects()].flatMap(Object.keys);
const isFull = process.env.TEST_CONFORMANCE === 'full';
const tried = isFull ? names : names.filter((_name, index) => index % 11 === 0);

describe('a bank with a defect', () => {
  const use = useBank({ engine: 'sqlite', isBehind: true });

  const tryWith = (name: string | undefined, area: string | undefined) => {
    const { proxy, sending, url } = use();
    const alter = answerDefects()[name ?? ''];
    proxy.alter = (answer, asked) => {
      sending.publish(answer, asked);
      alter?.(answer, asked);
    };
    sending.alter = notificationDefects()[name ?? ''] ?? unaltered;
    return trySandbox(url, (each) => isFull || each.area === area);
  };

  it('is not found if it has none, in more than forty ways to have one', async () => {
    expect(names.length).toBeGreaterThanOrEqual(40);
    const results = await tryWith(undefined, 'status');
    expect(results.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  });

  it.each(tried)('is found by %s and no other case', async (name) => {
    const area = cases.find(({ id }) => id === name)?.area;
    expect(area).toBeDefined();
    const failed = (await tryWith(name, area)).filter(({ verdict }) => verdict === 'failed');
    expect(failed.map(({ id }) => id)).toEqual([name]);
    expect(failed[0]).toMatchObject({
      expected: expect.stringMatching(/\S/),
      seen: expect.stringMatching(/\S/),
    });
  });
});
