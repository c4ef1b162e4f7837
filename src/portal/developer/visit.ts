/** What the portal needs of the rest, and what each of its pages knows about its visitor. */
import type { Admin } from '../../admin/admin.js';
import type { Attempt } from '../../events/delivery/sender.js';
import type { EventBody } from '../../events/event.js';
import type { PageCookie, PageRequest } from '../../http/pages.js';
import type { Clock } from '../../lib/clock.js';
import type { Reach } from '../../lib/net/strangers.js';
import type { ClientId } from '../../model/ids.js';
import { redirectUrisColumn } from '../../tpp/columns.js';
import type { ApplicationRow } from '../../tpp/listing.js';
import { noRefusal, type Refusal } from '../../web/components/form.js';
import { type FormTokenParts, loginToken } from '../../web/form-token.js';
import type { Frame } from '../../web/frame.js';
import { type Language, languageCookies, languageOf } from '../../web/language.js';
import { messages, type PortalMessages } from './messages/index.js';
import type { Developer, DeveloperPortal } from './port.js';

export const PORTAL = '/portal';

export interface DeveloperParts extends FormTokenParts {
  readonly portal: DeveloperPortal;
  readonly frame: () => Frame;
  readonly admin: Admin;
  readonly clock: Clock;
  readonly config: {
    readonly timeZone: string;
    readonly quotaPerMinute: number;
    readonly quotaPerDay: number;
  };
  readonly reach: Pick<Reach, 'allowsLoopback'>;
  /** Sends a signed test event to an address: the event, and how the attempt ended. */
  readonly sendTest: (target: string) => Promise<Attempt & { readonly event: EventBody }>;
}

export interface Visit {
  readonly request: PageRequest;
  readonly frame: Frame;
  readonly lang: Language;
  readonly messages: PortalMessages;
  readonly developer: Developer;
  readonly canLeave: boolean;
  readonly formToken: string;
  readonly timeZone: string;
  readonly cookies: readonly PageCookie[];
}

export const visitOf = (parts: DeveloperParts, request: PageRequest, developer: Developer): Visit => {
  const lang = languageOf(request);
  const { formToken, cookie } = loginToken(parts, request, developer.tppId);
  return {
    request,
    frame: parts.frame(),
    lang,
    messages: messages[lang],
    developer,
    canLeave: parts.portal.leave !== undefined,
    formToken,
    timeZone: parts.config.timeZone,
    cookies: [...languageCookies(request), cookie],
  };
};

export { noRefusal, type Refusal };

export const refusalOf = (visit: Visit, field: string, text: string): Refusal => ({
  errors: [{ field, text }],
  values: visit.request.form,
});

export interface OwnApplication extends Omit<ApplicationRow, 'redirectUris'> {
  readonly redirectUris: readonly string[];
}

const ENDED = 'ended';

/** Of this visitor alone; those that are over are not among them. */
export const ownApplications = async (
  { admin }: DeveloperParts,
  { developer }: Visit,
): Promise<readonly OwnApplication[]> =>
  (await admin.applications(developer.tppId))
    .filter(({ status }) => status !== ENDED)
    .map((row) => ({ ...row, redirectUris: redirectUrisColumn.read(row.redirectUris) }));

/** One of another third party looks like one that does not exist. */
export const findOwn = async (
  parts: DeveloperParts,
  visit: Visit,
  clientId: ClientId | undefined,
): Promise<OwnApplication | undefined> =>
  (await ownApplications(parts, visit)).find((each) => each.clientId === clientId);

export const applicationPath = (clientId: ClientId, section = ''): string =>
  `${PORTAL}/applications/${encodeURIComponent(clientId)}${section}`;
