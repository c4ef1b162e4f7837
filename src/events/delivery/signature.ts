/** Signs a notification (RFC 9421), so that its receiver knows who sent it and that nothing was changed on the way. */

import { createHash } from 'node:crypto';
import type { RealTime } from '../../lib/clock.js';
import { version } from '../../version.js';

export interface NotificationKey {
  readonly keyid: string;
  /** ECDSA with P-256 and SHA-256, the two numbers one after the other. */
  readonly sign: (data: Buffer) => Promise<Buffer>;
}

const covered = ['@method', '@target-uri', 'content-digest', 'content-type', 'event-id'];
const parameters = ['created', 'keyid', 'alg', 'tag'];

/** All headers of the notification. `nowMs` is real time. */
export const signedHeaders = async (
  notification: { readonly target: string; readonly eventId: string; readonly body: string },
  { keyid, sign }: NotificationKey,
  nowMs: RealTime,
): Promise<Record<string, string>> => {
  const { target, eventId, body } = notification;
  const headers = {
    'Content-Type': 'application/json',
    'Content-Digest': `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
    'Event-ID': eventId,
    'User-Agent': `trapeza/${version}`,
  };
  const { httpbis } = await import('http-message-signatures');
  const signed = await httpbis.signMessage(
    {
      key: { id: keyid, alg: 'ecdsa-p256-sha256', sign },
      name: 'sig1',
      fields: covered,
      params: parameters,
      paramValues: { created: new Date(nowMs), tag: 'trapeza-event' },
    },
    { method: 'POST', url: target, headers },
  );
  return signed.headers as Record<string, string>;
};
