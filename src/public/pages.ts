/** What pages are made of. */
export { type Admission, type Audience, everybody, isForm } from '../http/audience.js';
export { replyOf } from '../http/page-policy.js';
export {
  cookieName,
  hostCookieName,
  type Page,
  type PageAnswer,
  type PageCookie,
  type PageRequest,
  pageFor,
  seeOther,
} from '../http/pages.js';
export { twinOf } from '../portal/twin/twin.js';
export { passkeyScript } from '../web/assets/index.js';
export { type Brand, brandOf } from '../web/brand/brand.js';
export { pictureOf } from '../web/brand/picture.js';
export { Badge, type Meaning, MethodBadge } from '../web/components/badge.js';
export { Callout, type Fact, Summary } from '../web/components/blocks.js';
export { CodeBlock } from '../web/components/code-block.js';
export { ConsoleLink } from '../web/components/console-link.js';
export { type ErrorLine, ErrorSummary, FieldError } from '../web/components/error-summary.js';
export { flowPage } from '../web/components/flow-shell.js';
export { Records } from '../web/components/records.js';
export { htmlPage } from '../web/components/shell.js';
export { MarkedText, Prose } from '../web/components/text.js';
export { formAction, formTokenIn, hasLoginToken, loginToken } from '../web/form-token.js';
export { type Frame, frameOf, type PageAdditions, type PreparingCall } from '../web/frame.js';
export {
  developerLanguageOf,
  inLanguage,
  type Language,
  languageCookies,
  languageOf,
} from '../web/language.js';
export { waitText } from '../web/wait-text.js';
