/** The RateLimit fields: which quota, what is left of it, and in how many seconds there is more. */
export interface RateLimit {
  readonly name: string;
  readonly quota: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetMs: number;
}

const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

export const rateLimitFields = (limit: RateLimit): Readonly<Record<string, string>> => ({
  'RateLimit-Policy': `"${limit.name}";q=${limit.quota};w=${limit.windowSeconds}`,
  RateLimit: `"${limit.name}";r=${limit.remaining};t=${secondsOf(limit.resetMs)}`,
});

/** When to come back: in a second at the earliest. */
export const retryAfter = (ms: number): Readonly<Record<string, string>> => ({
  'Retry-After': String(secondsOf(ms)),
});

/** For a refusal: the same, and when to come back. */
export const exhaustedFields = (limit: Omit<RateLimit, 'remaining'>): Readonly<Record<string, string>> => ({
  ...retryAfter(limit.resetMs),
  ...rateLimitFields({ ...limit, remaining: 0 }),
});
