/** Passes a question on to the simulator, and its answer back: for a core that answers some questions in its own way. */
import type { ServerResponse } from 'node:http';
import type { Seen } from './raw-core.js';

const PASSED_ON =
  /^(x-request-id|psu-id|consent-id|sandbox-time|bank-consent-data|content-type|accept-language)$/;

export const askSimulator = (url: string, { method, path, headers, body }: Seen): Promise<Response> =>
  fetch(`${url}${path.replace(/^\/core/, '')}`, {
    method,
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        PASSED_ON.test(name) ? [[name, String(value)]] : [],
      ),
    ),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

export const relay = async (url: string, seen: Seen, response: ServerResponse): Promise<void> => {
  const answer = await askSimulator(url, seen);
  response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
};
