/**
 * Every documented problem, provoked over HTTP, and its advice followed by a client that knows nothing else: it succeeds,
 * finds what exists, or stops; after a stop the request works once somebody has done what the advice says.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { advices } from '../../../src/problem/advice.js';
import { type ProblemKind, type ProblemSlug, problems } from '../../../src/problem/problem.js';
import { FUNDS, freshToken, fundsBody } from '../../support/operations.js';
import { useService } from '../../support/use-service.js';
import { accessCases } from './access.js';
import { follow, type Reply, type State, slugIn } from './client.js';
import { messageCases } from './messages.js';
import { momentCases } from './moments.js';
import { storeCases } from './store.js';
import { type Case, type Services, worldOf } from './support.js';

const [main, sealed] = [useService(), useService()];
const impatient = useService({
  env: {
    TRAPEZA_DEADLINE_MS: '800',
    TRAPEZA_REQUEST_TIMEOUT_MS: '600',
    TRAPEZA_HEADERS_TIMEOUT_MS: '600',
  },
});
const wary = useService({ env: { TRAPEZA_FAILED_AUTH_PER_MINUTE: '1' } });

const services = (): Services => ({
  main: main(),
  sealed: sealed(),
  impatient: impatient(),
  wary: wary(),
});

const cases: readonly Case[] = [...messageCases, ...accessCases, ...momentCases, ...storeCases];

/** Names in the titles of the tests. */
const named = cases.map((each) => [each.what ? `${each.slug}, ${each.what}` : each.slug, each] as const);

interface ProblemBody {
  readonly extensions: Readonly<Record<string, object>> & { readonly error: { readonly advice: string } };
}

/** What a client can act on: status, headers beside those of every answer, and which facts there are. */
const shapeOf = ({ status, headers, json }: Reply) => {
  const { extensions } = json as ProblemBody;
  const told = ['www-authenticate', 'retry-after', 'allow', 'ratelimit', 'ratelimit-policy'];
  return {
    status,
    headers: told.filter((name) => headers[name] !== undefined),
    error: extensions.error.advice,
    facts: Object.keys(extensions).toSorted(),
  };
};

/** The rehearsal of a problem is like the problem itself, unless that is one of its exceptions. */
const rehearse = async (slug: ProblemSlug, real: Reply): Promise<void> => {
  const { advice }: ProblemKind = problems[slug];
  if (shapeOf(real).error !== advice) return;
  const rehearsed = await main().call({
    method: 'POST',
    path: FUNDS,
    body: fundsBody(),
    headers: { 'Sandbox-Scenario': slug, Authorization: `Bearer ${await freshToken(main())}` },
  });
  expect(shapeOf(rehearsed)).toEqual(shapeOf(real));
};

const walk = async ({ slug, end, advice, prepare }: Case): Promise<void> => {
  const prepared = await prepare(services());
  let real: Reply | undefined;
  const world = worldOf({
    ...prepared,
    send: async (state) => {
      const reply = await prepared.send(state);
      if (reply.status >= 400 && slugIn(reply) === slug) real ??= reply;
      return reply;
    },
  });
  const state: State = {
    requestId: randomUUID(),
    token: await freshToken(prepared.service),
    consentId: '',
    dateFrom: '',
    page: '',
    ...prepared.state,
  };
  try {
    expect(await follow(world, state)).toEqual({ end, slug, advice });
    if (real) await rehearse(slug, real);
    if (end !== 'stop') return;
    expect(slugIn(await world.send(state))).toBe(slug);
    await prepared.mend?.();
    expect((await world.send(state)).status).toBe(200);
  } finally {
    await prepared.close?.();
  }
};

describe('a client that follows the advice', () => {
  it.each(named.filter(([, { isSkipped }]) => !isSkipped))('%s', (_name, each) => walk(each));
});

it('every problem of the catalogue has a case, with the advice that it documents', () => {
  const kinds: readonly (readonly [string, ProblemKind])[] = Object.entries(problems);
  const first = (slug: string) =>
    cases.filter((each) => each.slug === slug).map(({ advice: [told] }) => told);
  for (const [slug, { advice, exception }] of kinds)
    expect([slug, new Set(first(slug))]).toEqual([
      slug,
      new Set([advice, ...(exception ? [exception.advice] : [])]),
    ]);
});

it('every advice is followed by some case', () => {
  expect(new Set(cases.flatMap(({ advice }) => advice))).toEqual(new Set(Object.keys(advices)));
});
