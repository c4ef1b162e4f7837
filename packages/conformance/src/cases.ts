/** All cases, in the order in which they run. */
import type { Case } from './case.js';
import { accountCases } from './cases/accounts.js';
import { atmCases } from './cases/atms.js';
import { consentCases } from './cases/consents.js';
import { credentialCases } from './cases/credentials.js';
import { eventCases } from './cases/events.js';
import { fundsCases } from './cases/funds.js';
import { fundsBodyCases } from './cases/funds-bodies.js';
import { messageCases } from './cases/messages.js';
import { oauthCases } from './cases/oauth.js';
import { orderCases } from './cases/orders.js';
import { pagingCases } from './cases/paging.js';
import { readCases } from './cases/reads.js';
import { recordCases } from './cases/records.js';
import { repeatCases } from './cases/repeats.js';
import { signatureCases } from './cases/signatures.js';

export const cases: readonly Case[] = [
  ...fundsCases,
  ...fundsBodyCases,
  ...atmCases,
  ...recordCases,
  ...readCases,
  ...credentialCases,
  ...messageCases,
  ...consentCases,
  ...repeatCases,
  ...accountCases,
  ...pagingCases,
  ...orderCases,
  ...oauthCases,
  ...signatureCases,
  ...eventCases,
];
