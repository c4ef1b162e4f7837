/** Before all cases: whether there is a core at the address that lets us in. One sentence says what to do, instead of a hundred failures. */
import { CommandError } from 'trapeza/cli';
import { type CoreClient, NOBODY } from './client.js';
import { Failure } from './verdict.js';

const remedies: readonly (readonly [RegExp, string])[] = [
  [
    /CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE|UNKNOWN_CA$/,
    'it wants our certificate, or another one: set TRAPEZA_CORE_CLIENT_CERTIFICATE and TRAPEZA_CORE_CLIENT_KEY',
  ],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH/, 'that is no TLS: is it an http address?'],
  [/ALTNAME/, 'its certificate is for another name: use the name that is in it'],
  [/EXPIRED|NOT_YET_VALID/, 'its certificate is not valid today'],
  [
    /CERT|UNABLE_TO|SSL|TLS/,
    'its certificate is not trusted: set TRAPEZA_CORE_CA to the file of the authority it comes from',
  ],
  [/ENOTFOUND|EAI_/, 'there is no such host: is the address right?'],
  [
    /ECONNRESET|EPIPE|UND_ERR_SOCKET/,
    'the connection breaks: is it the right port, is it TLS (https), does it want our certificate (TRAPEZA_CORE_CLIENT_CERTIFICATE)?',
  ],
  [/^none$/, 'it is late: is it overloaded, blocked on the way, or slow (--timeout)?'],
];

const unreachable = (url: string, { seen }: Failure): CommandError => {
  const remedy = remedies.find(([pattern]) => pattern.test(seen))?.[1];
  return new CommandError(
    `nobody answers at ${url} (${seen}): ${remedy ?? 'is your core running, and is the address right?'}`,
  );
};

const CREDENTIALS =
  'set TRAPEZA_CORE_TOKEN or --token-file, or for mutual TLS TRAPEZA_CORE_CLIENT_CERTIFICATE and TRAPEZA_CORE_CLIENT_KEY';

/** Health may be open to all callers, so it is asked about a person too. */
export const demandUsable = async (core: CoreClient, url: string): Promise<void> => {
  const ask = async (path: string): Promise<number> => {
    try {
      const { status } = await core.fetch('GET', path);
      if (status === 401 || status === 403)
        throw new CommandError(`${url} refuses us (status ${status} for ${path}): ${CREDENTIALS}`);
      if (status >= 300 && status < 400)
        throw new CommandError(
          `${url} sends us elsewhere (status ${status} for ${path}), and redirects are not followed: use the address that it names`,
        );
      return status;
    } catch (error) {
      throw error instanceof Failure ? unreachable(url, error) : error;
    }
  };
  const [health, accounts] = ['/health', `/account-holders/${NOBODY}/accounts`];
  const statuses = [await ask(health), await ask(accounts)];
  if (statuses.every((status) => status === 404))
    throw new CommandError(
      `${url} knows neither ${health} nor ${accounts} (404): is the address right, with the path that comes before them?`,
    );
};
