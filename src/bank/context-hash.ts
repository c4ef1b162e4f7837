/** What is approved, as one text: whatever is bound to it works for nothing else. The language is not part of it. */
import { sha256 } from '../lib/hash.js';
import type { ScaContext } from './account-holders.js';

export const contextHash = ({ shownHash, payment }: ScaContext): string =>
  sha256(JSON.stringify([shownHash, payment ? [payment.amount, payment.payee, payment.account] : null]));
