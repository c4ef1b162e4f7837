/** What the console needs of the rest, and what each of its pages knows about its visitor. */
import type { Admin } from '../admin/admin.js';
import type { DemoOperator, Operators, PresentOperator } from '../admin/operators.js';
import type { SettingInForce } from '../config/in-force.js';
import type { Guard } from '../gate/guard/guard.js';
import type { PageCookie, PageRequest } from '../http/pages.js';
import type { Clock } from '../lib/clock.js';
import { sha256 } from '../lib/hash.js';
import type { CallCount } from '../observe/live-calls.js';
import type { Log } from '../observe/log.js';
import { noRefusal, type Refusal } from '../web/components/form.js';
import type { FormTokenParts } from '../web/form-token.js';
import type { Frame } from '../web/frame.js';
import { type Language, languageCookies, languageOf } from '../web/language.js';
import { messages, type OperatorMessages } from './messages/index.js';
import type { Uploads } from './uploads.js';

export const CONSOLE = '/operator';
export const SESSION_COOKIE = 'trapeza_operator';

export interface ConsoleParts extends FormTokenParts {
  readonly admin: Admin;
  readonly operators: Operators;
  readonly guard: Pick<Guard, 'logIn'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  readonly frame: () => Frame;
  readonly timeZone: string;
  /** The last calls of each application can be found by their ids. */
  readonly keepsCalls: boolean;
  /** Calls of the last minutes, of all processes of this node. */
  readonly calls: () => Promise<readonly CallCount[]>;
  readonly settings: () => readonly SettingInForce[];
  readonly uploads: Uploads;
  /** Its login page shows how to get in. */
  readonly demo?: DemoOperator | undefined;
}

export interface Guest {
  readonly request: PageRequest;
  readonly frame: Frame;
  readonly lang: Language;
  readonly messages: OperatorMessages;
  readonly timeZone: string;
  readonly cookies: readonly PageCookie[];
}

export interface Visit extends Guest {
  readonly operator: PresentOperator;
  readonly formToken: string;
  readonly refusal: Refusal;
}

export const guestOf = (parts: ConsoleParts, request: PageRequest): Guest => {
  const lang = languageOf(request);
  const { timeZone } = parts;
  return {
    request,
    frame: parts.frame(),
    lang,
    messages: messages[lang],
    timeZone,
    cookies: languageCookies(request),
  };
};

export const formTokenOf = (session: string): string => sha256(`form:${session}`);

export const visitOf = (guest: Guest, operator: PresentOperator, session: string): Visit => ({
  ...guest,
  operator,
  formToken: formTokenOf(session),
  refusal: noRefusal,
});

export const refused = (visit: Visit, field: string, text: string): Visit => ({
  ...visit,
  refusal: { errors: [{ field, text }], values: visit.request.form },
});

const locale = ({ lang }: Guest): string => (lang === 'el' ? 'el-GR' : 'en-GB');

export const timeText = (guest: Guest, ms: number): string =>
  new Intl.DateTimeFormat(locale(guest), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: guest.timeZone,
  }).format(ms);

export const shareText = (guest: Guest, part: number, whole: number): string =>
  new Intl.NumberFormat(locale(guest), { style: 'percent', maximumFractionDigits: 1 }).format(
    whole === 0 ? 0 : part / whole,
  );

/** A dash if nothing is known. */
export const figureText = (guest: Guest, value: number | null | undefined, digits: number): string =>
  value === null || value === undefined
    ? '–'
    : value.toLocaleString(locale(guest), { minimumFractionDigits: digits, maximumFractionDigits: digits });

export const countText = (guest: Guest, count: number): string =>
  new Intl.NumberFormat(locale(guest)).format(count);
