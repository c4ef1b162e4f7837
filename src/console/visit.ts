/** What each page of the console knows about its visitor. */
import type { PresentOperator } from '../acts/role.js';
import { findText, type Texts } from '../acts/texts.js';
import type { PageCookie, PageRequest } from '../http/pages.js';
import { sha256 } from '../lib/hash.js';
import { noRefusal, type Refusal } from '../web/components/form.js';
import type { FormTokenParts } from '../web/form-token.js';
import type { Frame } from '../web/frame.js';
import { type Language, languageCookies, languageOf } from '../web/language.js';
import { messages, type OperatorMessages } from './messages/index.js';

export const CONSOLE = '/operator';
export const SESSION_COOKIE = 'trapeza_operator';

/** Where the console stands: what its visitors and forms are made from. */
export interface ConsolePlace extends FormTokenParts {
  readonly frame: () => Frame;
  readonly timeZone: string;
  /** Of all acts. */
  readonly actTexts: readonly Texts[];
}

export interface Guest {
  readonly request: PageRequest;
  readonly frame: Frame;
  readonly lang: Language;
  readonly messages: OperatorMessages;
  /** What a page says once something is done. */
  readonly doneText: (name: string) => string | undefined;
  readonly timeZone: string;
  readonly cookies: readonly PageCookie[];
}

export interface Visit extends Guest {
  readonly operator: PresentOperator;
  readonly formToken: string;
  readonly refusal: Refusal;
}

export const guestOf = (place: ConsolePlace, request: PageRequest): Guest => {
  const lang = languageOf(request);
  const { timeZone, actTexts } = place;
  return {
    request,
    frame: place.frame(),
    lang,
    messages: messages[lang],
    doneText: (name) =>
      Object.hasOwn(messages[lang].done, name)
        ? messages[lang].done[name]
        : actTexts.flatMap((texts) => findText(texts, lang, `done.${name}`) ?? [])[0],
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
