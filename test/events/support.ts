/** What the tests of events do again and again: register a webhook, make a consent, decide about it, read the feed. */
import type { EventBody } from '../../src/events/event.js';
import { setWebhook } from '../../src/tpp/webhook.js';
import type { Answer } from '../support/client.js';
import { send } from '../support/client.js';
import { EVENTS, FINANCE, freshToken, ibanOf } from '../support/operations.js';
import { notice } from '../support/registry.js';
import type { Service } from '../support/service.js';
import { withStore } from '../support/use-service.js';

export const registerWebhook = async (
  service: Service,
  url: string | null,
  application = FINANCE,
): Promise<void> => {
  await withStore(service, (db) => db.transaction((tx) => setWebhook(tx, application, url, true)));
  notice(service);
};

export interface WantedConsent {
  readonly application?: string;
  readonly notificationUri?: string;
}

/** A Received funds consent of the first account holder. */
export const askConsent = async (service: Service, wanted: WantedConsent = {}): Promise<Answer> => {
  const { application, notificationUri } = wanted;
  const as = application === undefined ? {} : { application };
  return service.call({
    method: 'POST',
    path: '/piis/psd2/v1/consents',
    body: { account: { iban: ibanOf('eleni', 101) } },
    headers: {
      // Not one that is remembered: these tests move the clock.
      Authorization: `Bearer ${await freshToken(service, as)}`,
      'TPP-Notification-URI': notificationUri,
    },
    as,
  });
};

export const newConsent = async (service: Service, wanted: WantedConsent = {}): Promise<string> => {
  const answer = await askConsent(service, wanted);
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return (answer.json as { consentId: string }).consentId;
};

export const decide = async (
  service: Service,
  id: string,
  decision: 'approve' | 'reject' | 'revoke',
): Promise<void> => {
  const answer = await send(service.app.listenUrl, {
    method: 'POST',
    path: `/sandbox/consents/${id}/decision`,
    body: { decision },
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
};

export interface Feed {
  readonly events: readonly EventBody[];
  readonly _links: { readonly next?: { readonly href: string } };
}

export const readFeed = async (
  service: Service,
  query = '',
  as: { application?: string; psu?: string } = {},
): Promise<Feed> => {
  const answer = await service.call({ path: `${EVENTS}${query}`, as });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.json as Feed;
};
