/**
 * A sandbox of one's own for every developer: a whole service below `/dev`, with its own store and therefore its own clock, people, keys,
 * consents and pages. The sandbox hands requests on to it; nothing in the product knows of developers.
 */
import type { IncomingMessage } from 'node:http';
import {
  type Config,
  hashPassphrase,
  type Inbound,
  type Mount,
  openDb,
  Problem,
  pathOf,
  type Source,
  sha256,
} from 'trapeza/base';
import {
  type DeveloperPortal,
  type Extension,
  type ExtensionBase,
  errorFields,
  startApp,
} from 'trapeza/extend';
import { type MadeApplication, registerFor } from '../own-applications.js';
import { type Developer, Developers } from './developers.js';
import { type Guest, OpenSandboxes, type Refusal } from './open-sandboxes.js';
import { MOST_MIB, makeOwnStore, ownStoreUrl, removeOwnStore, StoreSize } from './own-store.js';
import { placesHere } from './places.js';
import { portalOf } from './sessions.js';

const BELOW = '/dev';
const ADDRESS = new RegExp(`^${BELOW}/([a-z0-9-]{1,64})(?=[/?]|$)/?(.*)$`, 's');
/** RFC 8414, 3.1: the path of an issuer comes after this. */
const METADATA = '/.well-known/oauth-authorization-server';
/** The service of the developer judges. */
const EVERYBODY = { name: 'everybody' } as const;
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const;

/** Enough for the rule of 90 days, and made in a second. */
const MONTHS = 6;
const CONNECTIONS = 3;
const PROBE_MS = 3_600_000;

/** Each has secrets of its own: what one sandbox has signed or sealed is nothing to another. */
const ownSecret = (secret: string | undefined, id: string): string =>
  (secret ?? '')
    .split(',')
    .map((each) => sha256(`${each}:developer:${id}`))
    .join();

const configOf = ({ config, site }: ExtensionBase, id: string, place: string): Config => ({
  ...config,
  baseUrl: addressOf(site.baseUrl, place),
  databaseUrl: ownStoreUrl(config.databaseUrl, id),
  databasePool: CONNECTIONS,
  secret: ownSecret(config.secret, id),
  demoMonths: Math.min(config.demoMonths, MONTHS),
  demoVolume: 0,
  seedFile: undefined,
  // Its readiness is not asked for.
  readyWithinMs: PROBE_MS,
});

const addressOf = (baseUrl: string, place: string): string =>
  `${baseUrl.replace(/\/+$/, '')}${BELOW}/${place}`;

/** The requests of a sandbox are in the log of the one around it; its faults are in both. */
const faultsOnly = (log: ExtensionBase['log']): ExtensionBase['log'] => {
  const nothing = (): void => undefined;
  return {
    info: nothing,
    line: nothing,
    flush: nothing,
    warn: log.warn.bind(log),
    error: log.error.bind(log),
    fatal: log.fatal.bind(log),
  };
};

/** What a pooler would lose between two transactions, and people and tokens of another system, cannot be had several times. */
export const hasTenancy = ({ config, core }: ExtensionBase): boolean =>
  !core && !config.issuer && config.databasePooling === 'session';

export interface SignedUp {
  readonly developer: Developer;
  readonly baseUrl: string;
  readonly application: MadeApplication;
}

export class Tenancy {
  readonly #base: ExtensionBase;
  readonly #sandboxes: OpenSandboxes;
  readonly developers: Developers;

  constructor(base: ExtensionBase, extensionOf: (portal: DeveloperPortal) => Extension) {
    const { db, clock, config } = base;
    this.#base = base;
    this.developers = new Developers(db, clock, Math.floor(config.sandboxDiskMiB / MOST_MIB));
    this.#sandboxes = new OpenSandboxes({
      clock,
      places: config.sandboxPlaces ?? placesHere(db.engine),
      start: (id, place) => this.#start(id, place, extensionOf(portalOf(this.developers, base.site, id))),
      onRefused: (reason, source) => this.#refused(reason, source),
    });
  }

  async #start(id: string, place: string, extension: Extension): Promise<Guest> {
    const { clock, log, reach } = this.#base;
    let size: StoreSize | undefined;
    const open: Extension['open'] = (own) => {
      size = new StoreSize(own.db, clock);
      return extension.open(own);
    };
    const app = await startApp({
      config: configOf(this.#base, id, place),
      extensions: [{ ...extension, open }],
      clock,
      log: faultsOnly(log),
      listens: false,
      isGuest: true,
      ownPorts: reach.ownPorts,
    });
    return {
      handle: app.handle,
      close: () => app.close(),
      isFull: async (isWrite) => (await size?.isFull(isWrite)) ?? false,
    };
  }

  #refused(reason: Refusal | 'disk', source: Source): void {
    this.#base.security.event('sandbox-refused', { reason, address: source });
  }

  addressOf({ place }: Developer): string {
    return addressOf(this.#base.site.baseUrl, place);
  }

  /** The only time that the credentials of the first application are shown. */
  async signUp(
    { name, passphrase }: { readonly name: string; readonly passphrase: string },
    inbound: Inbound,
    isLate: () => boolean,
  ): Promise<SignedUp> {
    const { guard, sourceOf } = this.#base;
    const source = sourceOf(inbound.request);
    guard.signUp(inbound);
    await this.#finishBrokenOff();
    const hash = (): Promise<string> => guard.hash(inbound, () => hashPassphrase(passphrase));
    const onFull = (): void => this.#refused('disk', source);
    const { developer, replaced } = await this.developers.add(name, hash, onFull);
    if (replaced) await this.#removeStore(replaced);
    try {
      const made = await this.#furnish(developer, source);
      if (isLate()) throw new Problem('processing-timeout');
      return made;
    } catch (error) {
      await this.remove(developer);
      throw error;
    }
  }

  async #furnish(developer: Developer, source: Source): Promise<SignedUp> {
    const { db, config, clock, reach } = this.#base;
    await makeOwnStore(db, developer.id);
    await this.#sandboxes.prepare({ ...developer, source });
    const baseUrl = this.addressOf(developer);
    const own = await openDb(ownStoreUrl(config.databaseUrl, developer.id), 1);
    try {
      const parts = { db: own, site: { baseUrl }, reach, now: () => clock.now() };
      const { tppId, made } = await registerFor(parts, { name: developer.name });
      await this.developers.complete(developer, tppId);
      return { developer: { ...developer, tppId }, baseUrl, application: made };
    } finally {
      await own.close();
    }
  }

  /** With everything in it. Other nodes notice at their next request for it. */
  async remove(developer: Developer): Promise<void> {
    await this.developers.end(developer);
    await this.#removeStore(developer);
  }

  /** A process that was killed in the middle of a sign-up or a removal leaves a store, and the name is taken. */
  async #finishBrokenOff(): Promise<void> {
    for (const each of await this.developers.brokenOff()) await this.#removeStore(each);
  }

  /** What fails, because another node still uses the store, is tried again by the sweep. */
  async #removeStore(developer: Developer): Promise<void> {
    const { db, config, log } = this.#base;
    try {
      await this.#sandboxes.close(developer.id);
      await removeOwnStore(db, config.databaseUrl, developer.id);
      await this.developers.remove(developer);
    } catch (error) {
      log.warn(errorFields(error), 'the store of a sandbox could not be removed');
    }
  }

  get mount(): Mount {
    return {
      name: 'inner',
      routes: [
        ...METHODS.map((method) => ({ method, path: `${BELOW}/*`, audience: EVERYBODY })),
        { method: 'GET', path: `${this.#metadata}/*`, audience: EVERYBODY },
      ],
      serve: async (request, response, exchange) => {
        const { developer, rest } = await this.#targetOf(request);
        // From here on its own deadline counts, or that of its opening.
        request.url = rest;
        const wanted = { ...developer, source: this.#base.sourceOf(request) };
        await this.#sandboxes.serve(wanted, request, response, () => exchange.isLate());
        clearTimeout(exchange.deadline);
      },
    };
  }

  /** What the metadata of all sandboxes have in common. */
  get #metadata(): string {
    const { baseUrl } = this.#base.site;
    return `${METADATA}${new URL(addressOf(baseUrl, '')).pathname.replace(/\/$/, '')}`;
  }

  async #targetOf({ url = '' }: IncomingMessage) {
    const path = pathOf(url);
    const isMetadata = path.startsWith(`${this.#metadata}/`);
    const [, place = '', rest = ''] =
      ADDRESS.exec(isMetadata ? `${BELOW}${path.slice(this.#metadata.length)}` : path) ?? [];
    const developer = place === '' ? undefined : await this.developers.at(place);
    if (!developer) throw new Problem('route-not-found');
    // Its own service knows the path below which it is.
    return { developer, rest: isMetadata ? path : `/${rest}` };
  }

  /** Jobs of every process: what is idle or gone is closed. */
  async sweepServices(): Promise<number> {
    await this.#sandboxes.closeIdle();
    for (const id of await this.developers.goneOf(this.#sandboxes.ids)) await this.#sandboxes.close(id);
    return 0;
  }

  async sweep(): Promise<number> {
    await this.#finishBrokenOff();
    return this.developers.sweepSessions();
  }

  close(): Promise<void> {
    return this.#sandboxes.closeAll();
  }
}
