/**
 * Nodes that die like in a power failure while third parties register. A party that got an answer is registered, none is there in part
 * or twice, and one that got no answer learns by a second request what happened.
 * `npm run prove -- registrations` is the long run, on both stores.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/lib/clock.js';
import { mortalNodes, whileNodesDie } from '../../payment/mortal.js';
import { randomOf } from '../../payment/nodes.js';
import type { Seal } from '../../signature/support.js';
import type { Answer } from '../../support/client.js';
import { bothEngines, engines } from '../../support/engines.js';
import type { Service } from '../../support/service.js';
import { ask, newParty, ownPath, type Registered, sealOf } from './support.js';

const isLong = process.env.TEST_REGISTRATIONS !== undefined;
const REGISTRATIONS = isLong ? 100 : 12;
const PER_KILL = isLong ? 15 : 6;
const CALLERS = 6;

/** The sources of revocation are at an address that does not exist. */
const env = { TRAPEZA_REVOCATION: 'soft', TRAPEZA_REGISTRATIONS_PER_MINUTE: '100000000' };

const places = isLong
  ? bothEngines('killed nodes leave half a transaction, which each engine takes back in its own way')
  : engines;

describe.each(places)('killed nodes on %s', (engine) => {
  const { nodes, db } = mortalNodes(engine, env);

  const serviceOf = (turn: number): Service =>
    ({ url: nodes[turn % nodes.length]?.url, clock: systemClock }) as unknown as Service;
  const tally = { kills: 0, unanswered: 0, found: 0 };

  /** Until there is an answer that says what happened, each time as a new request. The client id. */
  const registerUntilAnswered = async (seal: Seal, turn: number): Promise<string> => {
    for (let attempt = 0; ; attempt += 1) {
      const service = serviceOf(turn + attempt);
      const answer: Answer | undefined = await ask(service, seal).catch(() => undefined);
      if (answer?.status === 201) return (answer.json as Registered).client_id;
      if (answer?.status === 409) {
        tally.found += 1;
        const { extensions } = answer.json as { extensions: { registration: Registered } };
        return extensions.registration.client_id;
      }
      if (answer && ![408, 503].includes(answer.status)) throw new Error(answer.text);
      tally.unanswered += 1;
      await pause(50);
    }
  };

  it(`${REGISTRATIONS} registrations: each that got an answer is registered, once and whole`, async () => {
    const random = randomOf(1);
    const parties = Array.from({ length: REGISTRATIONS }, newParty);
    const seals = await Promise.all(parties.map((party) => sealOf(serviceOf(0), party)));
    const queue = seals.map((seal, turn) => ({ seal, turn }));
    const made = new Map<string, Seal>();
    const call = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift())
        made.set(await registerUntilAnswered(next.seal, next.turn), next.seal);
    };
    const callers = Array.from({ length: CALLERS }, call);
    await whileNodesDie(nodes, callers, { random, every: PER_KILL, done: () => made.size, tally });
    if (isLong) console.log(engine, tally);
    expect(tally.kills).toBeGreaterThan(0);
    const whole = `
      select t.registration, a.client_id as "clientId", count(k.id) as keys,
             (select count(*) from audit_log l where l.actor = 'third-party:' || t.registration) as acts
      from tpps t left join applications a on a.tpp_id = t.id left join subscriptions s on s.client_id = a.client_id
      left join subscription_keys k on k.subscription_id = s.id
      where t.registered_by = 'certificate' group by t.registration, a.client_id`;
    const rows = await db().all<{ registration: string; clientId: string; keys: number; acts: number }>(
      whole,
    );
    expect(rows.map(({ registration }) => registration).toSorted()).toEqual(
      parties.map(({ registration }) => registration).toSorted(),
    );
    expect(
      rows.filter(({ clientId, keys, acts }) => !made.has(clientId) || keys !== 2 || acts !== 1),
    ).toEqual([]);
    for (const [clientId, seal] of made) {
      const path = `${ownPath({ client_id: clientId } as Registered)}/secrets`;
      const wish = { method: 'POST', path, body: { secret: 'primary_key' } };
      expect((await ask(serviceOf(0), seal, wish)).status).toBe(201);
    }
  });
});
