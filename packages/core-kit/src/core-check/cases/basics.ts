/** Cases about every answer: that there is one, in JSON, and only for who may ask. */
import { check, demandStatuses, isRefused } from '../case.js';
import { type CoreClient, NOBODY, type Seen, type Wanted } from '../client.js';
import { demand, Failure, Skip } from '../verdict.js';

/** A connection that fails is a refusal too: with mutual TLS nothing else can be seen. */
const askAsStranger = async (core: CoreClient, wanted: Wanted): Promise<Seen> => {
  try {
    return await core.ask('findAccounts', wanted);
  } catch (error) {
    if (error instanceof Failure)
      return { status: 401, contentType: '', bytes: Buffer.of(), json: undefined, consentData: undefined };
    throw error;
  }
};

export const basicCases = [
  check({
    id: 'ping-ok',
    title: 'says that it can be used',
    operation: 'ping',
    hint: 'Answer GET /health with 200 and {"status":"ok"}; it tells Trapeza whether your core is up.',
    run: async ({ core }) => {
      const { status } = await core.answer('ping');
      demand(status === 'ok', '"status": "ok"', 'maintenance: run the check again when it is over');
    },
  }),
  check({
    id: 'ping-json',
    title: 'answers with application/json in UTF-8',
    operation: 'ping',
    hint: 'Set Content-Type: application/json; JSON is always UTF-8 (RFC 8259), so no other charset.',
    run: async ({ core }) => {
      const { contentType } = await core.ask('ping');
      const [type = '', ...parameters] = contentType
        .toLowerCase()
        .split(';')
        .map((each) => each.trim());
      const charset = parameters.find((each) => each.startsWith('charset=')) ?? 'charset=utf-8';
      demand(
        type === 'application/json' && /^charset="?utf-8"?$/.test(charset),
        'application/json in UTF-8',
        'another content type',
      );
    },
  }),
  check({
    id: 'token-demanded',
    title: 'answers nobody without the token or the certificate',
    operation: 'findAccounts',
    hint: 'Whoever reaches your core can ask it everything: demand the token, or mutual TLS, before anything else.',
    run: async ({ core }) => {
      const stranger = core.withoutCertificate();
      if (core.token === undefined && !stranger) throw new Skip('no token and no certificate was given');
      const ask = (token: string | null) => (): Promise<Seen> =>
        askAsStranger(stranger ?? core, { params: { psuId: NOBODY }, token });
      try {
        await demandStatuses('401 or 403', ({ status }) => status === 401 || status === 403, {
          [stranger ? 'no token and no certificate' : 'no token']: ask(null),
          // Who shows a certificate needs no token.
          ...(stranger ? {} : { 'a wrong token': ask(`${core.token}x`) }),
        });
      } finally {
        await stranger?.close();
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
