/** The guide about notifications tells the schedule as it is. Its receivers are run by the test of the guides. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { retryDelays } from '../../src/events/delivery/schedule.js';
import { root } from '../lib/source.js';

it('the guide tells the schedule as it is', () => {
  const guide = readFileSync(join(root, 'docs/guides/notifications.en.md'), 'utf8').replace(/\s+/g, ' ');
  const told = /after ([\d\w ,]+) and then every 6 h/.exec(guide)?.[1] ?? '';
  const units = { s: 1000, min: 60_000, h: 3_600_000 } as const;
  const delays = told.split(', ').map((each) => {
    const [count, unit] = each.split(' ');
    return Number(count) * units[unit as keyof typeof units];
  });
  expect(delays).toEqual(retryDelays.slice(0, 7));
  expect(new Set(retryDelays.slice(7))).toEqual(new Set([6 * units.h]));
});
