/** What the management listener of a node tells. */

export const WITHIN_MS = 1000;
/** With the deadline of production, so that what is not answered is given up as there. */
export const env = { TRAPEZA_READY_WITHIN_MS: String(WITHIN_MS), TRAPEZA_DEADLINE_MS: '5000' };
export const patience = { timeout: 60_000 };

interface Told {
  readonly checks: Readonly<Record<string, string>>;
  readonly reasons: Readonly<Record<string, string>>;
}

/** Why the store cannot be used. */
export const reasonAt = async (managementUrl: string): Promise<string | undefined> =>
  ((await (await fetch(`${managementUrl}/health/ready`)).json()) as Told).reasons.store;

/** The status of readiness, and which checks have failed. */
export const readyAt = async (managementUrl: string): Promise<string> => {
  const answer = await fetch(`${managementUrl}/health/ready`);
  const { checks } = (await answer.json()) as Told;
  const failed = Object.keys(checks).filter((name) => checks[name] === 'failed');
  return [answer.status, ...failed].join(' ');
};

export const isAlive = async (managementUrl: string): Promise<number> =>
  (await fetch(`${managementUrl}/health/live`)).status;
