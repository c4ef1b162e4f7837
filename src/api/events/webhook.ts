/** A notification as the OpenAPI document describes it to those who receive it. */
import type { Webhook } from '../../http/operation.js';
import { EventSchema, eventExample } from './get-events.js';

const header = (name: string, description: string, example: string) => ({
  name,
  description,
  required: true,
  schema: { type: 'string' },
  example,
});

export const eventWebhook: Webhook = {
  id: 'receiveEvent',
  name: 'statusChange',
  summary: 'A status has changed',
  description:
    'Sent to the webhook of the application, or to the address that a consent names in TPP-Notification-URI. It may arrive more than once, always with the same bytes. Verify the signature (RFC 9421) with the keys of `GET /events/psd2/v1/keys`, answer with any 2xx within five seconds, then do your work.',
  headers: [
    header('Event-ID', 'Id of the event, as in the body.', eventExample.id),
    header(
      'Content-Digest',
      'Hash of the body (RFC 9530).',
      'sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:',
    ),
    header(
      'Signature-Input',
      'What is signed and with which key.',
      'sig1=("@method" "@target-uri" "content-digest" "content-type" "event-id");created=1794735000;keyid="2026-11";alg="ecdsa-p256-sha256";tag="trapeza-event"',
    ),
    header('Signature', 'The signature.', 'sig1=:MEUCIQ==:'),
  ],
  body: EventSchema,
  example: eventExample,
};
