/** Answers of the core that come together go on together: their records share a commit. */
import { expect, it } from 'vitest';
import { FUNDS, fundsBody } from '../../support/operations.js';
import { startService } from '../../support/service.js';
import { behaves, openTestCore, RawCore } from './raw-core.js';

const AT_ONCE = 8;

it('commits the records of answers that come together together', async () => {
  const core = new RawCore();
  await core.up();
  const adapter = openTestCore(core, { connections: AT_ONCE, maxCalls: AT_ONCE });
  const service = await startService({ bank: adapter.bank });
  const ask = () => service.call({ method: 'POST', path: FUNDS, body: fundsBody() });
  try {
    // From here on it is known for a minute who holds the account.
    await ask();
    const waiting: (() => unknown)[] = [];
    core.behave = (seen, response) => {
      waiting.push(() => behaves(seen, response));
      if (waiting.length === AT_ONCE) for (const answer of waiting) answer();
    };
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, ask));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const metrics = await (await fetch(`${service.app.managementUrl}/metrics`)).text();
    const figure = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1]);
    expect(figure('trapeza_store_commit_size_sum')).toBe(1 + AT_ONCE);
    expect(figure('trapeza_store_commit_size_count')).toBeLessThan(1 + AT_ONCE / 2);
  } finally {
    await service.close();
    await adapter.close();
    await core.down();
  }
});
