/**
 * Each defect of a bank is found by the case that is about it, and by no other. A sample with the cases of its area here;
 * `npm run test:conformance` tries every defect with every case.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases } from '../../packages/conformance/src/cases.js';
import { type Service, startService } from '../support/service.js';
import { atmDefects, fundsDefects, readDefects } from './defects/four-operations.js';
import { accountDefects, consentDefects, otherDefects } from './defects/the-rest.js';
import { trySandbox } from './kit.js';
import { type Alter, AlteringProxy } from './proxy.js';

/** Made anew for each run: some remember what they have seen. */
const allDefects = (): Readonly<Record<string, Alter>> => ({
  ...fundsDefects(),
  ...atmDefects,
  ...readDefects,
  ...consentDefects(),
  ...accountDefects(),
  ...otherDefects(),
});

const names = Object.keys(allDefects());
const isFull = process.env.TEST_CONFORMANCE === 'full';
const tried = isFull ? names : names.filter((_name, index) => index % 9 === 0);

describe('a bank with a defect', () => {
  const proxy = new AlteringProxy();
  let service: Service;
  beforeAll(async () => {
    await proxy.up();
    service = await startService({ env: { BASE_URL: proxy.url } });
    proxy.target = service.app.listenUrl;
  });
  afterAll(async () => {
    await service.close();
    await proxy.down();
  });

  it('is not found if it has none, in more than forty ways to have one', async () => {
    expect(names.length).toBeGreaterThanOrEqual(40);
    proxy.alter = () => undefined;
    const results = await trySandbox(proxy.url, ({ area }) => isFull || area === 'status');
    expect(results.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  });

  it.each(tried)('is found by %s and no other case', async (name) => {
    proxy.alter = allDefects()[name] ?? (() => undefined);
    const area = cases.find(({ id }) => id === name)?.area;
    expect(area).toBeDefined();
    const results = await trySandbox(proxy.url, (each) => isFull || each.area === area);
    const failed = results.filter(({ verdict }) => verdict === 'failed');
    expect(failed.map(({ id }) => id)).toEqual([name]);
    expect(failed[0]).toMatchObject({
      expected: expect.stringMatching(/\S/),
      seen: expect.stringMatching(/\S/),
    });
  });
});
