/** Defects of notifications, each under the name of the one case that finds it. */
import { randomUUID } from 'node:crypto';
import type { AlterSending, Change, Sent } from '../egress.js';

/** Every attempt with this change. */
const changed =
  (change: Change): AlterSending =>
  ({ signed, forward }) =>
    forward(signed(change));

/** The first attempt as it is. */
const changedAgain =
  (change: (first: Sent, attempt: Parameters<AlterSending>[0]) => Sent): (() => AlterSending) =>
  () => {
    const firsts = new Map<string, Sent>();
    return (attempt) => {
      const { sent, count, forward } = attempt;
      const id = sent.headers['event-id'] ?? '';
      if (count === 1) firsts.set(id, sent);
      return forward(count === 1 ? sent : change(firsts.get(id) ?? sent, attempt));
    };
  };

const isApproval = ({ body }: Sent): boolean => body.includes('"Valid"');

/** Takes a refusal for an answer, sends what comes next, and then what was refused. */
const wrongOrder = (): AlterSending => {
  let refused: (() => Promise<number>) | undefined;
  return async ({ sent, forward, signed }) => {
    const status = await forward(sent);
    if (isApproval(sent)) refused = () => forward(signed({ laterS: 15 }));
    else await refused?.();
    return Math.min(status, 204);
  };
};

export const notificationDefects = (): Readonly<Record<string, AlterSending>> => ({
  'events-delivered': async () => 204,
  'events-notification-media-type': changed({ headers: { 'content-type': 'text/plain' } }),
  'events-notification-members': changed({ body: { occurredAt: 'today' } }),
  'events-notification-id': changed({ headers: { 'event-id': 'without' } }),
  'events-notification-private': changed({ body: { account: 'GR0599900010000000000000101' } }),
  'events-notification-in-feed': changed({
    headers: { 'event-id': '1b671a64-40d5-491e-99b0-da01ff1f3341' },
    body: { id: '1b671a64-40d5-491e-99b0-da01ff1f3341' },
  }),
  'events-notification-digest': changed({ headers: { 'content-digest': 'sha-256=:AAAA:' } }),
  'events-notification-covers': changed({ covered: ['@method', 'content-digest', 'event-id'] }),
  'events-notification-covers-id': changed({ covered: ['@method', '@target-uri', 'content-digest'] }),
  'events-notification-fresh': changed({ laterS: -3600 }),
  'events-notification-key': ({ sent, forward }) => {
    const input = (sent.headers['signature-input'] ?? '').replace(/keyid="[^"]*"/, `keyid="${randomUUID()}"`);
    return forward({ ...sent, headers: { ...sent.headers, 'signature-input': input } });
  },
  'events-notification-signed': ({ sent, forward }) =>
    forward({ ...sent, headers: { ...sent.headers, signature: `sig1=:${'A'.repeat(86)}==:` } }),
  'events-notification-again': async ({ sent, forward }) => Math.min(await forward(sent), 204),
  'events-notification-again-same': changedAgain((_first, { signed }) => signed({ body: { attempt: 2 } }))(),
  'events-notification-again-fresh': changedAgain((first) => first)(),
  'events-notification-order': wrongOrder(),
});
