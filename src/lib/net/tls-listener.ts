/** An HTTP server behind TLS: the same limits as without it, and what they must be for a handshake. */
import type { RequestListener, ServerOptions } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import type { TlsFiles } from './tls-files.js';

export interface TlsListenerOptions {
  readonly files: TlsFiles;
  /** Clients are asked for a certificate. The reader verifies it: no connection is refused because of it. */
  readonly asksCertificate: boolean;
  readonly handshakeMs: number;
}

const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** Node knows a connection from the end of its handshake on; one before it must not hold up the end of the service. */
const watchHandshakes = (server: Server): (() => void) => {
  const begun = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    begun.set(name, socket);
    socket.once('close', () => begun.delete(name));
  });
  server.on('secureConnection', (socket) => begun.delete(nameOf(socket)));
  return () => {
    for (const socket of begun.values()) socket.destroy();
  };
};

export const createTlsListener = (
  { files, asksCertificate, handshakeMs }: TlsListenerOptions,
  limits: ServerOptions,
  serve: RequestListener,
): { readonly server: Server; closeHandshakes(): void } => {
  const server = createServer(
    {
      ...limits,
      ...files.context,
      ALPNProtocols: ['http/1.1'],
      handshakeTimeout: handshakeMs,
      requestCert: asksCertificate,
      rejectUnauthorized: false,
    },
    serve,
  );
  files.onChange((context) => server.setSecureContext(context));
  // A client that does not finish the handshake could not read an answer.
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return { server, closeHandshakes: watchHandshakes(server) };
};
