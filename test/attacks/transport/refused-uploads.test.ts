/** Strangers who upload: they are answered, and what they send is not read. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { FUNDS } from '../../support/operations.js';
import { inTier } from '../../support/tier.js';
import { useService } from '../../support/use-service.js';

/** 4 MiB of small fields. */
const FIELD = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
const FORM = Buffer.from(`${FIELD.repeat(80_000)}--b--\r\n`);

const upload = (url: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': FORM.length };
    const sent = request({ hostname, port, method: 'POST', path: '/operator/atms', agent: false, headers });
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    // It was answered, and the connection ended, while the form was sent.
    sent.on('error', () => resolve(undefined));
    sent.end(FORM);
  });

const KIBIBYTE = 1024;
/** What has arrived when the request is refused: the first reads of the socket, and what Node reads ahead. */
const MOST_READ = 256 * KIBIBYTE;
/** Much more than the buffers of both ends of a connection take. */
const ENDLESS = 64 * KIBIBYTE * KIBIBYTE;

interface Flooded {
  readonly answer: string;
  readonly wasSending: boolean;
}

/** Sends the head, then a body for as long as the connection takes it. */
const flood = (base: string, head: readonly string[]): Promise<Flooded> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(base);
    const piece = Buffer.alloc(64 * KIBIBYTE, 'x');
    let answer = '';
    let wasSending = false;
    const socket = connect(Number(port), hostname);
    const send = (): void => {
      while (socket.bytesWritten < ENDLESS && socket.write(piece));
    };
    socket.write(`${head.join('\r\n')}\r\nHost: x\r\nContent-Length: ${ENDLESS}\r\n\r\n`);
    send();
    socket.on('drain', send);
    socket.on('data', (chunk) => {
      wasSending ||= socket.writableLength > 0;
      answer += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve({ answer, wasSending }));
  });

/** The bytes that the servers of this process have read from each connection while `work` ran. */
const readBytes = async (work: () => Promise<unknown>): Promise<readonly number[]> => {
  const sockets = new Set<Socket>();
  const onRequest = (message: unknown): void => {
    sockets.add((message as { readonly socket: Socket }).socket);
  };
  subscribe('http.server.request.start', onRequest);
  await work();
  unsubscribe('http.server.request.start', onRequest);
  return [...sockets].map(({ bytesRead }) => bytesRead);
};

describe('a refused client', () => {
  const use = useService();

  it('is answered without its form, as are fifteen others, and others are served meanwhile', async () => {
    const { consoleUrl, managementUrl, listenUrl } = use().app;
    const seen = new Set<number | undefined>();
    let isOver = false;
    const others = async (): Promise<readonly number[]> => {
      const statuses = new Set<number>();
      while (!isOver) {
        statuses.add((await fetch(`${managementUrl}/health/ready`)).status);
        statuses.add((await fetch(`${listenUrl}/psd2/v1/opendata/atm`)).status);
      }
      return [...statuses].toSorted();
    };
    const meanwhile = others();
    const client = async (): Promise<void> => {
      for (let count = 0; count < inTier(1, 8); count += 1) seen.add(await upload(consoleUrl));
    };
    await Promise.all(Array.from({ length: 16 }, client));
    isOver = true;
    expect(await meanwhile).toEqual([200, 401]);
    seen.delete(undefined);
    expect([...seen]).toEqual([303]);
  });

  it('that goes on sending reads its answer, and what it sends is not read', async () => {
    const { consoleUrl, managementUrl, listenUrl } = use().app;
    const multipart = 'Content-Type: multipart/form-data; boundary=b';
    const requests = [
      [consoleUrl, 303, 'POST /operator/atms HTTP/1.1', multipart],
      [consoleUrl, 403, 'POST /operator/atms HTTP/1.1', multipart, 'Origin: https://evil.example'],
      [consoleUrl, 404, 'POST /operator/nowhere HTTP/1.1', multipart],
      [listenUrl, 403, 'POST /dashboard/code HTTP/1.1', multipart],
      [listenUrl, 400, 'POST /oauth/token HTTP/1.1', 'Content-Type: application/x-www-form-urlencoded'],
      [listenUrl, 401, `POST ${FUNDS} HTTP/1.1`, 'Content-Type: application/json'],
      [listenUrl, 404, 'POST /nowhere HTTP/1.1', 'Content-Type: application/json'],
      [managementUrl, 404, 'POST /health/ready HTTP/1.1', 'Content-Type: application/json'],
    ] as const;
    let seen: readonly Flooded[] = [];
    const read = await readBytes(async () => {
      seen = await Promise.all(requests.map(([base, , ...head]) => flood(base, head)));
    });
    expect(seen.map(({ answer }) => Number(answer.slice(9, 12)))).toEqual(
      requests.map(([, status]) => status),
    );
    expect(seen.every(({ wasSending }) => wasSending)).toBe(true);
    expect(seen.every(({ answer }) => /\r\nconnection: close\r\n/i.test(answer))).toBe(true);
    expect(read).toHaveLength(requests.length);
    expect(read.filter((bytes) => bytes > MOST_READ)).toEqual([]);
  });
});
