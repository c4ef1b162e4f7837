/** Codes and tokens: what they open, for whom, and how long. */
import type { Bank } from '../bank/bank.js';
import type { Answer } from '../bank/http.js';
import { codeOf, metadata, newTokens, post, redeem } from '../bank/oauth.js';
import { ATMS, newId, statusPath } from '../bank/operations.js';
import { document, rfc, type Sketch } from '../case.js';
import { pause } from '../clock.js';
import { demandStatus, membersOf } from '../shapes.js';
import { demand, need } from '../verdict.js';

const errorOf = (answer: Answer): unknown => membersOf(answer).error;

export const demandError = (answer: Answer, ...errors: readonly string[]): void => {
  demandStatus(answer, 400, 401);
  const error = errorOf(answer);
  demand(errors.includes(String(error)), `error ${errors.join(' or ')}`, String(error));
};

const tokens = (bank: Bank): Promise<Answer> => bank.once('tokens by the code grant', () => newTokens(bank));

const textIn = (answer: Answer, name: string): string => {
  const value = membersOf(answer)[name];
  need(typeof value === 'string', `the tokens have no ${name}`);
  return String(value);
};

const useToken = (bank: Bank, token: string, path = ATMS): Promise<Answer> =>
  bank.call({ path, headers: { Authorization: `Bearer ${token}` } });

const refresh = (bank: Bank, answer: Answer, as?: 'other'): Promise<Answer> =>
  post(
    bank,
    'token_endpoint',
    { grant_type: 'refresh_token', refresh_token: textIn(answer, 'refresh_token') },
    as,
  );

export const tokenSketches: readonly Sketch[] = [
  [
    'state',
    'the account holder comes back with the state that was sent',
    rfc('6749, 4.1.2'),
    async (bank) => {
      const { url, state } = await codeOf(bank);
      demand(url.searchParams.get('state') === state, 'the same state', 'another one, or none');
    },
  ],
  [
    'iss',
    'the account holder comes back with the issuer',
    rfc('9207, 2'),
    async (bank) => {
      const { issuer, authorization_response_iss_parameter_supported: isPromised } = await metadata(bank);
      need(isPromised === true, 'the metadata does not promise it');
      demand((await codeOf(bank)).url.searchParams.get('iss') === issuer, 'iss', 'none, or another');
    },
  ],
  [
    'tokens',
    'a code gives an access token with type and term',
    rfc('6749, 5.1'),
    async (bank) => {
      const { access_token, token_type, expires_in } = membersOf(await tokens(bank));
      const isGood =
        typeof access_token === 'string' &&
        /^(bearer|dpop)$/i.test(String(token_type)) &&
        Number(expires_in) > 0;
      demand(isGood, 'access_token, token_type and expires_in', 'something else');
    },
  ],
  [
    'no-store',
    'no cache keeps tokens',
    rfc('6749, 5.1 (Cache-Control: no-store)'),
    async (bank) => {
      const { headers } = await tokens(bank);
      demand(/\bno-store\b/.test(headers['cache-control'] ?? ''), 'Cache-Control: no-store', 'none');
    },
  ],
  [
    'token-works',
    'the access token opens the interface',
    document('Authentication 2'),
    async (bank) => demandStatus(await useToken(bank, textIn(await tokens(bank), 'access_token')), 200),
  ],
  [
    'code-once',
    'a code works once',
    rfc('6749, 4.1.2'),
    async (bank) => {
      const seen = await codeOf(bank);
      const { status } = await redeem(bank, seen);
      need(status === 200, `a good code is answered ${status}`);
      demandError(await redeem(bank, seen), 'invalid_grant');
    },
  ],
  [
    'verifier-wrong',
    'a code does not work with another verifier',
    rfc('7636, 4.6'),
    async (bank) =>
      demandError(await redeem(bank, { ...(await codeOf(bank)), verifier: 'x'.repeat(43) }), 'invalid_grant'),
  ],
  [
    'code-foreign',
    'a code does not work for another application',
    rfc('6749, 4.1.3'),
    async (bank) => demandError(await redeem(bank, await codeOf(bank), 'other'), 'invalid_grant'),
  ],
  [
    'refresh',
    'a refresh token gives a new access token',
    rfc('6749, 6'),
    async (bank) => demandStatus(await refresh(bank, await tokens(bank)), 200),
  ],
  [
    'refresh-foreign',
    'a refresh token does not work for another application',
    rfc('6749, 6'),
    async (bank) => demandError(await refresh(bank, await tokens(bank), 'other'), 'invalid_grant'),
  ],
  [
    'scope-narrow',
    'a token for funds confirmation does not read account consents',
    rfc('6750, 3.1 (insufficient_scope)'),
    async (bank) => {
      const token = textIn(await newTokens(bank, { scope: 'piis' }), 'access_token');
      demandStatus(await useToken(bank, token, statusPath(newId())), 401, 403);
    },
  ],
  [
    'revoked-refresh',
    'a refresh token that was revoked gives nothing',
    rfc('7009, 2'),
    async (bank) => {
      const made = await newTokens(bank);
      const { status } = await post(bank, 'revocation_endpoint', { token: textIn(made, 'refresh_token') });
      need(status === 200, `the revocation is answered ${status}`);
      demandError(await refresh(bank, made), 'invalid_grant');
    },
  ],
  [
    'revoked-access',
    'an access token that was revoked opens nothing, ten seconds later at the latest',
    rfc('7009, 2.1'),
    async (bank) => {
      const token = textIn(await newTokens(bank), 'access_token');
      const { status } = await post(bank, 'revocation_endpoint', { token });
      need(status === 200, `the revocation is answered ${status}`);
      let seen = await useToken(bank, token);
      for (let second = 0; seen.status === 200 && second < 10; second += 1) {
        await pause(1000);
        seen = await useToken(bank, token);
      }
      demandStatus(seen, 401, 403);
    },
  ],
];
