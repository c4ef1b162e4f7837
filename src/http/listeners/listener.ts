/** The listener itself, with or without TLS: the limits of Node's HTTP, how it opens and how it ends. */
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../../config/config.js';
import { guardSockets } from '../../lib/net/connection.js';
import type { TlsFiles } from '../../lib/net/tls-files.js';
import { createTlsListener } from '../../lib/net/tls-listener.js';
import { type ConnectionRule, limitConnections } from './connection-limit.js';

const REQUESTS_PER_CONNECTION = 10_000;
/** Connections that wait to be accepted. With Node's 511, a burst of two thousand lost some of them; the system's own limit counts too. */
const BACKLOG = 4096;
/** While the listener closes. */
const SWEEP_MS = 100;

export interface ListenerParts {
  readonly config: Config;
  /** With it the listener is https. */
  readonly tls: TlsFiles | undefined;
  /** How they are shared; without it, the first to come has them. */
  readonly connections?: ConnectionRule;
}

export interface Listener {
  readonly server: Server;
  /** For requests of a server that is not ours. */
  readonly handle: RequestListener;
  listen(): Promise<AddressInfo>;
  /** Lets running requests finish, closes the rest after the drain time. */
  drain(): Promise<void>;
}

const open = ({ config, tls }: ListenerParts, serve: RequestListener) => {
  const limits: ServerOptions = {
    maxHeaderSize: config.headerLimit,
    headersTimeout: config.headersTimeoutMs,
    requestTimeout: config.requestTimeoutMs,
    keepAliveTimeout: config.keepAliveMs,
    connectionsCheckingInterval: Math.min(1000, config.headersTimeoutMs, config.requestTimeoutMs),
    // A missing Host is checked with the rest, so that its answer has our error body.
    requireHostHeader: false,
    insecureHTTPParser: false,
  };
  if (!tls) return { server: createServer(limits, serve), closeHandshakes: () => undefined };
  const asksCertificate = config.tlsClientCertificate !== 'off';
  return createTlsListener(
    { files: tls, asksCertificate, handshakeMs: config.headersTimeoutMs },
    limits,
    serve,
  );
};

export const createListener = (parts: ListenerParts, serve: RequestListener): Listener => {
  const { config, connections } = parts;
  const { server, closeHandshakes } = open(parts, serve);
  guardSockets(server);
  server.maxHeadersCount = 0;
  // No byte in either direction for longer than a request may take to arrive and to be processed: the client does not read.
  server.timeout = config.requestTimeoutMs + config.deadlineMs;
  if (connections) limitConnections(server, connections);
  else server.maxConnections = config.maxConnections;
  server.maxRequestsPerSocket = REQUESTS_PER_CONNECTION;
  // Expect: 100-continue is answered by Node; any other expectation would draw a 417, which the contract does not have.
  server.on('checkExpectation', serve);
  return {
    server,
    handle: serve,
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        const { port, host } = config;
        const shared = config.sharedPort === 'on' ? { reusePort: true } : {};
        server.listen({ port, host, backlog: BACKLOG, ...shared }, () => {
          server.off('error', reject);
          resolve(server.address() as AddressInfo);
        });
      }),
    drain: () =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(force);
          clearInterval(sweep);
          resolve();
        };
        // Node may still count a TLS connection that is long gone: the end does not wait for its word.
        const force = setTimeout(() => {
          server.closeAllConnections();
          end();
        }, config.drainMs);
        // A page whose answer was under way may leave its connection open.
        const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
        server.close(end);
        server.closeIdleConnections();
        closeHandshakes();
      }),
  };
};
