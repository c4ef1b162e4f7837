/** What an answer looks like on a connection: the same whether it is kept or not, in order, and whole however slowly it is read. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { sendRaw } from '../../support/client.js';
import { FUNDS, fundsBody } from '../../support/operations.js';
import { responsesIn } from '../../support/raw-answers.js';
import { useService } from '../../support/use-service.js';

const service = useService();

const question = async (id: string, more = ''): Promise<string> => {
  const body = JSON.stringify(fundsBody());
  return [
    `POST ${FUNDS} HTTP/1.1`,
    'Host: x',
    `Ocp-Apim-Subscription-Key: ${service().keyOf()}`,
    `Authorization: Bearer ${await service().token()}`,
    `X-Request-ID: ${id}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(more === '' ? [] : [more]),
    '',
    body,
  ].join('\r\n');
};

const questions = async (ids: readonly string[]): Promise<string> => {
  const last = ids.length - 1;
  const all = ids.map((id, index) => question(id, index === last ? 'Connection: close' : ''));
  return (await Promise.all(all)).join('');
};

describe('answers on one connection', () => {
  it('are the same whether it goes on or ends, but for what they say about that', async () => {
    const ids = [randomUUID(), randomUUID()];
    const [kept, ended] = responsesIn(await sendRaw(service().url, await questions(ids)));
    const { connection, 'keep-alive': term, date, 'x-request-id': id, ...same } = kept?.headers ?? {};
    const { connection: end, date: otherDate, 'x-request-id': otherId, ...rest } = ended?.headers ?? {};
    expect(kept?.status).toBe(200);
    expect(same).toEqual(rest);
    expect(Object.keys(same)).toContain('content-length');
    expect([id, otherId]).toEqual(ids);
    expect({ connection, term, end }).toEqual({
      connection: 'keep-alive',
      term: expect.stringMatching(/^timeout=\d+, max=10000$/),
      end: 'close',
    });
    for (const text of [date, otherDate]) expect(new Date(text ?? '').toUTCString()).toBe(text);
    expect(kept?.text).toBe(ended?.text);
  });

  it('come in the order of their requests, all of them', async () => {
    const ids = Array.from({ length: 40 }, () => randomUUID());
    const answers = responsesIn(await sendRaw(service().url, await questions(ids)));
    expect(answers.map(({ headers }) => headers['x-request-id'])).toEqual(ids);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('are the same for a body that comes byte by byte', async () => {
    const id = randomUUID();
    const text = await question(id, 'Connection: close');
    const answer = await new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(service().url);
      let received = '';
      const socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        received += chunk;
      });
      socket.on('close', () => resolve(received));
      socket.on('error', reject);
      const bytes = Buffer.from(text);
      const start = bytes.length - 40;
      socket.write(bytes.subarray(0, start));
      const sendFrom = (at: number): void => {
        if (at >= bytes.length) return;
        socket.write(bytes.subarray(at, at + 1), () => setImmediate(sendFrom, at + 1));
      };
      sendFrom(start);
    });
    expect(responsesIn(answer).map(({ status, headers }) => [status, headers['x-request-id']])).toEqual([
      [200, id],
    ]);
  });
});
