/** How a problem is provoked over HTTP, and the world in which its advice is followed. */
import { randomUUID } from 'node:crypto';
import { SECOND } from '../../../src/lib/clock.js';
import type { Advice } from '../../../src/problem/advice.js';
import type { ProblemSlug } from '../../../src/problem/problem.js';
import { done, send, type Wanted } from '../../support/client.js';
import { approve, freshToken, statusPath } from '../../support/operations.js';
import { responsesIn } from '../../support/raw-answers.js';
import type { Service } from '../../support/service.js';
import type { End, Reply, State, World } from './client.js';

export interface Services {
  /** Its clock is moved. */
  readonly main: Service;
  /** Its clock is not: signatures have a time. */
  readonly sealed: Service;
  /** Gives up soon. */
  readonly impatient: Service;
  /** Accepts few wrong keys. */
  readonly wary: Service;
}

export interface Prepared extends Partial<World> {
  readonly service: Service;
  readonly send: World['send'];
  readonly state?: Partial<State>;
  /** What a developer or the bank does after a stop; then the request must succeed. */
  readonly mend?: () => unknown;
  readonly close?: () => Promise<unknown>;
}

export interface Case {
  readonly slug: ProblemSlug;
  /** Why, if a problem has several cases. */
  readonly what?: string;
  readonly end: End;
  /** All that is followed, in its order. */
  readonly advice: readonly Advice[];
  /** It needs what is not there in this run. */
  readonly isSkipped?: boolean;
  readonly prepare: (services: Services) => Promise<Prepared> | Prepared;
}

type As = { psu?: string; application?: string; scope?: string };
export type Request = Wanted & { readonly as?: As };

/** Sends as a third party does: its own key, and the token and id of the client's state. */
export const calling =
  (service: Service, request: (state: State) => Request): World['send'] =>
  (state) => {
    const { headers, ...wanted } = request(state);
    const own = { Authorization: `Bearer ${state.token}`, 'X-Request-ID': state.requestId };
    return service.call({ ...wanted, headers: { ...own, ...headers } });
  };

/** A mistake in the program: it stops, and works once the mistake is mended. */
export const mistake = (slug: ProblemSlug, requestOf: (isMended: boolean) => Request): Case => ({
  slug,
  end: 'stop',
  advice: ['fix-request'],
  prepare: ({ main }) => {
    let isMended = false;
    return {
      service: main,
      send: calling(main, () => requestOf(isMended)),
      mend: () => {
        isMended = true;
      },
    };
  },
});

/** The answers to bytes that no client library would send. */
export const rawReply = (text: string): Reply => {
  const [answer] = responsesIn(text);
  if (!answer) throw new Error('no answer');
  return { ...answer, json: JSON.parse(answer.text) as unknown };
};

const fresh = { permissions: ['AccountsBasic', 'TransactionsBasic'], recurring: true };

/** A consent of the first account holder that nobody has decided about. */
export const receivedConsent = async (service: Service, token: string): Promise<string> => {
  const send = calling(service, () => ({ method: 'POST', path: '/ais/psd2/v1/consents', body: fresh }));
  const reply = await send({ requestId: randomUUID(), token, consentId: '', dateFrom: '', page: '' });
  return (reply.json as { consentId: string }).consentId;
};

export const worldOf = ({ service, ...own }: Prepared): World => {
  const token = (): Promise<string> => freshToken(service);
  return {
    // Bank time follows real time.
    wait: async (seconds) => service.clock.advance(seconds * SECOND),
    refresh: token,
    authorize: (scope) => freshToken(service, scope === undefined ? {} : { scope }),
    decide: async (consentId) => void (await approve(service, consentId)),
    renew: async (address) => {
      const { pathname } = new URL(address);
      const headers = {
        'Ocp-Apim-Subscription-Key': service.keyOf(),
        Authorization: `Bearer ${await token()}`,
        'X-Request-ID': randomUUID(),
      };
      const answer = done(await send(service.url, { method: 'POST', path: pathname, headers }));
      await approve(service, (answer.json as { consentId: string }).consentId);
    },
    newConsent: async () => {
      const id = await receivedConsent(service, await token());
      await approve(service, id);
      return id;
    },
    read: async (address) => {
      const path = address === undefined ? statusPath(own.state?.consentId ?? '') : new URL(address).pathname;
      return service.call({ path, headers: { Authorization: `Bearer ${await token()}` } });
    },
    ...own,
  };
};
