/** Problems of the moment: conflicts, limits, and a service or bank that cannot answer now. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { MAX_OPEN } from '../../../src/consent/consents.js';
import { PAGE_LINK_MINUTES } from '../../../src/lib/page-link.js';
import type { ProblemSlug } from '../../../src/problem/problem.js';
import { addAccess, attended } from '../../api/ais/support.js';
import { bankWith } from '../../bank/banks.js';
import { approved, orderPath, submit } from '../../payment/support.js';
import { ATMS, FUNDS, freshToken, fundsBody, moveBankClock } from '../../support/operations.js';
import { subscribe } from '../../support/registry.js';
import { startService } from '../../support/service.js';
import { type Case, calling, rawReply, receivedConsent, type Services } from './support.js';

const KEY = 'Ocp-Apim-Subscription-Key';
const funds = { method: 'POST', path: FUNDS, body: fundsBody() };

/** The first attempt meets the fault, the next one does not. */
const passing = (slug: ProblemSlug, scenario: string, name: keyof Services = 'main'): Case => ({
  slug,
  end: 'success',
  advice: ['repeat'],
  prepare: (services) => {
    let fault: string | undefined = scenario;
    return {
      service: services[name],
      send: calling(services[name], () => {
        const headers = { 'Sandbox-Scenario': fault };
        fault = undefined;
        return { ...funds, headers };
      }),
    };
  },
});

/** A read without the account holder, after as many as the consent allows. */
const exceeded = (what: string, recurring: boolean): Case => ({
  slug: 'access-exceeded',
  what,
  end: 'success',
  advice: recurring ? ['wait', 'refresh-token'] : ['new-consent'],
  prepare: async ({ main }) => {
    const { id } = await addAccess(main, { recurring, frequencyPerDay: 1 });
    const send = calling(main, ({ consentId }) => ({
      path: '/ais/psd2/v1/accounts',
      headers: { 'Consent-ID': consentId },
    }));
    const used = {
      requestId: randomUUID(),
      token: await freshToken(main),
      consentId: id,
      dateFrom: '',
      page: '',
    };
    await send(used);
    return { service: main, state: { consentId: id }, send };
  },
});

/** A core that answers when it is told to, and until then keeps its node from ending. */
const heldNode = async () => {
  let release: () => void = () => undefined;
  let reached: () => void = () => undefined;
  const isReached = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const bank = bankWith({
    hasFunds: async () => {
      reached();
      await held;
      return true;
    },
  });
  const node = await startService({ bank });
  const running = node.call(funds);
  await isReached;
  return { node, release, running };
};

const draining: Case = {
  slug: 'draining',
  end: 'success',
  advice: ['repeat'],
  prepare: async ({ main }) => {
    const { node, release, running } = await heldNode();
    const socket = connect(Number(new URL(node.url).port), '127.0.0.1');
    await new Promise<void>((resolve) => socket.write(`GET ${ATMS} HTTP/1.1\r\n`, () => resolve()));
    await node.call({ path: ATMS });
    let isFirst = true;
    const elsewhere = calling(main, () => ({ path: ATMS }));
    const closed: Promise<unknown>[] = [];
    return {
      service: main,
      send: async (state) => {
        if (!isFirst) return elsewhere(state);
        isFirst = false;
        closed.push(node.close());
        for (let ready = true; ready; ) {
          const health = await fetch(`${node.app.managementUrl}/health/ready`);
          ready = ((await health.json()) as { checks: { accepting: string } }).checks.accepting !== 'failed';
        }
        const chunks: Buffer[] = [];
        socket.on('data', (chunk: Buffer) => chunks.push(chunk));
        const ended = new Promise((resolve) => socket.on('close', resolve));
        socket.write(`Host: x\r\nX-Request-ID: ${state.requestId}\r\n\r\n`);
        await ended;
        return rawReply(Buffer.concat(chunks).toString());
      },
      close: async () => {
        release();
        await running;
        await Promise.all(closed);
      },
    };
  },
};

const conflictCases: readonly Case[] = [
  {
    slug: 'request-id-conflict',
    end: 'stop',
    advice: ['fix-request'],
    prepare: async ({ sealed }) => {
      let requestId: string = randomUUID();
      await sealed.call({ ...funds, headers: { 'X-Request-ID': requestId } });
      const other = { ...funds, body: fundsBody({ payee: 'Kiosk' }) };
      return {
        service: sealed,
        send: calling(sealed, () => ({ ...other, headers: { 'X-Request-ID': requestId } })),
        mend: () => {
          requestId = randomUUID();
        },
      };
    },
  },
  {
    slug: 'state-conflict',
    end: 'existing',
    advice: ['read-existing'],
    prepare: async ({ main }) => {
      const consentId = await receivedConsent(main, await freshToken(main));
      const path = `/ais/psd2/v1/consents/${consentId}/authorisations`;
      return { service: main, state: { consentId }, send: calling(main, () => ({ method: 'POST', path })) };
    },
  },
  {
    slug: 'payment-already-submitted',
    end: 'existing',
    advice: ['read-existing'],
    prepare: async ({ sealed }) => {
      const id = await approved(sealed);
      await submit(sealed, id);
      return { service: sealed, send: calling(sealed, () => ({ method: 'POST', path: orderPath(id) })) };
    },
  },
  {
    slug: 'payment-executed',
    end: 'existing',
    advice: ['read-existing'],
    prepare: async ({ sealed }) => {
      const id = await approved(sealed);
      await submit(sealed, id);
      return { service: sealed, send: calling(sealed, () => ({ method: 'DELETE', path: orderPath(id) })) };
    },
  },
];

const limitCases: readonly Case[] = [
  {
    slug: 'rate-limited',
    end: 'stop',
    advice: ['fix-request'],
    prepare: async ({ wary }) => {
      let key: string = randomUUID();
      const send = calling(wary, () => ({ path: ATMS, headers: { [KEY]: key } }));
      await wary.call({ path: ATMS, headers: { [KEY]: 'wrong' } });
      return {
        service: wary,
        send,
        mend: () => {
          key = wary.keyOf();
        },
      };
    },
  },
  {
    slug: 'quota-exceeded',
    end: 'success',
    advice: ['wait'],
    prepare: async ({ main }) => {
      const { key } = await subscribe(main, { quotaPerMinute: 1 });
      await main.call({
        path: ATMS,
        headers: { [KEY]: key, Authorization: `Bearer ${await freshToken(main)}` },
      });
      return { service: main, send: calling(main, () => ({ path: ATMS, headers: { [KEY]: key } })) };
    },
  },
  exceeded('of one that lasts', true),
  exceeded('of a one-off consent', false),
  {
    slug: 'too-many-open-consents',
    end: 'success',
    advice: ['wait', 'refresh-token'],
    prepare: async ({ main }) => {
      const as = { psu: 'katerina' };
      const token = await freshToken(main, as);
      for (let count = 0; count < MAX_OPEN; count += 1) await receivedConsent(main, token);
      const body = { permissions: ['AccountsBasic'] };
      return {
        service: main,
        state: { token },
        send: calling(main, () => ({ method: 'POST', path: '/ais/psd2/v1/consents', body })),
        refresh: () => freshToken(main, as),
      };
    },
  },
];

const outageCases: readonly Case[] = [
  passing('processing-timeout', 'core-timeout', 'impatient'),
  passing('internal-error', 'internal-error'),
  passing('overloaded', 'overloaded'),
  passing('dependency-unavailable', 'core-down'),
  draining,
];

/** The first page is read, and its link lies until it is too old. */
const expiredPage: Case = {
  slug: 'page-expired',
  end: 'success',
  advice: ['start-over'],
  prepare: async ({ main }) => {
    const { id, first } = await addAccess(main, {});
    const path = `/ais/psd2/v1/accounts/${first}/transactions`;
    const send = calling(main, ({ consentId, page }) => ({
      path: `${path}${page || '?limit=1'}`,
      headers: { 'Consent-ID': consentId, ...attended },
    }));
    const begun = {
      requestId: randomUUID(),
      token: await freshToken(main),
      consentId: id,
      dateFrom: '',
      page: '',
    };
    const { json } = await send(begun);
    const { href } = (json as { _links: { next: { href: string } } })._links.next;
    await moveBankClock(main, `PT${PAGE_LINK_MINUTES + 1}M`);
    return { service: main, state: { consentId: id, page: new URL(href).search }, send };
  },
};

export const momentCases: readonly Case[] = [...conflictCases, ...limitCases, ...outageCases, expiredPage];
