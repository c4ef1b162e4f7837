/** Cases about every answer: that there is one, in JSON, and only for who may ask. */
import { check, isRefused } from '../case.js';
import { NOBODY } from '../client.js';
import { demand, Skip } from '../verdict.js';

export const basicCases = [
  check({
    id: 'ping-ok',
    title: 'says that it can be used',
    operation: 'ping',
    hint: 'Answer GET /health with 200 and {"status":"ok"}; it tells Trapeza whether your core is up.',
    run: async ({ core }) => {
      await core.answer('ping');
    },
  }),
  check({
    id: 'ping-json',
    title: 'answers with application/json in UTF-8',
    operation: 'ping',
    hint: 'Set Content-Type: application/json; JSON is always UTF-8 (RFC 8259), so no other charset.',
    run: async ({ core }) => {
      const { contentType } = await core.ask('ping');
      demand(
        /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType),
        'application/json',
        'another content type',
      );
    },
  }),
  check({
    id: 'token-demanded',
    title: 'answers nobody without the bearer token',
    operation: 'findAccounts',
    hint: 'Whoever reaches your core can ask it everything: demand the token, or mutual TLS, before anything else.',
    run: async ({ core }) => {
      if (core.token === undefined) throw new Skip('no token was given (--token)');
      for (const [what, token] of [
        ['no token', null],
        ['a wrong token', `${core.token}x`],
      ] as const) {
        const { status } = await core.ask('findAccounts', { params: { psuId: NOBODY }, token });
        demand(status === 401 || status === 403, `401 or 403 with ${what}`, `status ${status}`);
      }
    },
  }),
  check({
    id: 'no-such-operation',
    title: 'says so where there is no such operation',
    operation: 'ping',
    hint: 'An address that the contract does not have is a mistake of the caller: answer 404, not 200 and not 500.',
    run: async ({ core }) => {
      const seen = await core.fetch('GET', '/no-such-operation');
      demand(isRefused(seen), 'a status from 400 to 499', `status ${seen.status}`);
    },
  }),
];
