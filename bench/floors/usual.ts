/**
 * A funds confirmation as a careful programmer would first write it: Fastify with a schema, a query builder on a pool of PostgreSQL, one
 * query after the other, every token verified. It does what the service does in essence, and nothing of the rest. `usual <module of the
 * query builder> <database> <address of the keys of tokens>`.
 */
import Fastify from 'fastify';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import pg from 'pg';

type Row = Readonly<Record<string, string>>;
interface Query {
  selectAll(): Query;
  where(column: string, operator: '=', value: string): Query;
  values(row: object): Query;
  executeTakeFirst(): Promise<Row | undefined>;
}
/** As much of Kysely as is used; it is no dependency of ours, so its types are not at hand. */
interface QueryBuilder {
  selectFrom(table: string): Query;
  insertInto(table: string): Query;
}
interface BuilderModule {
  readonly Kysely: new (options: { readonly dialect: unknown }) => QueryBuilder;
  readonly PostgresDialect: new (options: { readonly pool: pg.Pool }) => unknown;
}

const [module = '', connectionString = '', keysUrl = ''] = process.argv.slice(2);
const { Kysely, PostgresDialect } = (await import(module)) as BuilderModule;
const pool = new pg.Pool({ connectionString, options: '-c search_path=usual' });
const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
const keys = createRemoteJWKSet(new URL(keysUrl));

interface Body {
  readonly account: { readonly iban: string };
  readonly instructedAmount: { readonly currency: string; readonly amount: number };
}
const body = {
  type: 'object',
  required: ['account', 'instructedAmount'],
  properties: {
    account: { type: 'object', required: ['iban'], properties: { iban: { type: 'string', maxLength: 34 } } },
    payee: { type: 'string', maxLength: 140 },
    instructedAmount: {
      type: 'object',
      required: ['currency', 'amount'],
      properties: {
        currency: { type: 'string', pattern: '^[A-Z]{3}$' },
        amount: { type: 'number', exclusiveMinimum: 0 },
      },
    },
  },
};
const headers = {
  type: 'object',
  required: ['ocp-apim-subscription-key', 'authorization', 'x-request-id'],
  properties: { 'x-request-id': { type: 'string', minLength: 36, maxLength: 36 } },
};
const answer = { type: 'object', properties: { fundsAvailable: { type: 'boolean' } } };

const app = Fastify({ logger: false, keepAliveTimeout: 65_000 });
app.addContentTypeParser(
  'application/json-patch+json',
  { parseAs: 'string' },
  app.getDefaultJsonParser('error', 'error'),
);

app.post<{ Body: Body; Headers: Record<string, string> }>(
  '/piis/psd2/v1/funds-confirmations',
  { schema: { body, headers, response: { 200: answer } } },
  async (request, reply) => {
    const key = await db
      .selectFrom('api_keys')
      .selectAll()
      .where('key', '=', request.headers['ocp-apim-subscription-key'] ?? '')
      .executeTakeFirst();
    if (!key) return reply.code(401).send();
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    const { payload } = await jwtVerify(token, keys);
    if (payload.client_id !== key.client_id) return reply.code(403).send();
    const { account, instructedAmount } = request.body;
    const consent = await db
      .selectFrom('consents')
      .selectAll()
      .where('psu_id', '=', payload.sub ?? '')
      .where('client_id', '=', key.client_id ?? '')
      .where('iban', '=', account.iban)
      .where('status', '=', 'Valid')
      .executeTakeFirst();
    if (!consent) return reply.code(403).send();
    const held = await db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', consent.account_id ?? '')
      .executeTakeFirst();
    const minor = Number(held?.booked_minor) - Number(held?.pending_minor) + Number(held?.credit_minor);
    const fundsAvailable = minor >= Math.round(instructedAmount.amount * 100);
    await db
      .insertInto('funds_records')
      .values({
        request_id: request.headers['x-request-id'],
        consent_id: consent.id,
        amount_minor: Math.round(instructedAmount.amount * 100),
        funds_available: fundsAvailable,
      })
      .executeTakeFirst();
    return { fundsAvailable };
  },
);

console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
