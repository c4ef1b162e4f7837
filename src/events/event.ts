/**
 * A status change as third parties receive it, with ids and statuses only, or what the bank announces to all. The same bytes in every
 * delivery; the same members in the feed.
 */

import type { BankTime } from '../lib/clock.js';
import { newId } from '../lib/id.js';
import { instantText } from '../lib/instant.js';
import type { ConsentId } from '../model/ids.js';

export const announcementKinds = ['downtime', 'incident'] as const;
export type AnnouncementKind = (typeof announcementKinds)[number];
export type EventKind = 'consent' | 'payment' | AnnouncementKind;

export const notices = ['renewed', 'authentication-ends', 'consent-ends'] as const;
export type Notice = (typeof notices)[number];

/** As stored. */
export interface StatusEvent {
  readonly id: string;
  /** Its place in the feed of its application: it grows in the order of commits. */
  readonly position: number;
  readonly kind: EventKind;
  /** Of an announcement: the planned downtime, or the incident. */
  readonly consentId: ConsentId;
  readonly consentKind: string;
  readonly paymentId: string | null;
  readonly status: string;
  /** Why a consent has ended. */
  readonly reason: string | null;
  readonly supersededBy: ConsentId | null;
  /** What happens to a Valid consent other than a change of its status. */
  readonly notice: Notice | null;
  /** Until when the authentication holds, or the consent if the notice is about its end. */
  readonly untilAt: BankTime | null;
  /** Bank time. */
  readonly occurredAt: BankTime;
  /** Of an announcement; null for all others. */
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  readonly textEl: string | null;
  readonly textEn: string | null;
}

export interface AnnouncementBody {
  readonly id: string;
  readonly status: string;
  readonly from: string;
  readonly to?: string;
  readonly text: { readonly el: string; readonly en: string };
}

/** As it goes to the wire. */
export interface EventBody {
  readonly id: string;
  readonly position: number;
  readonly type: EventKind;
  readonly occurredAt: string;
  readonly consentId?: ConsentId;
  readonly consentType?: string;
  readonly consentStatus?: string;
  readonly statusReason?: string;
  readonly supersededBy?: ConsentId;
  readonly notice?: Notice;
  readonly scaValidUntil?: string;
  readonly validUntil?: string;
  readonly paymentId?: string;
  readonly transactionStatus?: string;
  readonly announcement?: AnnouncementBody;
}

const consentMembers = ({ reason, supersededBy, notice, untilAt }: StatusEvent): Partial<EventBody> => {
  const until = untilAt === null ? undefined : instantText(untilAt);
  return {
    ...(reason === null ? {} : { statusReason: reason }),
    ...(supersededBy === null ? {} : { supersededBy }),
    ...(notice === null ? {} : { notice }),
    ...(until === undefined
      ? {}
      : notice === 'consent-ends'
        ? { validUntil: until }
        : { scaValidUntil: until }),
  };
};

const announcementMembers = (event: StatusEvent): AnnouncementBody => {
  const { consentId: id, status, startsAt, endsAt, textEl, textEn } = event;
  const to = endsAt === null ? {} : { to: instantText(endsAt) };
  return {
    id,
    status,
    from: instantText(startsAt ?? 0),
    ...to,
    text: { el: textEl ?? '', en: textEn ?? '' },
  };
};

export const isAnnouncement = ({ kind }: Pick<StatusEvent, 'kind'>): boolean =>
  announcementKinds.some((each) => each === kind);

/** The columns of a `StatusEvent`, from `events e` and `ANNOUNCED`. */
export const EVENT_COLUMNS = `
  e.id, e.position, e.kind, e.consent_id as "consentId", e.consent_kind as "consentKind", e.payment_id as "paymentId", e.status,
  e.reason, e.superseded_by as "supersededBy", e.notice, e.until_at as "untilAt", e.occurred_at as "occurredAt",
  n.starts_at as "startsAt", n.ends_at as "endsAt", n.text_el as "textEl", n.text_en as "textEn"`;
export const ANNOUNCED = 'left join announcements n on n.id = e.announcement_id';

export const eventBody = (event: StatusEvent): EventBody => {
  const { id, position, kind: type, consentId, consentKind: consentType, paymentId, status } = event;
  const occurredAt = instantText(event.occurredAt);
  const about = { id, position, type, occurredAt };
  if (isAnnouncement(event)) return { ...about, announcement: announcementMembers(event) };
  const common = { ...about, consentId, consentType };
  if (type === 'consent') return { ...common, consentStatus: status, ...consentMembers(event) };
  return { ...common, ...(paymentId === null ? {} : { paymentId }), transactionStatus: status };
};

/** For receivers to try themselves with: of no consent, and not in the feed. */
export const testEvent = (at: BankTime): EventBody => ({
  id: newId(),
  position: 0,
  type: 'consent',
  occurredAt: instantText(at),
  consentId: '00000000-0000-0000-0000-000000000000',
  consentType: 'ConfirmationOfFunds',
  consentStatus: 'Valid',
});
