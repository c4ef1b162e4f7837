/** What the tests of the register share: a migrated database, and a third party with everything it needs. */
import type { Db, Queries } from '../../src/store/db.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import {
  createApplication,
  createSubscription,
  createTpp,
  type IssuedKey,
  type NewSubscription,
} from '../../src/tpp/registry.js';
import { createDatabase } from '../support/database.js';
import type { Engine } from '../support/engines.js';

export interface Store {
  readonly db: Db;
  readonly url: string;
  close(): Promise<void>;
}

export const openStore = async (engine: Engine): Promise<Store> => {
  const database = await createDatabase(engine);
  const db = await openDb(database.url, 3);
  await migrate(db, 1);
  return {
    db,
    url: database.url,
    close: async () => {
      await db.close();
      await database.drop();
    },
  };
};

let counter = 0;

export interface Registered {
  readonly tppId: string;
  readonly registration: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly subscriptionId: string;
  readonly products: readonly string[];
  readonly primary: IssuedKey;
  readonly secondary: IssuedKey;
}

export const register = (
  db: Db,
  wanted: { readonly roles?: readonly string[] } & Partial<NewSubscription> = {},
): Promise<Registered> =>
  db.transaction(async (tx: Queries) => {
    counter += 1;
    const { roles = ['PSP_IC', 'PSP_AI', 'PSP_PI'], ...subscription } = wanted;
    const registration = `PSDGR-BOG-${counter}`;
    const tppId = await createTpp(tx, { name: 'Θάλασσα', registration, roles }, 1);
    const application = { tppId, name: 'App', redirectUris: ['https://app.example/back'] };
    const { clientId, clientSecret } = await createApplication(tx, application, 1);
    const made = await createSubscription(tx, { ...subscription, clientId }, 1);
    const [primary, secondary] = made.keys;
    if (!primary || !secondary) throw new Error('a subscription has two keys');
    const { subscriptionId, products } = made;
    return { tppId, registration, clientId, clientSecret, subscriptionId, products, primary, secondary };
  });
