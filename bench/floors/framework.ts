/** The same with the framework and the schemas of the operation: what an ordinary service of this kind would start from. */
import Fastify from 'fastify';
import { FundsConfirmationRequest, FundsConfirmationResponse } from '#trapeza/api/piis/schema.js';

const app = Fastify({
  logger: false,
  keepAliveTimeout: 65_000,
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false, strict: false } },
});
// The type that the contract has for this body.
app.addContentTypeParser(
  'application/json-patch+json',
  { parseAs: 'string' },
  app.getDefaultJsonParser('error', 'error'),
);
app.post(
  '/piis/psd2/v1/funds-confirmations',
  { schema: { body: plain(FundsConfirmationRequest), response: { 200: FundsConfirmationResponse } } },
  async () => ({ fundsAvailable: true }),
);

/** Without the keywords that are rules of our own. */
function plain(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (/^(x-|is|fault)/.test(key) ? undefined : value)),
  );
}

console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
