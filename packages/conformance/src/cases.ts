/** All cases, in the order in which they run. */
import type { Case } from './case.js';
import { atmCases } from './cases/atms.js';
import { credentialCases } from './cases/credentials.js';
import { fundsCases } from './cases/funds.js';
import { fundsBodyCases } from './cases/funds-bodies.js';
import { messageCases } from './cases/messages.js';
import { readCases } from './cases/reads.js';
import { recordCases } from './cases/records.js';

export const cases: readonly Case[] = [
  ...fundsCases,
  ...fundsBodyCases,
  ...atmCases,
  ...recordCases,
  ...readCases,
  ...credentialCases,
  ...messageCases,
];
