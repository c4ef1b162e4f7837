/** How the browser finds back to the page that it left for the provider, which knows one address of ours. */
import { newSecret } from '../../lib/id.js';

/** The path to which the provider sends the browser back. */
export const CONFIRMED = '/login/confirmed';

/** The page that waits stands in the state. */
export const stateOf = (returnTo: string): string =>
  `${newSecret()}.${Buffer.from(returnTo).toString('base64url')}`;

export const returnToIn = (state: string): string =>
  Buffer.from(state.split('.')[1] ?? '', 'base64url').toString();
