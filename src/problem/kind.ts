/** What the catalogue knows of a problem. */
export interface ProblemKind {
  readonly status: 400 | 401 | 403 | 404 | 405 | 406 | 408 | 409 | 415 | 429 | 500 | 503;
  readonly title: string;
  /** The Berlin Group message code if one fits, else one of ours in the same style. */
  readonly code: string;
  /** Whether sending the very same request again can succeed. */
  readonly retryable: boolean;
  /** What happened, for the page `/problems/<slug>` and as the default `detail`. */
  readonly when: string;
  readonly remedy: string;
}
