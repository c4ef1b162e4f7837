/** The figures of the store that operators watch, on both engines. */
import { expect, it } from 'vitest';
import { bothEngines } from '../support/engines.js';
import { FUNDS, fundsBody } from '../support/operations.js';
import { startService } from '../support/service.js';

const figures = {
  postgres: ['connections_in_use', 'connections_waiting', 'statement_seconds_count', 'batch_size_count'],
  sqlite: ['wal_bytes', 'disk_free_bytes'],
};

const engines = bothEngines(
  'each engine has figures of its own: connections of a pool here, a write-ahead log there',
);

it.each(engines)('%s shows its figures', async (engine) => {
  const service = await startService({ engine });
  try {
    const answer = await service.call({ method: 'POST', path: FUNDS, body: fundsBody() });
    expect(answer.status).toBe(200);
    const metrics = await (await fetch(`${service.app.managementUrl}/metrics`)).text();
    for (const name of figures[engine])
      expect(metrics).toMatch(new RegExp(`^trapeza_store_${name} \\d`, 'm'));
    expect(metrics).toMatch(/^trapeza_store_commit_size_count 1$/m);
    expect(metrics).toMatch(/^trapeza_store_commit_size_sum 1$/m);
    if (engine === 'postgres') expect(metrics).not.toMatch(/^trapeza_store_statement_seconds_count 0$/m);
  } finally {
    await service.close();
  }
});
