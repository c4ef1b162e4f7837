/** Time and waiting, so that a test need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) =>
    new Promise((resolve) => {
      setTimeout(resolve, ms);
    }),
};

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Addresses are joined as text: a bank may live below a path. */
export const withoutSlash = (url: string): string => url.replace(/\/+$/, '');
