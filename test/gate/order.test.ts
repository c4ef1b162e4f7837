/** Walks the order of the checks: of any two that would refuse a request, the earlier one answers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bankWith } from '../bank/banks.js';
import { digestOf, getSeal, type Seal, signed } from '../signature/support.js';
import { type Answer, rawProblem, send, sendRaw, slugOf } from '../support/client.js';
import { ACCOUNTS, FINANCE, FUNDS, fundsBody } from '../support/operations.js';
import { subscribe, suspend } from '../support/registry.js';
import { type Service, startService } from '../support/service.js';
import {
  type Draft,
  type Flaws,
  goodDraft,
  pairsOf,
  type Stage,
  stagesOf,
  usedRequestId,
  type Walked,
} from './tables/order-stages.js';

const walks: readonly Walked[] = ['confirmFunds', 'getPaymentConsent'];
const booleans = [false, true] as const;

/** A core that keeps one call waiting, so that its node has no room for a second one. */
const stuckBank = () => {
  let reached: () => void = () => undefined;
  let release: (funds: boolean) => void = () => undefined;
  const isReached = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const answer = new Promise<boolean>((resolve) => {
    release = resolve;
  });
  const bank = bankWith({
    name: 'stuck',
    hasFunds: () => {
      reached();
      return answer;
    },
  });
  return { bank, isReached, release: () => release(true) };
};

const stuck = stuckBank();
const keys = new Map<string, string>();
let calm: Service;
let busy: Service;
let seal: Seal;
let waiting: Promise<Answer>;

const keyName = (application: string, { exhausted, blocked, unsubscribed }: Flaws): string =>
  [application, exhausted, blocked, unsubscribed].join();

const everyProduct = ['piis', 'opendata', 'ais', 'pis'] as const;

/** A subscription for every combination of what can be wrong with one. */
const makeKey = async (application: string, flaws: Flaws): Promise<void> => {
  const { key, keyId } = await subscribe(calm, {
    application,
    products: flaws.unsubscribed ? ['opendata'] : everyProduct,
    ...(flaws.exhausted ? { quotaPerDay: 1 } : {}),
  });
  if (flaws.blocked) await suspend(calm, 'key', keyId);
  const headers = { 'Ocp-Apim-Subscription-Key': key };
  if (flaws.exhausted) await calm.call({ path: '/psd2/v1/opendata/atm', headers });
  keys.set(keyName(application, flaws), key);
};

const makeKeys = async (): Promise<void> => {
  for (const application of [FINANCE, ACCOUNTS])
    for (const exhausted of booleans)
      for (const blocked of booleans)
        for (const unsubscribed of booleans) await makeKey(application, { exhausted, blocked, unsubscribed });
};

beforeAll(async () => {
  calm = await startService();
  busy = await startService({
    databaseUrl: calm.databaseUrl,
    bank: stuck.bank,
    env: { TRAPEZA_MAX_IN_FLIGHT: '1', TRAPEZA_DEADLINE_MS: '3600000' },
  });
  await makeKeys();
  seal = await getSeal(calm);
  const used = { method: 'POST', path: FUNDS, body: fundsBody(), headers: { 'X-Request-ID': usedRequestId } };
  expect((await calm.call(used)).status).toBe(200);
  waiting = busy.call({ method: 'POST', path: FUNDS, body: fundsBody() });
  await stuck.isReached;
});

afterAll(async () => {
  stuck.release();
  expect((await waiting).status).toBe(200);
  await busy.close();
  await calm.close();
});

const signedHeaders = ({ signed: how, headers }: Draft): Draft['headers'] => {
  if (how === 'not') return headers;
  const id = headers['X-Request-ID'];
  const sent = { 'X-Request-ID': typeof id === 'string' ? id : '', Digest: digestOf('another body') };
  const spoil = { covered: ['digest', 'x-request-id'], ...(how === 'badly' ? { signed: () => '' } : {}) };
  return { ...headers, ...signed(seal, { method: 'GET', path: '/', headers: sent }, spoil) };
};

const dispatch = async (draft: Draft): Promise<Answer> => {
  const { key, application, scope } = draft;
  const token = draft.token === 'garbage' ? 'garbage' : await calm.token({ application, scope });
  const body = draft.raw ?? draft.body;
  return send((draft.busy ? busy : calm).url, {
    method: draft.method,
    path: draft.path,
    ...(body === undefined ? {} : { body }),
    headers: {
      'Ocp-Apim-Subscription-Key': key.missing
        ? undefined
        : (keys.get(keyName(application, key)) ?? 'no key'),
      Authorization: `Bearer ${token}`,
      ...signedHeaders(draft),
    },
  });
};

const broken = (walked: Walked, ...by: readonly Stage[]): Draft => {
  let draft = goodDraft(walked, calm.consent('PaymentInitiation').id);
  for (const stage of by) draft = { ...draft, ...stage.spoil(draft) };
  return draft;
};

const verdict = (answer: Answer): string => `${answer.status} ${slugOf(answer)}`;

describe.each(walks)('the checks of %s', (walked) => {
  it('pass a good request', async () => {
    expect((await dispatch(broken(walked))).status).toBe(200);
  });

  it.each(stagesOf(walked))('$part: refuses alone with $status $slug', async (stage) => {
    expect(verdict(await dispatch(broken(walked, stage)))).toBe(`${stage.status} ${stage.slug}`);
  });

  it('answer in their order, whichever two are broken', async () => {
    const pairs = pairsOf(walked);
    expect(pairs.length).toBeGreaterThan(walked === 'confirmFunds' ? 250 : 130);
    const wrong: string[] = [];
    for (const [early, late] of pairs) {
      const found = verdict(await dispatch(broken(walked, early, late)));
      if (found !== `${early.status} ${early.slug}`)
        wrong.push(`${early.part} before ${late.part}: ${found}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('what the parser refuses', () => {
  it('is answered before the load of the node', async () => {
    const answer = await sendRaw(busy.url, `POST ${FUNDS} HTTP/1.1\r\nHost: x\r\nBad Name: x\r\n\r\n`);
    expect(rawProblem(answer)).toMatchObject({ status: 400, slug: 'malformed-http' });
  });
});
