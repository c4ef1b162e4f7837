/**
 * The demo third party under `/sandbox/tpp`: it plays a card issuer, an account information service and a payment initiator, and
 * uses the public interface alone. This is what its pages show and what their buttons do.
 */
import { type Clock, isUuid, newId, newSecret, type Queries, type Vault } from 'trapeza/base';
import { demoApplications, hasWebhookAt, WALKTHROUGH } from '../applications.js';
import type { DemoPsu } from '../bank/people.js';
import { act } from './actions.js';
import { comeBack, type Misfit, misfitOf, type Query, walkIdOf } from './callback.js';
import { createCapabilities } from './capabilities.js';
import { flows } from './flows/index.js';
import { presetsOf } from './flows/people.js';
import { verifier } from './news/verify.js';
import { sweepWebhooks, Webhooks, webhookMount } from './news/webhooks.js';
import { Turn, type TurnParts } from './turn.js';
import { walkView, wayNames } from './view.js';
import { type Entries, newWalk, type Way } from './walk.js';
import { type HeldWalk, sweepWalks, Walks } from './walks.js';

export interface DemoTppParts {
  readonly db: Queries;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly site: { readonly baseUrl: string };
  /** Whom the walk suggests: the first pays, the second gets paid. */
  readonly people: () => readonly DemoPsu[];
  /** Whether account holders have a page on which they withdraw. */
  readonly hasDashboard: () => boolean;
}

const ways: readonly Way[] = ['two', 'one'];

const wayWords: Readonly<Record<Way, string>> = {
  two: 'A login for a token first, then the consent and its approval.',
  one: 'The consent is part of the authorization request; login and approval are one visit.',
};

export type Browser = string | undefined;

const startOf = async ({ site }: DemoTppParts, turnParts: TurnParts, walks: Walks, browser: Browser) => {
  const [mine, offered] = await Promise.all([
    walks.ofBrowser(browser),
    turnParts.capabilities(site.baseUrl.replace(/\/+$/, '')).catch(() => undefined),
  ]);
  return {
    isReachable: offered !== undefined,
    flows: flows.map(({ id, title, audience, words }) => ({
      id,
      title,
      audience,
      words,
      ways: ways
        .filter((way) => way === 'two' || offered?.hasOneRedirect)
        .map((way) => ({ id: way, name: wayNames[way], words: wayWords[way] })),
    })),
    mine: mine.map((walk) => ({
      id: walk.id,
      title: flows.find(({ id }) => id === walk.flow)?.title ?? '',
      way: wayNames[walk.way],
      consent: walk.consent?.status,
    })),
  };
};

const turnPartsOf = ({ site, clock }: DemoTppParts): TurnParts => {
  const application = demoApplications.find(({ clientId }) => clientId === WALKTHROUGH);
  if (!application) throw new Error(`there is no application ${WALKTHROUGH}`);
  return { site, clock, application, capabilities: createCapabilities() };
};

export interface Return {
  /** Undefined: the walk is not known to this browser. */
  readonly walkId: string | undefined;
  readonly misfit: Misfit | undefined;
}

export const createDemoTpp = (parts: DemoTppParts) => {
  const { db, clock } = parts;
  const walks = new Walks(parts);
  const verify = verifier(parts);
  const webhooks = new Webhooks({ db, clock, verify, hasConsent: (id) => walks.hasConsent(id) });
  const turnParts = turnPartsOf(parts);
  const held = async (browser: Browser, id: string): Promise<HeldWalk | undefined> =>
    isUuid(id) ? walks.find(id, browser) : undefined;

  return {
    start: (browser: Browser) => startOf(parts, turnParts, walks, browser),

    /** Undefined: there is no such flow. */
    async begin(flow: string, way: string, browser: Browser) {
      const [chosen, chosenWay] = [flows.find(({ id }) => id === flow), ways.find((each) => each === way)];
      if (!chosen || !chosenWay) return undefined;
      const owner = browser ?? newSecret();
      const walk = newWalk(newId(), chosen.id, chosenWay, presetsOf(parts.people()));
      await walks.add(walk, owner);
      return { id: walk.id, browser: owner };
    },

    async view(browser: Browser, id: string) {
      const found = await held(browser, id);
      if (!found) return undefined;
      const { walk } = found;
      return walkView(walk, {
        people: parts.people(),
        capabilities: await turnParts.capabilities(parts.site.baseUrl.replace(/\/+$/, '')),
        webhooks: walk.consent ? await webhooks.of(walk.consent.id) : [],
        hasDashboard: parts.hasDashboard(),
        hasWebhook: hasWebhookAt(parts.site.baseUrl),
      });
    },

    /** Where the browser goes next, if not back to the walk. */
    async act(browser: Browser, id: string, action: string, form: Entries, address: string) {
      const found = await held(browser, id);
      if (!found) return undefined;
      const turn = new Turn(turnParts, found.walk, address);
      const leave = await act(turn, action, form);
      await walks.save(turn.walk, found.version);
      return { leave };
    },

    async comeBack(browser: Browser, query: Query, address: string): Promise<Return> {
      const id = walkIdOf(query);
      const found = await held(browser, id);
      if (!found) return { walkId: undefined, misfit: 'stranger' };
      const { expected, ...walk } = found.walk;
      const misfit = misfitOf(found.walk, query);
      if (misfit || !expected) return { walkId: id, misfit: misfit ?? 'used' };
      // Claimed before it is acted upon: a code is never sent twice.
      const version = await walks.save(walk, found.version);
      if (version === undefined) return { walkId: id, misfit: 'used' };
      const turn = new Turn(turnParts, walk, address);
      await comeBack(turn, expected, query);
      await walks.save(turn.walk, version);
      return { walkId: id, misfit: undefined };
    },

    mount: webhookMount(webhooks),
  };
};

/** Called by a job. */
export const sweepDemoTpp = async (db: Queries, clock: Clock): Promise<number> =>
  (await sweepWalks(db, clock.now())) + (await sweepWebhooks(db, clock.now()));
