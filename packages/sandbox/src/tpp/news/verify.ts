/** Whether a webhook comes from the bank: the check of the client package, with its verdict as words for the page. */
import { createEventVerifier, EventError } from '@trapeza/client';
import type { Clock } from 'trapeza/base';
import { walkthroughAddresses } from '../../applications.js';
import { recordingFetch } from '../wire/wire.js';
import type { Received, Verdict } from './webhooks.js';

export interface VerifierParts {
  readonly site: { readonly baseUrl: string };
  readonly clock: Clock;
}

const PROVEN =
  'The digest fits the body, and a key that the bank publishes has signed digest, address and event id a moment ago: it comes from the bank, and nobody has changed it.';

export const verifier = ({ site, clock }: VerifierParts): ((received: Received) => Promise<Verdict>) => {
  /** The address of the service is known only once it listens. */
  let verify: ReturnType<typeof createEventVerifier> | undefined;
  const open = () => {
    const baseUrl = site.baseUrl.replace(/\/+$/, '');
    return createEventVerifier({
      baseUrl,
      url: walkthroughAddresses(baseUrl).webhookUrl,
      clock,
      fetch: recordingFetch(baseUrl, { title: '', words: '' }, () => undefined),
    });
  };
  return async ({ request, body }) => {
    verify ??= open();
    try {
      await verify({ headers: request.headers, body });
      return { isVerified: true, words: PROVEN };
    } catch (error) {
      if (!(error instanceof EventError)) throw error;
      return { isVerified: false, words: error.message };
    }
  };
};
