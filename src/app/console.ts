/** The operator console: pages on a listener of their own, behind a login of their own. */
import { Admin } from '../admin/admin.js';
import { derivedActs } from '../admin/derived.js';
import { ensureDemoOperator, Operators } from '../admin/operators.js';
import { settingsInForce } from '../config/in-force.js';
import { messages } from '../console/messages/index.js';
import { CONSOLE } from '../console/visit.js';
import type { MountRoute } from '../http/exchange.js';
import { Load } from '../http/listeners/load.js';
import { createPageServer } from '../http/pages.js';
import type { Site } from '../http/render.js';
import { createHttpServer, type HttpServer } from '../http/server.js';
import type { TlsFiles } from '../lib/net/tls-files.js';
import { createConsolePages } from '../operator/index.js';
import type { ConsoleParts } from '../operator/parts.js';
import { openUploads } from '../operator/uploads.js';
import { createWrongTurns } from '../portal/problems/wrong-turn.js';
import { version } from '../version.js';
import { frameOf } from '../web/frame.js';
import type { Foundation } from './foundation.js';
import type { Closers } from './options.js';
import { keepsCalls } from './request-log.js';

export interface Console extends Pick<HttpServer, 'handle'> {
  readonly routes: readonly MountRoute[];
  /** Opens its listener; the address as it stands in links. */
  listen(): Promise<string>;
}

export interface ConsoleOptions {
  /** Where browsers reach it, unless the configuration says otherwise. */
  readonly url?: string;
  /** Calls of the last minutes, of all processes of this node. */
  readonly calls: ConsoleParts['calls'];
  readonly tls?: TlsFiles | undefined;
}

export const openConsole = async (
  service: Foundation,
  closers: Closers,
  { url, calls, tls }: ConsoleOptions,
): Promise<Console> => {
  // Operators look at a store that has forgotten something, and accept it.
  const base = { ...service, db: service.unguarded };
  const { config, db, clock, vault, extensions, dress: brand } = base;
  const demo = extensions.find((each) => each.demoOperator)?.demoOperator;
  if (demo) await ensureDemoOperator(db, vault, demo, clock.now());
  const scheme = tls ? 'https' : 'http';
  const site: Site = { baseUrl: config.operatorUrl ?? url ?? `${scheme}://${config.operatorHost}` };
  const additions = () => extensions.find((each) => each.additions)?.additions?.();
  const frame = () => frameOf(site.baseUrl, version, additions(), { brand });
  const uploads = closers.add(openUploads(), (each) => each.close());
  const all = createConsolePages({
    ...base,
    calls,
    settings: () => settingsInForce(config),
    uploads,
    site,
    demo,
    admin: new Admin(base),
    context: base,
    actTexts: [...new Set(derivedActs.map(([, { texts }]) => texts))],
    operators: new Operators(base),
    frame,
    timeZone: config.timeZone,
    keepsCalls: keepsCalls(base),
  });
  site.problemPage = createWrongTurns({
    frame,
    operations: [],
    pagePaths: all.filter(({ method }) => method === 'GET').map(({ path }) => path),
    console: { path: CONSOLE, names: { el: messages.el.title, en: messages.en.title } },
  });
  const pages = closers.add(await createPageServer(all, site, uploads), (each) => each.close());
  const server = createHttpServer(
    {
      ...base,
      config: {
        ...config,
        host: config.operatorHost,
        port: config.operatorPort,
        sharedPort: 'off',
        tlsClientCertificate: 'off',
      },
      site,
      operations: [],
      stagesOf: () => [],
      mounts: [pages],
      onRefusal: () => undefined,
      tls,
      connections: base.connectionsOf('console'),
      sharerOf: base.sourceOf,
    },
    // Its own: people must get in while the service is overloaded.
    new Load(config),
  );
  return {
    handle: server.handle,
    routes: pages.routes,
    listen: async () => {
      const { port } = await closers.add(server, (each) => each.drain()).listen();
      base.reach.ownPorts.add(port);
      site.baseUrl = config.operatorUrl ?? `${scheme}://${config.operatorHost}:${port}`;
      return site.baseUrl;
    },
  };
};
