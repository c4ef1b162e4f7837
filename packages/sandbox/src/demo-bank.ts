/** The demo bank, for a core that is built on it. */
export { createDemoBank } from './bank/demo-bank.js';
export { demoAccountHolders } from './bank/demo-identity.js';
export { answerOnPhone, phoneRequests } from './bank/demo-phone.js';
export type { HistoryOptions } from './bank/history/demo-history.js';
export { Random } from './bank/history/random.js';
export { nameEntries } from './bank/ledger/entry-ids.js';
export { fromMicros, toMicros } from './bank/ledger/transfer.js';
export { DemoLife } from './bank/living/demo-life.js';
export { demoAccount, demoAccounts, demoPsus } from './bank/people.js';
export { clearDemoBank, seedDemoBank } from './bank/seed-bank.js';
export { makeBooks } from './bank/seed-books.js';
export { sandboxMigrations } from './migrations/index.js';
