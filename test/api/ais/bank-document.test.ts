/** A core with numbered statements of a quarter and papers of its own: third parties get those as they are, or none. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { coreExamples } from '../../../src/bank/http/contract/examples.js';
import type { Permission } from '../../../src/consent/record.js';
import { behaves, json, RawCore } from '../../bank/http/raw-core.js';
import type { Answer } from '../../support/client.js';
import { account, psuId } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { type Access, addAccess, read } from './support.js';

const { id: accountId } = account('eleni', 101);
const { statement: example } = coreExamples.readStatement.answer as { statement: object };
const quarter = { ...example, id: 'Q3', number: '3/2026', from: '2026-07-01', to: '2026-09-30' };
const PAPER = '%PDF-1.7 the paper of the bank';
const LIMIT = 65_536;

/** How the core answers the question for the paper. */
type Paper = (response: ServerResponse) => unknown;
const withType =
  (type: string, bytes: string): Paper =>
  (response) =>
    response.writeHead(200, { 'Content-Type': type }).end(bytes);
const status =
  (code: number): Paper =>
  (response) =>
    response.writeHead(code).end();

const core = new RawCore();
let service: Service;
let paper: Paper;

beforeAll(async () => {
  await core.up();
  const env = { TRAPEZA_CORE_TIMEOUT_MS: '1000', TRAPEZA_CORE_RESPONSE_LIMIT: String(LIMIT) };
  service = await startService({ env: { ...env, TRAPEZA_CORE_URL: core.url } });
  core.behave = (seen, response) => {
    const [path = ''] = seen.path.split('?');
    if (path.endsWith('/document')) return paper(response);
    if (path.endsWith('/statements')) return json(response, { accountId, statements: [quarter] });
    if (path.includes('/statements/')) return json(response, { accountId, statement: quarter });
    if (path.endsWith('/transactions')) return json(response, { accountId, transactions: [], next: null });
    return behaves(seen, response);
  };
});
afterAll(async () => {
  await service.close();
  await core.down();
});
beforeEach(() => {
  paper = withType('application/pdf', PAPER);
  core.seen.length = 0;
});

const statementsOf = ({ first }: Access): string => `/ais/psd2/v1/accounts/${first}/statements`;

/** What a third party gets that asks for a PDF. */
const print = async (permissions?: readonly Permission[], accept = 'application/pdf'): Promise<Answer> => {
  const access = await addAccess(service, permissions ? { permissions } : {});
  const headers = { Accept: accept, 'Accept-Encoding': 'gzip', 'PSU-Accept-Language': 'en' };
  return read(service, access, `${statementsOf(access)}/Q3`, { headers, outsideContract: true });
};
const asked = (end: string) => core.seen.filter(({ path }) => path.split('?')[0]?.endsWith(end));

describe('a core with statements of a quarter', () => {
  it('has them listed with their number, and one with its transactions', async () => {
    const access = await addAccess(service);
    const told = { statementId: 'Q3', statementNumber: '3/2026', dateFrom: quarter.from, dateTo: quarter.to };
    const list = await read(service, access, `${statementsOf(access)}?dateFrom=2026-07-01&dateTo=2026-11-01`);
    expect(list.json).toMatchObject({ statements: [told] });
    const one = await read(service, access, `${statementsOf(access)}/Q3`);
    expect(one.json).toMatchObject({ statement: { ...told, transactions: [] } });
    expect(asked('/document')).toEqual([]);
  });

  it('gives its own paper, to be saved, in the language of the person and for that person', async () => {
    const answer = await print();
    expect([answer.status, answer.text]).toEqual([200, PAPER]);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="statement-2026-07-01-2026-09-30.pdf"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(answer.headers['content-encoding']).toBeUndefined();
    const headers = { accept: 'application/pdf, application/json', 'accept-language': 'en' };
    expect(asked('/document')).toMatchObject([
      {
        path: `/core/accounts/${accountId}/statements/Q3/document`,
        headers: { ...headers, 'psu-id': psuId('eleni'), 'consent-id': expect.any(String) },
      },
    ]);
    expect(asked('/transactions')).toEqual([]);
  });

  it.each(['AccountsDetail', 'Balances', 'TransactionsDetail'] as const)(
    'is not asked for it if the consent lacks %s: the paper would tell it',
    async (missing) => {
      const all = [
        'AccountsBasic',
        'AccountsDetail',
        'Balances',
        'TransactionsDetail',
        'Statements',
      ] as const;
      const answer = await print(all.filter((each) => each !== missing));
      expect(answer.status).toBe(406);
      expect(asked('/document')).toEqual([]);
    },
  );
});

describe('a paper', () => {
  it.each([404, 405, 501])(
    'that a core does not have (%d) is 406, or JSON for who takes that too',
    async (code) => {
      paper = status(code);
      const refused = await print();
      expect([refused.status, refused.json]).toMatchObject([
        406,
        {
          extensions: { error: { code: 'REQUESTED_FORMATS_INVALID' } },
          detail: expect.stringContaining('no PDF'),
        },
      ]);
      expect(asked('/transactions')).toEqual([]);
      const answer = await print(undefined, 'application/pdf, application/json;q=0.5');
      expect([answer.status, answer.json]).toMatchObject([200, { statement: { statementId: 'Q3' } }]);
    },
  );

  it.each<[string, Paper, string]>([
    ['of another type', withType('text/html', PAPER), 'garbage (Content-Type: not application/pdf)'],
    ['without a type', (response) => response.writeHead(200).end(PAPER), 'garbage (Content-Type: not'],
    ['that is none', withType('application/pdf', '<script>'), 'garbage (: not the beginning of a PDF)'],
    ['of no bytes', withType('application/pdf', ''), 'garbage (: not the beginning of a PDF)'],
    ['that is too large', withType('application/pdf', PAPER.padEnd(LIMIT + 1)), 'too-large'],
    ['behind an error', status(500), 'status 500'],
    ['behind wrong credentials', status(401), 'status 401'],
    ['that breaks off', (response) => response.destroy(), 'reset'],
  ])('%s is 503, and the log says why', async (_what, behave, reason) => {
    paper = behave;
    const answer = await print();
    expect([answer.status, asked('/transactions')]).toEqual([503, []]);
    const line = service.logs.findLast((each) => each.includes('"readStatementDocument"')) ?? '';
    expect(line).toContain(reason);
    expect(service.logs.join('')).not.toContain('the paper of the bank');
  });

  it('that is late is 408', async () => {
    paper = () => undefined;
    expect((await print()).status).toBe(408);
    expect(asked('/transactions')).toEqual([]);
  });

  it('of the largest size that is allowed is passed on whole', async () => {
    paper = withType('Application/PDF; x=1', PAPER.padEnd(LIMIT));
    expect((await print()).text).toBe(PAPER.padEnd(LIMIT));
  });
});
