/** A statement as a page to print: the same figures as the JSON, in Greek letters, and nothing that the consent does not open. */
import { describe, expect, it } from 'vitest';
import type { Permission } from '../../../src/consent/record.js';
import { DAY } from '../../../src/lib/clock.js';
import { account } from '../../support/operations.js';
import { useService } from '../../support/use-service.js';
import { type Access, addAccess, read, readPrinted } from './support.js';

interface Money {
  readonly amount: number;
}
interface Statement {
  readonly statementId: string;
  readonly openingBalance: Money;
  readonly closingBalance: Money;
  readonly transactions: readonly { readonly creditorName?: string; readonly debtorName?: string }[];
}

const greek = new Intl.NumberFormat('el-GR', { minimumFractionDigits: 2 });

const partiesOf = ({ transactions }: Statement): readonly string[] =>
  transactions.flatMap((each) => each.creditorName ?? each.debtorName ?? []);

describe('a printed statement', () => {
  const service = useService({ env: { TRAPEZA_DEMO_MONTHS: '6', TRAPEZA_BANK_NAME: 'Η Τράπεζά μας' } });

  const newest = async (
    access: Access,
  ): Promise<{ readonly path: string; readonly statement: Statement }> => {
    const base = `/ais/psd2/v1/accounts/${access.first}/statements`;
    const list = (await read(service(), access, base)).json as { statements: Statement[] };
    const path = `${base}/${list.statements[0]?.statementId}`;
    const { statement } = (await read(service(), access, path)).json as { statement: Statement };
    return { path, statement };
  };
  const print = (access: Access, path: string, headers?: Readonly<Record<string, string>>) =>
    readPrinted(service(), access, path, headers);
  const withPermissions = (permissions?: readonly Permission[]) =>
    addAccess(service(), permissions ? { permissions } : {});

  it('tells what the JSON tells, in Greek', async () => {
    const access = await withPermissions();
    const { path, statement } = await newest(access);
    const { answer, text } = await print(access, path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^inline; filename="statement-\d{4}-\d{2}-01-\d{4}-\d{2}-\d{2}\.pdf"$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    for (const told of [
      'Αντίγραφο κινήσεων λογαριασμού',
      'Η Τράπεζά μας',
      'Ελένη Παπαδοπούλου',
      'Υπόλοιπο',
      'Σελίδα 1',
    ])
      expect(text).toContain(told);
    expect(text).toContain(greek.format(statement.openingBalance.amount));
    expect(text).toContain(greek.format(statement.closingBalance.amount));
    const named = partiesOf(statement);
    expect(named.length).toBeGreaterThan(0);
    const flat = text.replace(/\s+/g, ' ');
    for (const party of named) expect(flat).toContain(party);
    expect(text).not.toContain('…');
  });

  it('has the words of PSU-Accept-Language, before those of Accept-Language', async () => {
    const access = await withPermissions();
    const { path } = await newest(access);
    const english = { 'PSU-Accept-Language': 'en-GB,en;q=0.8', 'Accept-Language': 'el' };
    expect((await print(access, path, english)).text).toContain('Account statement');
    const other = await print(access, path, { 'PSU-Accept-Language': 'fi', 'Accept-Language': 'en' });
    expect(other.text).toContain('Αντίγραφο κινήσεων λογαριασμού');
  });

  it('names neither owner nor counterparty nor running balance where the consent does not open them', async () => {
    const whole = await newest(await withPermissions());
    const access = await withPermissions(['AccountsBasic', 'Statements']);
    const { path } = await newest(access);
    const { text } = await print(access, path);
    expect(text).not.toContain('Παπαδοπούλου');
    expect(text).toContain('Πληρωμή με κάρτα');
    expect(text).toContain('Ποσό');
    expect(text).not.toContain('Υπόλοιπο');
    for (const party of partiesOf(whole.statement)) expect(text).not.toContain(party.slice(0, 20));
  });

  it('is of a quarter and has its number where the bank makes such statements', async () => {
    const access = await addAccess(service(), { psu: 'vasilis', accounts: [account('vasilis', 1101)] });
    const base = `/ais/psd2/v1/accounts/${access.first}/statements`;
    const from = new Date(service().clock.now() - 200 * DAY).toISOString().slice(0, 10);
    const { statements } = (await read(service(), access, `${base}?dateFrom=${from}`)).json as {
      statements: { statementId: string; statementNumber: string; dateFrom: string; dateTo: string }[];
    };
    const [newestOne] = statements;
    if (!newestOne) throw new Error('no statement');
    const { statementId, statementNumber, dateFrom, dateTo } = newestOne;
    const quarter = Number(dateTo.slice(5, 7)) / 3;
    expect(statementNumber).toBe(`${quarter}/${dateTo.slice(0, 4)}`);
    expect(dateFrom).toBe(`${dateTo.slice(0, 5)}${String(quarter * 3 - 2).padStart(2, '0')}-01`);
    const greekDay = (day: string) => day.split('-').toReversed().join('/');
    const { text } = await print(access, `${base}/${statementId}`);
    expect(text).toContain(`${greekDay(dateFrom)} – ${greekDay(dateTo)}`);
    expect(text).toMatch(new RegExp(`Αρ. αντιγράφου\\s+${statementNumber}`));
    const english = await print(access, `${base}/${statementId}`, { 'PSU-Accept-Language': 'en' });
    expect(english.text).toMatch(new RegExp(`Statement no.\\s+${statementNumber}`));
  });

  it('comes only where Accept prefers it', async () => {
    const access = await withPermissions();
    const { path } = await newest(access);
    const json = await read(service(), access, path, {
      headers: { Accept: 'application/json, application/pdf;q=0.5' },
    });
    expect(json.headers['content-type']).toContain('application/json');
    const plain = await read(service(), access, path, { headers: { Accept: 'text/html' } });
    expect(plain.status).toBe(406);
  });
});
