/**
 * A bank of others: it has the ATM read, and the status of a consent that was approved long ago. It is written from the interface
 * document alone, in its own style, and has two mistakes: 500 for an unknown consent, and a telephone number without its country.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export const KEY = 'a-key-of-the-double';
export const TOKEN = 'a-token-of-the-double';
export const CONSENT = '1b671a64-40d5-491e-99b0-da01ff1f3341';

const atms = [
  {
    id: '110ec58a-a0f2-4ac4-8393-c866d813b8d1',
    atmid: 'T-1',
    address: { country: 'GR' },
    supportedLanguages: ['el'],
    atmServices: ['CashWithdrawal'],
    currency: ['EUR'],
    telephoneNumber: '2101234567',
  },
];

const reply = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  response.end(JSON.stringify(body));
};

const refuse = (
  response: ServerResponse,
  status: number,
  title: string,
  headers: Record<string, string> = {},
): void => reply(response, status, { title, status, type: null, detail: null, instance: null }, headers);

const UUID = /^[0-9a-f-]{36}$/;

const routes: Readonly<
  Record<string, (request: IncomingMessage, response: ServerResponse, id: string) => void>
> = {
  '/psd2/v1/opendata/atm': (_request, response) => reply(response, 200, atms),
  '/ais/psd2/v1/consents/:id/status': (request, response, id) => {
    if (!UUID.test(String(request.headers['x-request-id']))) refuse(response, 400, 'X-Request-ID is missing');
    else if (id === CONSENT) reply(response, 200, { status: 'Valid' });
    else refuse(response, 500, 'Cannot read property of null');
  },
};

const answer = (request: IncomingMessage, response: ServerResponse): void => {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const id = /consents\/([^/]+)\//.exec(path)?.[1] ?? '';
  const route = routes[id === '' ? path : path.replace(id, ':id')];
  if (!route) refuse(response, 404, 'There is no such page');
  else if (request.method !== 'GET') refuse(response, 405, 'Method not allowed', { allow: 'GET' });
  else if (request.headers['ocp-apim-subscription-key'] !== KEY)
    refuse(response, 401, 'Wrong key', { 'www-authenticate': 'Key' });
  else if (request.headers.authorization !== `Bearer ${TOKEN}`)
    refuse(response, 401, 'Wrong token', { 'www-authenticate': 'Bearer' });
  else if (query.includes('access_token')) refuse(response, 400, 'No tokens in addresses');
  else route(request, response, id);
};

export const doubleBank = (): Server => createServer(answer);
