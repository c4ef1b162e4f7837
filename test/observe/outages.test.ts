/** What is expected to fail now and then is told in one short line and counted by what was away; a stack is for bugs. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { faultsOfLine } from '../../src/observe/log-lines.js';
import { authorize, discover } from '../oauth/provider-journey.js';
import { FUNDS, fundsBody } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { useService } from '../support/use-service.js';

type Line = Readonly<Record<string, unknown>>;

const linesOf = ({ logs }: Service, requestId: string): Line[] =>
  logs
    .join('')
    .split('\n')
    .filter((line) => line.includes(requestId))
    .map((line) => JSON.parse(line) as Line);

describe('a core that is away', () => {
  const service = useService({ core: 'simulator' });
  const faults = async (...kinds: readonly string[]): Promise<void> => {
    const list = kinds.flatMap((kind) =>
      ['hasFunds', 'hasFundsOfMany', 'login'].map((operation) => ({ kind, operation, times: 10 })),
    );
    const answer = await fetch(`${service().coreUrl}/simulator/faults`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(list),
    });
    expect(answer.status).toBe(200);
  };
  beforeAll(() => faults());
  afterEach(() => faults());

  const ask = async (): Promise<{ readonly status: number; readonly lines: readonly Line[] }> => {
    const requestId = crypto.randomUUID();
    const { status } = await service().call({
      method: 'POST',
      path: FUNDS,
      body: fundsBody(),
      headers: { 'X-Request-ID': requestId },
    });
    await expect.poll(() => linesOf(service(), requestId).some(({ msg }) => msg === 'request')).toBe(true);
    return { status, lines: linesOf(service(), requestId) };
  };

  it.each([
    ['maintenance', 'maintenance', 'core-maintenance'],
    ['status-500', 'status', 'core'],
    ['wrong-type', 'garbage', 'core'],
  ])(
    '%s: one line of the core with both request ids, one of the call, neither with a stack',
    async (kind, outcome, outage) => {
      await faults(kind);
      const { status, lines } = await ask();
      expect(status).toBe(503);
      expect(lines.flatMap((line) => faultsOfLine(line))).toEqual([]);
      expect(lines).toMatchObject([
        { msg: 'core', level: 40, outcome, coreRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        { msg: 'request', level: 40, outage, problem: 'dependency-unavailable' },
      ]);
      expect(lines.filter(({ stack }) => stack !== undefined)).toEqual([]);
      expect(lines[0]?.coreRequestId).not.toBe(lines[0]?.requestId);
      expect(lines[1]?.coreRequestId).toBe(lines[0]?.coreRequestId);
      expect(await service().app.metrics()).toMatch(
        new RegExp(
          `^trapeza_requests_total\\{operation="confirmFunds",status="503",.*cause="${outage}"\\} [1-9]`,
          'm',
        ),
      );
    },
  );

  it('a page that cannot be shown is told as shortly as a call', async () => {
    await faults('maintenance');
    await expect(authorize(service(), await discover(service()))).rejects.toThrow();
    const lines = () => linesOf(service(), '"msg":"page for account holders"');
    await expect.poll(() => lines().length).toBe(1);
    expect(lines()).toMatchObject([
      {
        level: 40,
        outage: 'core-maintenance',
        requestId: expect.any(String),
        coreRequestId: expect.any(String),
      },
    ]);
    expect(lines()[0]).not.toHaveProperty('stack');
  });
});
