/** What the catalogue knows of a problem, as a type. */
import type { Advice } from './advice.js';
import type { ExtensionName } from './extensions.js';

export interface ProblemKind {
  readonly status: 400 | 401 | 403 | 404 | 405 | 406 | 408 | 409 | 415 | 429 | 500 | 503;
  readonly title: string;
  /**
   * The Berlin Group message code if one means exactly this, else the slug in capitals. No two problems share a code, except
   * FORMAT_ERROR, which Berlin Group has for every malformed part of a request.
   */
  readonly code: string;
  /** What a client does; whether the same request can succeed follows from it. */
  readonly advice: Advice;
  /** Under a condition that the body tells, another advice is right. `when` follows an "if". */
  readonly exception?: { readonly advice: Advice; readonly when: string };
  /** Further facts in the body, each by its schema. */
  readonly extensions?: readonly ExtensionName[];
  /** What happened, for the page `/problems/<slug>` and as the default `detail`. */
  readonly when: string;
  readonly remedy: string;
}
