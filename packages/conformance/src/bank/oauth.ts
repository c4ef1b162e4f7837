/** The authorization server of the bank, and tokens by the authorization code grant with PKCE. */
import { createHash, randomBytes } from 'node:crypto';
import { type Members, membersOf } from '../shapes.js';
import { NotRun, need } from '../verdict.js';
import type { Bank, Caller } from './bank.js';
import { Browser } from './browser.js';
import type { Answer } from './http.js';

const METADATA = '/.well-known/oauth-authorization-server';

/** The identity provider may be another one than the bank, at an address that the document does not show. */
export const readMetadata = (bank: Bank): Promise<Answer> =>
  bank.once('the metadata of the authorization server', async () => {
    const answer = await bank.send({ path: METADATA });
    need(answer.status !== 404, `there is no ${METADATA}`);
    return answer;
  });

export const metadata = async (bank: Bank): Promise<Members> => membersOf(await readMetadata(bank));

export const endpoint = async (bank: Bank, name: string): Promise<string> => {
  const { [name]: address } = await metadata(bank);
  if (typeof address !== 'string') throw new NotRun(`the metadata has no ${name}`);
  return address;
};

type Fields = Readonly<Record<string, string>>;

export const post = async (
  bank: Bank,
  name: string,
  fields: Fields,
  as: Caller = 'application',
  secret?: string,
): Promise<Answer> => {
  const { clientId, clientSecret } = bank.application(as);
  if (clientSecret === undefined) throw new NotRun(`the application ${as} has no clientSecret`);
  const basic = Buffer.from([clientId, secret ?? clientSecret].map(encodeURIComponent).join(':')).toString(
    'base64',
  );
  return bank.send({
    method: 'POST',
    path: await endpoint(bank, name),
    headers: { Authorization: `Basic ${basic}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
};

export interface Visit {
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
  /** Where the browser was sent in the end. */
  readonly url: URL;
  readonly isBack: boolean;
}

const base64url = (bytes: Buffer): string => bytes.toString('base64url');

/** With `more` a parameter is another one; undefined leaves it out. */
export const visit = async (
  bank: Bank,
  more: Readonly<Record<string, string | undefined>> = {},
): Promise<Visit> => {
  const { clientId, redirectUri } = bank.application();
  if (redirectUri === undefined) throw new NotRun('the application has no redirectUri');
  const verifier = base64url(randomBytes(32));
  const state = base64url(randomBytes(16));
  const fields = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'piis ais pis',
    state,
    code_challenge: base64url(createHash('sha256').update(verifier).digest()),
    code_challenge_method: 'S256',
    ...more,
  };
  const query = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const address = `${await endpoint(bank, 'authorization_endpoint')}?${new URLSearchParams(query as [string, string][])}`;
  const browser = new Browser(bank.http, bank.given('person'));
  const seen = await browser.visit(address, more.redirect_uri ?? redirectUri);
  return { state, verifier, redirectUri, ...seen };
};

/** A visit that ended well. */
export const codeOf = async (bank: Bank, more: Fields = {}): Promise<Visit & { readonly code: string }> => {
  const seen = await visit(bank, more);
  const code = seen.url.searchParams.get('code');
  need(seen.isBack && code !== null, 'the login gives no code');
  return { ...seen, code: code ?? '' };
};

export const redeem = (
  bank: Bank,
  {
    code,
    verifier,
    redirectUri,
  }: { readonly code: string; readonly verifier: string; readonly redirectUri: string },
  as?: Caller,
): Promise<Answer> =>
  post(
    bank,
    'token_endpoint',
    { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
    as,
  );

export const newTokens = async (bank: Bank, more: Fields = {}): Promise<Answer> => {
  const answer = await redeem(bank, await codeOf(bank, more));
  need(answer.status === 200, `a good code is answered ${answer.status}`);
  return answer;
};
