/** Bodies that follow each other on one connection, in pieces of any size. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.js';
import { readWholeBody } from '../../../src/gate/message.js';
import { Load } from '../../../src/http/listeners/load.js';
import type { Operation } from '../../../src/http/operation.js';
import { createHttpServer } from '../../../src/http/server.js';
import { systemClock } from '../../../src/lib/clock.js';
import { responsesIn } from '../../support/raw-answers.js';

const config = readConfig({ PORT: '0' });

/** Answers with the length of the body and its last byte. */
const echo = {
  id: 'echo',
  method: 'POST',
  path: '/echo',
  success: { status: 200 },
  handle: ({ rawBody }: { rawBody: Buffer }) => ({
    status: 200,
    body: { length: rawBody.length, end: rawBody.at(-1) ?? null },
  }),
} as unknown as Operation;

const withServer = async <T>(work: (port: number) => Promise<T>): Promise<T> => {
  const server = createHttpServer(
    {
      config,
      clock: systemClock,
      site: { baseUrl: 'http://x' },
      operations: [echo],
      stagesOf: () => [{ name: 'body', check: readWholeBody(config, echo) }],
      mounts: [],
      observer: { finished: () => undefined },
      sharerOf: () => '',
      onRefusal: () => undefined,
      tls: undefined,
    },
    new Load({ maxInFlight: 1000, deadlineMs: 5000 }),
  );
  const { port } = await server.listen();
  try {
    return await work(port);
  } finally {
    await server.drain();
  }
};

const post = (body: string, more = ''): string =>
  `POST /echo HTTP/1.1\r\nHost: x\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
const chunked = (parts: readonly string[], more = ''): string =>
  `POST /echo HTTP/1.1\r\nHost: x\r\n${more}Transfer-Encoding: chunked\r\n\r\n${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;
const LAST = 'Connection: close\r\n';

/** Pieces of this size, each after the one before has left. */
const talk = (port: number, text: string, size: number): Promise<string> =>
  new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(port, '127.0.0.1', () => sendFrom(0));
    const sendFrom = (at: number): void => {
      if (at < text.length) socket.write(text.slice(at, at + size), () => setImmediate(sendFrom, at + size));
    };
    socket.setNoDelay(true);
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      heard += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(heard));
  });

describe('requests', () => {
  const bodies = ['', 'a', 'b'.repeat(5000), 'c'.repeat(16_384)];
  const text = [
    ...bodies.map((body) => post(body)),
    chunked(['d'.repeat(100), 'e'.repeat(9000)]),
    post('last', LAST),
  ].join('');
  const expected = [
    ...bodies.map((body) => ({ length: body.length, end: body.charCodeAt(body.length - 1) || null })),
    { length: 9100, end: 'e'.charCodeAt(0) },
    { length: 4, end: 't'.charCodeAt(0) },
  ];

  it.each([1_000_000, 4096, 97])('have their whole bodies in order, in pieces of %s', async (size) => {
    const heard = await withServer((port) => talk(port, text, size));
    expect(responsesIn(heard).map((answer) => JSON.parse(answer.text))).toEqual(expected);
  });
});
