/** The operator console: pages of their own on the management listener, behind a login of their own. */
import { IncomingMessage, type ServerResponse } from 'node:http';
import { Admin } from '../admin/admin.js';
import { ensureDemoOperator, Operators } from '../admin/operators.js';
import { settingsInForce } from '../config/in-force.js';
import { Load } from '../http/listeners/load.js';
import { createPageServer } from '../http/pages.js';
import type { Site } from '../http/render.js';
import { createHttpServer } from '../http/server.js';
import { createConsolePages } from '../operator/index.js';
import type { ConsoleParts } from '../operator/visit.js';
import { version } from '../version.js';
import { frameOf } from '../web/frame.js';
import type { Foundation } from './foundation.js';
import type { Closers } from './options.js';

export interface Console {
  /** Its address is known once the listener is open. */
  readonly site: Site;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

export interface ConsoleOptions {
  /** Where browsers reach it, unless the configuration says otherwise. */
  readonly url?: string;
  /** Calls of the last minutes, of all processes of this node. */
  readonly calls: ConsoleParts['calls'];
}

export const openConsole = async (
  base: Foundation,
  closers: Closers,
  { url, calls }: ConsoleOptions,
): Promise<Console> => {
  const { config, db, clock, vault, extensions, dress: brand } = base;
  const demo = extensions.find((each) => each.demoOperator)?.demoOperator;
  if (demo) await ensureDemoOperator(db, vault, demo, clock.now());
  const site: Site = { baseUrl: config.operatorUrl ?? url ?? `http://${config.managementHost}` };
  const additions = () => extensions.find((each) => each.additions)?.additions?.();
  const all = createConsolePages({
    ...base,
    calls,
    settings: () => settingsInForce(config),
    site,
    demo,
    admin: new Admin(base),
    operators: new Operators(base),
    frame: () => frameOf(site.baseUrl, version, additions(), { brand }),
    timeZone: config.timeZone,
  });
  const pages = closers.add(await createPageServer(all, site), (each) => each.close());
  const { handle } = createHttpServer(
    {
      ...base,
      site,
      operations: [],
      stagesOf: () => [],
      mounts: [pages],
      onRefusal: () => undefined,
      tls: undefined,
      requestClass: IncomingMessage,
      subscriptionOf: () => '',
    },
    // Its own: people must get in while the service is overloaded.
    new Load(config.maxInFlight),
  );
  return { site, handle };
};
