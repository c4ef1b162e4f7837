/** The feed of events: status changes of the calling application's consents and payments, for all account holders. */
import { type Static, Type } from 'typebox';
import { consentKinds, consentStatuses } from '../../consent/record.js';
import { announcementKinds, notices } from '../../events/event.js';
import { readFeed } from '../../events/feed.js';
import { operation } from '../../http/operation.js';
import { fieldFault } from '../../problem/field.js';
import { Problem } from '../../problem/problem.js';
import type { Queries } from '../../store/db.js';
import { ScaValidUntilSchema, StatusReasonSchema, SupersededBySchema } from '../consents/schema.js';
import { credentialHeaders, requestId, signatureHeaders, uuidFault, wholeNumberFault } from '../headers.js';
import { LinkSchema, oneOf, someOf } from '../schema.js';

export interface EventParts {
  readonly db: Queries;
  readonly site: { readonly baseUrl: string };
}

const PATH = '/events/psd2/v1';
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

const moment = (description: string) => Type.String({ format: 'date-time', description });

const AnnouncementSchema = Type.Object(
  {
    id: Type.String({
      format: 'uuid',
      description:
        'The planned downtime or incident, as `/status.json` has it. The same in all events about it.',
    }),
    status: someOf(
      ['announced', 'cancelled', 'opened', 'updated', 'closed'],
      'A planned downtime is `announced` or `cancelled`; an incident is `opened`, `updated` or `closed`.',
    ),
    from: moment('When it begins or began.'),
    to: Type.Optional(moment('When it ends or ended. Absent while an incident lasts.')),
    text: Type.Object(
      { el: Type.String(), en: Type.String() },
      { description: 'What the bank says about it, in Greek and in English.', additionalProperties: false },
    ),
  },
  {
    title: 'Announcement',
    description: 'In events of type `downtime` and `incident` alone.',
    additionalProperties: false,
  },
);

export const EventSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The same in every delivery of this event.' }),
    position: Type.Integer({
      minimum: 1,
      description:
        'Its place in the feed of the application. Of two events the one with the higher position happened later; a number may be left out.',
    }),
    type: someOf(
      ['consent', 'payment', ...announcementKinds],
      'What has changed. `downtime` and `incident` are announced by the bank to every application.',
    ),
    occurredAt: Type.String({ format: 'date-time', description: 'When it changed.' }),
    consentId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'The consent, or that of the payment. Absent in announcements.',
      }),
    ),
    consentType: Type.Optional(oneOf(consentKinds, 'Kind of the consent. Absent in announcements.')),
    consentStatus: Type.Optional(oneOf(consentStatuses, 'The status of the consent since then.')),
    statusReason: Type.Optional(StatusReasonSchema),
    supersededBy: Type.Optional(SupersededBySchema),
    notice: Type.Optional(
      someOf(
        notices,
        'Of a Valid consent whose status has not changed: `renewed`, the account holder has authenticated anew; `authentication-ends`, the authentication ends within seven days (at scaValidUntil), and a renewal keeps the data open; `consent-ends`, the consent itself ends within seven days (at validUntil).',
      ),
    ),
    scaValidUntil: Type.Optional(ScaValidUntilSchema),
    validUntil: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the consent ends, if the notice is consent-ends.',
      }),
    ),
    paymentId: Type.Optional(Type.String({ description: 'The payment order.' })),
    transactionStatus: Type.Optional(
      Type.String({ description: 'The new status of the payment order, ISO 20022.' }),
    ),
    announcement: Type.Optional(AnnouncementSchema),
  },
  { title: 'Event', additionalProperties: false },
);

const EventsResponse = Type.Object(
  {
    events: Type.Array(EventSchema),
    _links: Type.Object(
      {
        next: Type.Optional({ ...LinkSchema, description: 'What follows, now or later.' }),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

export const eventExample: Static<typeof EventSchema> = {
  id: '7a1f0c52-6f8e-4b0f-9a35-0f3f3a1d2b11',
  position: 12,
  type: 'consent',
  occurredAt: '2026-11-15T09:30:00.000Z',
  consentId: '3f0a7c1e-5d0b-4f5e-8a43-5b6f0d1c2e77',
  consentType: 'AccountAccess',
  consentStatus: 'TerminatedByTpp',
  statusReason: 'superseded',
  supersededBy: '9b3f6a52-11c7-4a0b-9f0e-61f2a7a3c5d4',
};

const example: Static<typeof EventsResponse> = {
  events: [eventExample],
  _links: { next: { href: `${PATH}?after=${eventExample.id}` } },
};

const nextHref = (baseUrl: string, after: string, limit: string | undefined): string =>
  `${baseUrl}${PATH}?after=${after}${limit ? `&limit=${limit}` : ''}`;

export const getEvents = ({ db, site }: EventParts) =>
  operation({
    id: 'getEvents',
    method: 'GET',
    path: PATH,
    area: 'events',
    summary: 'Get events',
    description:
      'Reads the status changes of all consents and payments of the calling application, and what the bank has announced to all, oldest first. Follow `next` to go on: it is there as long as there is an event to go on from, also when nothing has happened since. It works as long as the bank keeps that event; then it is 400 `page-expired`: leave `after` out and start over with the oldest one.',
    headers: [requestId, ...signatureHeaders, ...credentialHeaders],
    query: [
      {
        name: 'after',
        schema: { type: 'string', format: 'uuid' },
        description: 'Id of the last event already seen. The first one follows, if absent.',
        fault: uuidFault,
      },
      {
        name: 'limit',
        schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
        description: 'Most events in one answer.',
        fault: wholeNumberFault(MAX_LIMIT),
      },
    ],
    params: [],
    success: { status: 200, description: 'The events.', schema: EventsResponse, example },
    problems: ['page-expired'],
    repeat: 'ignored',
    async handle({ caller, query }) {
      const { limit } = query;
      const after = query.after || undefined;
      const events = await readFeed(db, caller.clientId, after, limit ? Number(limit) : DEFAULT_LIMIT);
      if (!events) {
        const message = 'is no event of this application: leave it out to begin with the oldest one';
        // Probably it was one, and was deleted at the end of its time.
        throw new Problem('page-expired', { errors: { 'query.after': [fieldFault('not-found', message)] } });
      }
      const last = events.at(-1)?.id ?? after;
      const _links = last === undefined ? {} : { next: { href: nextHref(site.baseUrl, last, limit) } };
      return { status: 200, body: { events, _links } };
    },
  });
