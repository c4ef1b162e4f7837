/** What `serve` needs to start: a store, an identity provider, and a bank that has nothing. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../bench/free-port.js';
import { testSecret } from '../support/service.js';
import { tempFolder } from './program.js';

export const BANK = `
const nothing = async () => undefined;
const none = async () => [];
export const createBank = () => ({
  name: 'tiny bank',
  hasFunds: async () => true,
  accountsOf: none, balances: none, statements: none,
  termsFor: nothing, transactions: nothing, transaction: nothing, statement: nothing, ping: nothing,
});
`;

/** A complete configuration on a fresh store. */
export const completeEnv = async (issuer: string): Promise<Record<string, string>> => {
  const folder = tempFolder();
  const module = join(folder, 'bank.mjs');
  writeFileSync(module, BANK);
  const port = await freePort();
  return {
    PORT: String(port),
    TRAPEZA_MANAGEMENT_PORT: '0',
    BASE_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: `sqlite:${join(folder, 'bank.db')}`,
    TRAPEZA_SECRET: testSecret,
    TRAPEZA_ISSUER: issuer,
    TRAPEZA_BANK_MODULE: module,
  };
};
