/** The bank's module that the documentation shows: it is what the page has, it starts, and it answers real calls. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBank } from '../../docs/examples/bank.js';
import { addAccess, pathOf, read } from '../api/ais/support.js';
import { root } from '../lib/source.js';
import { approved, consentStatus, submit } from '../payment/support.js';
import { FUNDS, fundsBody, ibanOf } from '../support/operations.js';
import { useService } from '../support/use-service.js';

const bank = await createBank();
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

it('code H1: docs/production-module.md shows the module as it is compiled and run', () => {
  expect(textOf('docs/production-module.md')).toContain(
    `\`\`\`js\n${textOf('docs/examples/bank.js')}\`\`\`\n`,
  );
});

describe('code H1: the module of the documentation', () => {
  const service = useService({ bank });
  const ask = (amount: number) =>
    service().call({
      method: 'POST',
      path: FUNDS,
      body: fundsBody({ instructedAmount: { currency: 'EUR', amount } }),
    });

  it('code H1: answers for funds', async () => {
    expect([(await ask(1000)).json, (await ask(1000.01)).json]).toEqual([
      { fundsAvailable: true },
      { fundsAvailable: false },
    ]);
  });

  it('code H1: answers every read of an account, page by page, and knows a cursor that is none', async () => {
    const access = await addAccess(service());
    for (const id of ['getAccounts', 'getAccount', 'getBalances', 'getStatements'] as const)
      expect([id, (await read(service(), access, pathOf(id, access.first))).status]).toEqual([id, 200]);
    const list = pathOf('getTransactions', access.first);
    const { json } = await read(service(), access, `${list}?limit=2`);
    const { transactions, _links } = json as {
      transactions: { booked: object[] };
      _links: { next: { href: string } };
    };
    expect(transactions.booked).toHaveLength(2);
    const next = new URL(_links.next.href);
    const rest = await read(service(), access, `${next.pathname}${next.search}`);
    expect((rest.json as { transactions: { booked: object[] } }).transactions.booked).toHaveLength(1);
    expect((await read(service(), access, `${list}/T-2`)).status).toBe(200);
    expect((await read(service(), access, `${list}/T-9`)).status).toBe(404);
    expect((await read(service(), access, pathOf('getStatement', access.first))).status).toBe(404);
  });

  it('code H1: has nothing for a person who does not hold the account', async () => {
    const access = await addAccess(service(), { psu: 'maria' });
    expect((await read(service(), access, pathOf('getBalances', access.first))).status).toBe(404);
  });

  it('code H1: prices and carries out a payment', async () => {
    const body = { creditAccount: { iban: ibanOf('vasilis', 1101) } };
    const id = await approved(service(), { body });
    expect((await submit(service(), id)).status).toBe(201);
    await service().app.runJobs();
    expect(await consentStatus(service(), id)).toBe('Expired');
  });
});
