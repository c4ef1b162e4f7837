/** Addresses that try to be another one: whatever is written, only the published paths are served, and no file. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sendRaw } from '../../support/client.js';
import { ATMS, FUNDS, paymentPath, statusPath } from '../../support/operations.js';
import { responsesIn } from '../../support/raw-answers.js';
import { useService } from '../../support/use-service.js';

const service = useService();

/** Put between the segments of a path, at its end, and in the place of an id. */
const tricks = [
  '..',
  '.',
  '%2e',
  '%2e%2e',
  '%252e%252e',
  '..%2f',
  '..%5c',
  '%2e%2e%2f',
  '%2f',
  '%252f',
  '%5c',
  '\\',
  '%00',
  '%00.json',
  '%0d%0aX-A:%20b',
  '%c0%ae%c0%ae',
  '%c0%af',
  '%e0%80%af',
  '%ff',
  '%fe%ff',
  '%',
  '%2',
  '%zz',
  '%u002f',
  ';',
  ';jsessionid=1',
  ':',
  ':consentId',
  '*',
  '**',
  '@',
  '~root',
  '$%7bjndi%7d',
  '%7b%7b7*7%7d%7d',
  '%27%20or%201=1--',
  '%3cscript%3e',
  '__proto__',
  'constructor',
  'toString',
  '%e2%80%ae',
  '%ef%bc%8e%ef%bc%8e',
  'a'.repeat(129),
  'a'.repeat(4000),
];

const whole = [
  '//',
  '///',
  '/..',
  '/../',
  '/./',
  '/../../../../etc/passwd',
  '/..%2f..%2f..%2fetc%2fpasswd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/static/../../package.json',
  '/assets/..%2f..%2fpackage.json',
  '/docs/../../package.json',
  '/problems/..%2f..%2fopenapi.json',
  '/problems/__proto__',
  '/problems/constructor',
  '/index.html',
  '/.env',
  '/.git/config',
  '/metrics',
  '/health/live',
  '/health/ready',
  '/admin',
  '/operator',
  '/server-status',
  '/psd2',
  '/psd2/v1',
  '/psd2/v1/opendata',
  '/ais/psd2/v1/consents',
  '/ais/psd2/v1/consents//status',
  '/pis/psd2/v1',
  '/pis/psd2/v1/',
  '/piis',
  '/sandbox',
  '/sandbox/',
  '/sandbox/credentials/x',
  '/sandbox/../sandbox/credentials',
  '/Sandbox/credentials',
];

const corpus = (): string[] => {
  const bases = [FUNDS, ATMS, statusPath(randomUUID()), paymentPath(randomUUID())];
  const mutated = bases.flatMap((base) =>
    tricks.flatMap((trick) => [
      `${base}/${trick}`,
      `${base}${trick}`,
      base.replace('/psd2/', `/psd2/${trick}/`),
      `/${trick}${base}`,
      base.replace('/v1', `/v1${trick}`),
    ]),
  );
  const ids = tricks.flatMap((trick) => [statusPath(trick), paymentPath(trick)]);
  return [...new Set([...whole, ...mutated, ...ids])];
};

const head = async (): Promise<string> =>
  [
    'Host: x',
    `Ocp-Apim-Subscription-Key: ${service().keyOf()}`,
    `Authorization: Bearer ${await service().token()}`,
    `X-Request-ID: ${randomUUID()}`,
    'Connection: close',
  ].join('\r\n');

describe('a corpus of addresses', () => {
  it('is large', () => {
    expect(corpus().length).toBeGreaterThanOrEqual(600);
  });

  it('is answered with 400, 404 or 405 alone', async () => {
    const headers = await head();
    const paths = corpus();
    const wrong: string[] = [];
    const walk = async (): Promise<void> => {
      for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
        const text = await sendRaw(service().url, `GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
        const answers = responsesIn(text);
        const [answer] = answers;
        const isRefused = answers.length === 1 && answer && [400, 404, 405].includes(answer.status);
        if (!isRefused) wrong.push(`${path.slice(0, 200)}: ${answer?.status}`);
      }
    };
    await Promise.all(Array.from({ length: 16 }, walk));
    expect(wrong).toEqual([]);
  });

  it('leaves the service as it was', async () => {
    expect((await service().call({ path: ATMS })).status).toBe(200);
  });
});
