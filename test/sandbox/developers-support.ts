/** Developers with a sandbox of their own, on two nodes. */
import { afterAll, beforeAll } from 'vitest';
import { type Answer, done, send, type Wanted } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import type { Engine } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';

const BASE_URL = 'http://127.0.0.1:1';
export const PASSPHRASE = 'correct horse battery';

export interface Made {
  readonly name: string;
  readonly baseUrl: string;
  readonly application: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly subscriptionKey: string;
  };
}

/** Two processes on one store. */
export const useNodes = (engine: Engine) => {
  const nodes: Service[] = [];
  let drop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const database = await createDatabase(engine);
    drop = database.drop;
    const env = { BASE_URL, TRAPEZA_DEMO_MONTHS: '1' };
    for (const _ of [1, 2]) nodes.push(await startService({ databaseUrl: database.url, env }));
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
    await drop?.();
  });
  const node = (number: number): Service => {
    const found = nodes[number];
    if (!found) throw new Error('the nodes have not started');
    return found;
  };
  return node;
};

export const signUp = (node: Service, name: string, passphrase = PASSPHRASE): Promise<Answer> =>
  send(node.app.listenUrl, { method: 'POST', path: '/sandbox/developers', body: { name, passphrase } });

export const made = async (node: Service, name: string): Promise<Made> =>
  done(await signUp(node, name)).json as Made;

export const pathOf = ({ baseUrl }: Made): string => new URL(baseUrl).pathname;

/** A call in the sandbox of this developer. */
export const callIn = (node: Service, developer: Made, { path, ...wanted }: Wanted): Promise<Answer> =>
  send(node.app.listenUrl, { outsideContract: true, ...wanted, path: `${pathOf(developer)}${path}` });
