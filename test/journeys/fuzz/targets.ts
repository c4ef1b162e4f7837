/** Everything that can be asked: the operations of the interface, the controls of the sandbox, the pages, the OAuth endpoints. */
import { consentTargets } from './consents.js';
import { confirmFunds } from './funds.js';
import { oauthTargets } from './oauth.js';
import { controlTargets, orderTargets } from './orders.js';
import { pageTargets } from './pages.js';
import { readTargets } from './reads.js';
import type { Target } from './target.js';

export const targets: readonly Target[] = [
  confirmFunds,
  ...readTargets,
  ...consentTargets,
  ...orderTargets,
  ...controlTargets,
  ...pageTargets,
  ...oauthTargets,
];

/** Those that the interface specifies; the others are described by their purpose. */
export const specified: readonly string[] = [
  'confirmFunds',
  'getAtms',
  'getConsentStatus',
  'getPaymentConsent',
];

export const targetOf = (id: string): Target => {
  const found = targets.find((each) => each.id === id);
  if (!found) throw new Error(`no target ${id}`);
  return found;
};
