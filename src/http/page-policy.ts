/** What a browser may do with a page: nothing that the page does not ask for. */
import type { Reply } from './operation.js';
import type { PageAnswer } from './pages.js';

type Policed = Pick<PageAnswer, 'hasScript' | 'mayCall' | 'formTarget'>;

const contentPolicy = ({ hasScript, mayCall, formTarget }: Policed): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    ...(hasScript ? ["script-src 'self'"] : []),
    ...(mayCall ? ["connect-src 'self'"] : []),
    `form-action 'self'${formTarget ? ` ${formTarget}` : ''}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

export const policyHeaders = (answer: Policed): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': contentPolicy(answer),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
});

/** A page as the answer of an operation that has both: JSON for programs, this for people. */
export const replyOf = (answer: PageAnswer): Reply => ({
  status: answer.status,
  bytes: Buffer.from(answer.body),
  headers: { ...policyHeaders(answer), 'Content-Type': `${answer.type}; charset=utf-8`, ...answer.headers },
});
