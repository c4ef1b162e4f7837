/** The guide for third parties tells the truth: its code verifies what the service sends, and nothing else. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { retryDelays } from '../../src/events/delivery/schedule.js';
import { root } from '../lib/source.js';
import { useService } from '../support/use-service.js';
import { openReceiver } from './receiver.js';
import { decide, newConsent, registerWebhook } from './support.js';
import { publishedKeys } from './verify.js';

const guide = readFileSync(join(root, 'docs/notifications.md'), 'utf8');

type VerifyEvent = (
  headers: IncomingHttpHeaders,
  body: string,
  url: string,
  keys: readonly object[],
  now?: number,
) => object;

const snippet = async (): Promise<VerifyEvent> => {
  const code = /```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'trapeza-guide-'));
  const file = join(folder, 'verify.mjs');
  writeFileSync(file, code);
  try {
    return ((await import(pathToFileURL(file).href)) as { verifyEvent: VerifyEvent }).verifyEvent;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const service = useService();

it('the code of the guide verifies a notification, and refuses a changed one', async () => {
  const verifyEvent = await snippet();
  const receiver = await openReceiver();
  const url = `${receiver.url}?a=1`;
  await registerWebhook(service(), url);
  await decide(service(), await newConsent(service()), 'approve');
  await receiver.until(({ length }) => length === 1);
  const [got] = receiver.received;
  if (!got) throw new Error('nothing came');
  const keys = await publishedKeys(service().url);
  const now = service().clock.now() / 1000;
  const { headers, body, event } = got;
  expect(verifyEvent(headers, body, url, keys, now)).toEqual(event);
  const refused: readonly (readonly [string, () => object])[] = [
    ['wrong digest', () => verifyEvent(headers, body.replace('Valid', 'Expired'), url, keys, now)],
    ['wrong signature', () => verifyEvent(headers, body, `${url}2`, keys, now)],
    ['wrong signature', () => verifyEvent({ ...headers, 'event-id': 'x' }, body, url, keys, now)],
    ['too old', () => verifyEvent(headers, body, url, keys, now + 301)],
    ['unknown key', () => verifyEvent(headers, body, url, [], now)],
    ['not a notification', () => verifyEvent({ ...headers, 'signature-input': '' }, body, url, keys, now)],
  ];
  for (const [fault, attempt] of refused) expect(attempt).toThrow(fault);
  await receiver.close();
});

it('the guide tells the schedule as it is', () => {
  const told = /after ([\d\w ,]+) and then every 6 h/.exec(guide)?.[1] ?? '';
  const units = { s: 1000, min: 60_000, h: 3_600_000 } as const;
  const delays = told.split(', ').map((each) => {
    const [count, unit] = each.split(' ');
    return Number(count) * units[unit as keyof typeof units];
  });
  expect(delays).toEqual(retryDelays.slice(0, 7));
  expect(new Set(retryDelays.slice(7))).toEqual(new Set([6 * units.h]));
});
