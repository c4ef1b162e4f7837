/**
 * Resets and aborts at random bytes, on the public listener with and without TLS and on the management listener: the program lives on,
 * honest callers meanwhile get their own answers, and nothing is left behind. SEED of `npm run prove -- attacks` repeats a run.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, type RunningService, startSandbox, tempFolder } from '../../cli/program.js';
import { Random } from '../../journeys/fuzz/random.js';
import { Pki } from '../../oauth/binding/support.js';
import { send } from '../../support/client.js';
import { FINANCE, FUNDS, fundsBody } from '../../support/operations.js';
import type { Credentials } from '../../support/service.js';
import { attackVolume } from '../volume.js';
import { answersIn, attack, type Mix, mixOf, questionOf } from './mixes.js';

afterAll(cleanUp);

const SEED = Number(process.env.TEST_ATTACK_SEED ?? 20_261_116);
const AT_ONCE = 8;
/** The heap may hold what the collector has not looked at yet; a leak of each attack would be far more than this. */
const MOST_GROWTH = 1.6;
const roomy = {
  TRAPEZA_QUOTA_PER_MINUTE: '100000000',
  TRAPEZA_QUOTA_PER_DAY: '100000000',
  TRAPEZA_FAILED_AUTH_PER_MINUTE: '100000000',
};

const credentialsOf = async ({ url }: RunningService): Promise<Record<string, string>> => {
  const { applications } = (await send(url, { path: '/sandbox/credentials' })).json as Credentials;
  const made = await send(url, { method: 'POST', path: '/sandbox/tokens', body: {} });
  const { access_token: token } = made.json as { access_token: string };
  const key = applications.find(({ clientId }) => clientId === FINANCE)?.subscriptionKey ?? '';
  return { 'Ocp-Apim-Subscription-Key': key, Authorization: `Bearer ${token}` };
};

/** An honest caller: the answer is known from the question, and carries its id. */
const probe = async (
  { url, managementUrl }: RunningService,
  headers: Record<string, string>,
): Promise<void> => {
  const id = randomUUID();
  const isEnough = id < '8';
  const amount = { currency: 'EUR', amount: isEnough ? 25.5 : 999_999 };
  const asked = send(url, {
    method: 'POST',
    path: FUNDS,
    headers: { ...headers, 'X-Request-ID': id },
    body: fundsBody({ instructedAmount: amount }),
  });
  const [{ status, json, headers: answered }, live] = await Promise.all([
    asked,
    fetch(`${managementUrl}/health/live`),
  ]);
  expect([status, json, answered['x-request-id']]).toEqual([200, { fundsAvailable: isEnough }, id]);
  expect([live.status, await live.json()]).toEqual([200, { status: 'ok' }]);
};

const metric = async ({ managementUrl }: RunningService, name: string): Promise<number> => {
  const text = await (await fetch(`${managementUrl}/metrics`)).text();
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1]);
};

/** Answers come in the order of the requests; behind the last whole one there may be one refusal. */
const checkAnswers = ({ ids }: Mix, heard: Buffer): void => {
  const answers = answersIn(heard);
  const whole = answers.slice(0, ids.length);
  expect(whole.map(({ id }) => id)).toEqual(ids.slice(0, whole.length));
  const more = answers.slice(ids.length);
  expect(more.length).toBeLessThanOrEqual(1);
  for (const { status } of more) expect(status).toBeGreaterThanOrEqual(400);
};

describe.each(['plain', 'TLS', 'management'] as const)(
  'security F1: resets and aborts at random bytes (%s)',
  (kind) => {
    it('end nothing, mix nothing up and leave nothing behind', async () => {
      const pki = kind === 'TLS' ? await Pki.open() : undefined;
      const service = await startSandbox({ cwd: tempFolder(), env: { ...roomy, ...pki?.tlsEnv } });
      const headers = await credentialsOf(service);
      const lines = Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('');
      const random = new Random(SEED);
      const one = async (): Promise<void> => {
        if (kind === 'management') {
          await attack(service.managementUrl, questionOf(random), random);
          return;
        }
        const mix = mixOf(random, lines);
        checkAnswers(mix, await attack(service.url, mix, random));
      };

      const volume = attackVolume(240, 5000);
      const rss: number[] = [];
      for (let done = 0; done < volume; done += AT_ONCE) {
        await Promise.all([...Array.from({ length: AT_ONCE }, one), probe(service, headers)]);
        expect(service.program.child.exitCode).toBeNull();
        rss.push(await metric(service, 'process_resident_memory_bytes'));
      }
      await expect.poll(() => metric(service, 'trapeza_requests_in_flight')).toBe(0);
      const [warm = 0, last = 0] = [rss[Math.floor(rss.length / 2)], rss.at(-1)];
      console.log(
        `${kind}: ${volume} attacks on Node ${process.versions.node}, RSS ${[rss[0], warm, last].map((bytes = 0) => Math.round(bytes / 2 ** 20)).join(' → ')} MB`,
      );
      expect(last / warm).toBeLessThan(MOST_GROWTH);
      expect(await service.program.stop()).toMatchObject({ code: 0, signal: null });
      await pki?.close();
    });
  },
);
