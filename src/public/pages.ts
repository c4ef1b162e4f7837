/** What pages are made of. */
export {
  cookieName,
  type Page,
  type PageAnswer,
  type PageCookie,
  type PageRequest,
  replyOf,
  seeOther,
} from '../http/pages.js';
export { Badge, type Meaning, MethodBadge } from '../web/components/badge.js';
export { Callout, type Fact, Summary } from '../web/components/blocks.js';
export { CodeBlock } from '../web/components/code-block.js';
export { Records } from '../web/components/records.js';
export { htmlPage } from '../web/components/shell.js';
export { MarkedText } from '../web/components/text.js';
export { type Frame, frameOf, type PageAdditions } from '../web/frame.js';
export type { Language } from '../web/language.js';
