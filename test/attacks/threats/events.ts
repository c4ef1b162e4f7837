/** Reads the security events of a service: from its log, and from its metrics. */
import { expect } from 'vitest';
import type { Service } from '../../support/service.js';

interface Line {
  readonly event?: string;
  readonly kind?: string;
  readonly reason?: string;
  readonly user?: string;
  readonly person?: string;
  readonly address?: string;
  readonly clientId?: string;
  readonly requestId?: string;
}

export const eventsOf = ({ logs }: Service): Line[] =>
  logs
    .join('')
    .split('\n')
    .filter((line) => line.includes('"msg":"security event"'))
    .map((line) => JSON.parse(line) as Line);

export const counted = async ({ app }: Service, kind: string): Promise<number> => {
  const metrics = await (await fetch(`${app.managementUrl}/metrics`)).text();
  const line = new RegExp(`^trapeza_security_events_total\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(metrics);
  if (!line) throw new Error(`the event ${kind} has no counter`);
  return Number(line[1]);
};

/** The events that an attack has raised; each has been counted too. */
export const raised = async (service: Service, attack: () => Promise<unknown>): Promise<Line[]> => {
  const before = eventsOf(service).length;
  await attack();
  const events = eventsOf(service).slice(before);
  for (const { kind = '' } of events) expect(await counted(service, kind)).toBeGreaterThan(0);
  return events;
};

/** Of a person, a user name or an address. */
export const HASH = expect.stringMatching(/^[\w-]{16}$/);
