/**
 * Connections to the outside through the bank's forward proxy. The name was resolved and checked before: the proxy is asked to
 * connect to that very address, so it cannot be sent anywhere else, and TLS goes through it to the host itself.
 */
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { withoutBrackets } from './address.js';
import type { Open, Resolved } from './checked-connect.js';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

const authorityOf = ({ address, family }: Resolved, port: string): string =>
  `${family === 6 ? `[${address}]` : address}:${port}`;

/** The proxy's own words and address stay out of what is kept. */
class ProxyFault extends Error {
  readonly code: string;
  constructor(status: number | undefined) {
    super('the proxy for outgoing connections refused');
    this.name = 'ProxyFault';
    this.code = `PROXY_${status ?? 'FAILED'}`;
  }
}

const tunnelTo = (proxy: URL, authority: string, timeoutMs: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { username, password } = proxy;
    const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    const asked = request({
      host: withoutBrackets(proxy.hostname),
      port: proxy.port || DEFAULT_PORTS[proxy.protocol],
      method: 'CONNECT',
      path: authority,
      headers: {
        host: authority,
        ...(username ? { 'proxy-authorization': `Basic ${credentials.toString('base64')}` } : {}),
      },
      agent: false,
      timeout: timeoutMs,
    });
    asked.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket as Socket);
      socket.destroy();
      reject(new ProxyFault(statusCode));
    });
    asked.once('response', ({ statusCode }) => {
      asked.destroy();
      reject(new ProxyFault(statusCode));
    });
    asked.once('timeout', () => asked.destroy(new ProxyFault(undefined)));
    asked.once('error', reject);
    asked.end();
  });

export const openThrough =
  (proxy: string, timeoutMs: number): Open =>
  async ([first], options, callback) => {
    if (!first) throw new Error('no address to connect to');
    const port = options.port || DEFAULT_PORTS[options.protocol] || '443';
    const socket = await tunnelTo(new URL(proxy), authorityOf(first, port), timeoutMs);
    if (options.protocol !== 'https:') return callback(null, socket);
    const { buildConnector } = await import('undici');
    buildConnector({ timeout: timeoutMs })({ ...options, httpSocket: socket }, callback);
  };
