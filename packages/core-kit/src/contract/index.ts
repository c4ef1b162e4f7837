/** Promises of the ports, for the tests of a bank that implements them. */
export { accountHolderPromises, type TriedHolders } from './account-holders.js';
export { bankPromises } from './bank.js';
export type { KeptPromise } from './promises.js';
export type { TriedBank } from './tried-bank.js';
