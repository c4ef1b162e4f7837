/** What no HTTP client would send: every message is refused once, in the contract's own words, and none is smuggled in. */
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sendRaw } from '../../support/client.js';
import { ATMS, FUNDS, fundsBody } from '../../support/operations.js';
import { type RawAnswer, responsesIn, verdictOf } from '../../support/raw-answers.js';
import { useService } from '../../support/use-service.js';

/** Short enough to wait for, long enough for a machine under load. */
const PATIENCE_MS = '700';
const service = useService({
  env: { TRAPEZA_HEADERS_TIMEOUT_MS: PATIENCE_MS, TRAPEZA_REQUEST_TIMEOUT_MS: PATIENCE_MS },
});

/** Sends the bytes and waits until the server closes: whatever more it might say is heard. */
const exchange = async (bytes: string | Buffer): Promise<readonly RawAnswer[]> =>
  responsesIn(await sendRaw(service().url, bytes));

const credentials = async (): Promise<string> =>
  `Ocp-Apim-Subscription-Key: ${service().keyOf()}\r\nAuthorization: Bearer ${await service().token()}\r\n`;

const malformed = '400 malformed-http';
const closing = 'Connection: close\r\n';
const tooLarge = '400 message-too-large';
const get = (more = ''): string => `GET ${ATMS} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const post = (headers: string, body = ''): string =>
  `POST ${FUNDS} HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`;
/** What an attacker would like to be taken for a request of its own. */
const smuggled = `GET ${ATMS} HTTP/1.1\r\nHost: smuggled\r\n\r\n`;

const requestLines: readonly [string, string | Buffer][] = [
  ['words', 'garbage\r\n\r\n'],
  ['random bytes', Buffer.concat([Buffer.from([0x80]), randomBytes(200), Buffer.from('\r\n\r\n')])],
  ['a TLS greeting', Buffer.from('16030100a5010000a10303', 'hex')],
  ['NUL bytes', Buffer.alloc(64)],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/0.9', `GET ${ATMS}\r\n\r\n`],
  ['HTTP/2.0', `GET ${ATMS} HTTP/2.0\r\nHost: x\r\n\r\n`],
  ['HTTP/9.9', `GET ${ATMS} HTTP/9.9\r\nHost: x\r\n\r\n`],
  ['no version', `GET ${ATMS} HTTP/\r\nHost: x\r\n\r\n`],
  ['another protocol', `GET ${ATMS} ICY/1.1\r\nHost: x\r\n\r\n`],
  ['a method in small letters', `get ${ATMS} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['a method without end', 'G'.repeat(20_000)],
  ['an unknown method', `FETCH ${ATMS} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['a method with a blank', `G ET ${ATMS} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['a blank in the path', `GET /a b HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['a NUL in the path', `GET /a\0b HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['a relative path', `GET psd2 HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['lines that end in LF alone', `GET ${ATMS} HTTP/1.1\nHost: x\n\n`],
  ['a line that ends in CR alone', `GET ${ATMS} HTTP/1.1\rHost: x\r\r`],
];

const headerLines: readonly [string, string][] = [
  ['a folded header', get('X-A: a\r\n folded\r\n')],
  ['a header folded with a tab', get('X-A: a\r\n\tfolded\r\n')],
  ['a blank before the colon', get('X-A : a\r\n')],
  ['a blank in the name', get('X A: a\r\n')],
  ['no colon', get('X-A\r\n')],
  ['no name', get(': a\r\n')],
  ['a name outside ASCII', get('X-Ω: a\r\n')],
  ['a NUL in a value', get('X-A: a\0b\r\n')],
  ['a control character in a value', get('X-A: a\x01b\r\n')],
  ['a CR in a value', get('X-A: a\rb\r\n')],
  ['LF alone between headers', `GET ${ATMS} HTTP/1.1\r\nHost: x\nX-A: a\r\n\r\n`],
  ['no Host in HTTP/1.1', `GET ${ATMS} HTTP/1.1\r\nConnection: close\r\n\r\n`],
];

/** Two readings of one message: a front server and we might disagree where it ends. */
const framings: readonly [string, string][] = [
  ['CL and TE', post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled}`)],
  ['TE and CL', post('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', `0\r\n\r\n${smuggled}`)],
  [
    'TE with a blank and CL',
    post('Transfer-Encoding : chunked\r\nContent-Length: 5\r\n', `0\r\n\r\n${smuggled}`),
  ],
  ['CL with a blank', post('Content-Length : 5\r\n', `0\r\n\r\n${smuggled}`)],
  ['two CL that differ', post('Content-Length: 5\r\nContent-Length: 6\r\n', `0\r\n\r\n${smuggled}`)],
  ['two CL that agree', post('Content-Length: 5\r\nContent-Length: 5\r\n', `0\r\n\r\n${smuggled}`)],
  ['a list of CL', post('Content-Length: 5, 5\r\n', `0\r\n\r\n${smuggled}`)],
  ['a negative CL', post('Content-Length: -5\r\n', smuggled)],
  ['a CL with a sign', post('Content-Length: +5\r\n', smuggled)],
  ['a hexadecimal CL', post('Content-Length: 0x5\r\n', smuggled)],
  ['a CL with a blank inside', post('Content-Length: 5 5\r\n', smuggled)],
  ['a CL beyond 64 bits', post('Content-Length: 99999999999999999999\r\n', smuggled)],
  ['TE: gzip', post('Transfer-Encoding: gzip\r\n', smuggled)],
  ['TE: chunked, gzip', post('Transfer-Encoding: chunked, gzip\r\n', `0\r\n\r\n${smuggled}`)],
  ['TE: xchunked', post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${smuggled}`)],
  ['TE: identity', post('Transfer-Encoding: identity\r\n', smuggled)],
  ['TE with a vertical tab', post('Transfer-Encoding: \x0bchunked\r\n', `0\r\n\r\n${smuggled}`)],
  ['TE folded', post('Transfer-Encoding:\r\n chunked\r\n', `0\r\n\r\n${smuggled}`)],
  ['a CL hidden behind LF', post('X-A: a\nContent-Length: 5\r\n', smuggled)],
];

describe('bytes that are no HTTP', () => {
  it.each([...requestLines, ...headerLines, ...framings])('%s', async (_what, bytes) => {
    const answers = await exchange(bytes);
    expect(answers.map(verdictOf)).toEqual([malformed]);
    expect(answers[0]?.headers.connection).toBe('close');
  });
});

const chunks: readonly [string, string][] = [
  ['a size that is no number', `zz\r\n${smuggled}`],
  ['a negative size', `-1\r\n${smuggled}`],
  ['a size beyond 64 bits', `fffffffffffffffff\r\n${smuggled}`],
  ['a size with a blank', `5 5\r\n${smuggled}`],
  ['more data than its size', `1\r\nxx\r\n0\r\n\r\n${smuggled}`],
  ['LF alone after the size', `1\nx\n0\n\n${smuggled}`],
];

describe('chunked bodies', () => {
  it.each(chunks)('with %s are refused', async (_what, body) => {
    const head = `${await credentials()}X-Request-ID: ${randomUUID()}\r\nTransfer-Encoding: chunked\r\n`;
    expect((await exchange(post(head, body))).map(verdictOf)).toEqual([malformed]);
  });

  it('with good chunks, extensions and trailers are read', async () => {
    const text = JSON.stringify(fundsBody());
    const head = `${await credentials()}X-Request-ID: ${randomUUID()}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n`;
    const half = Math.floor(text.length / 2);
    const chunk = (part: string): string => `${part.length.toString(16)};ext=1\r\n${part}\r\n`;
    const body = `${chunk(text.slice(0, half))}${chunk(text.slice(half))}0\r\nX-Trailer: x\r\n\r\n`;
    expect((await exchange(post(head, body))).map(verdictOf)).toEqual(['200']);
  });
});

describe('too much of anything', () => {
  it.each([
    ['a header of 20 KiB', get(`X-A: ${'a'.repeat(20_000)}\r\n`)],
    [
      'headers of 20 KiB together',
      get(Array.from({ length: 40 }, (_, at) => `X-${at}: ${'a'.repeat(500)}\r\n`).join('')),
    ],
    ['101 headers', get(`${closing}${Array.from({ length: 99 }, (_, at) => `X-${at}: a\r\n`).join('')}`)],
    ['2,000 headers', get(`${closing}${'a: b\r\n'.repeat(2000)}`)],
    [
      'an address of 9 KiB',
      `GET ${ATMS}?${'a'.repeat(9000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    ],
    ['an address of 20 KiB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ])('%s is refused', async (_what, bytes) => {
    expect((await exchange(bytes)).map(verdictOf)).toEqual([tooLarge]);
  });
});

describe('slow clients', () => {
  it.each([
    ['half a request line', 'GET /psd2'],
    ['half the headers', `GET ${ATMS} HTTP/1.1\r\nHost: x\r\nX-A`],
    ['headers without end', `GET ${ATMS} HTTP/1.1\r\nHost: x\r\n`],
  ])('that send %s and then nothing are told 408', async (_what, bytes) => {
    expect((await exchange(bytes)).map(verdictOf)).toEqual(['408 request-incomplete']);
  });

  it.each(['Content-Length: 100', 'Transfer-Encoding: chunked'])(
    'that do not finish a body with %s are told 408',
    async (framing) => {
      const head = `${await credentials()}X-Request-ID: ${randomUUID()}\r\n${framing}\r\n`;
      const begun = framing.startsWith('T') ? '40\r\n{"account":' : '{"account":';
      expect((await exchange(post(head, begun))).map(verdictOf)).toEqual(['408 request-incomplete']);
    },
  );

  it('whose request was refused already are told nothing more', async () => {
    const answers = await exchange(post('Content-Length: 100\r\n', '{"account":'));
    expect(answers.map(verdictOf)).toEqual(['401 subscription-key-missing']);
  });
});

describe('unusual, but HTTP', () => {
  it('an absolute address is read by its path alone', async () => {
    const head = `Host: x\r\n${await credentials()}${closing}\r\n`;
    for (const origin of ['http://evil.example', 'https://evil.example:8443', 'HTTP://x'])
      expect((await exchange(`GET ${origin}${ATMS} HTTP/1.1\r\n${head}`)).map(verdictOf)).toEqual(['200']);
    expect((await exchange(`GET http://evil.example HTTP/1.1\r\n${head}`))[0]?.status).toBe(200);
    expect((await exchange(`GET ftp://evil.example${ATMS} HTTP/1.1\r\n${head}`)).map(verdictOf)).toEqual([
      '404 route-not-found',
    ]);
  });

  it('HTTP/1.0 needs no Host and is closed', async () => {
    expect((await exchange(`GET ${ATMS} HTTP/1.0\r\n${await credentials()}\r\n`)).map(verdictOf)).toEqual([
      '200',
    ]);
  });

  it.each([
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', '404 route-not-found'],
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n', '404 route-not-found'],
    [
      'CONNECT with a body',
      'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n\r\n',
      '404 route-not-found',
    ],
    ['TRACE', `TRACE ${ATMS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, '405 method-not-allowed'],
    [
      'two Hosts',
      `GET ${ATMS} HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n`,
      '400 duplicate-header',
    ],
  ])('%s is refused by the contract', async (_what, bytes, expected) => {
    expect((await exchange(bytes)).map(verdictOf)).toEqual([expected]);
  });

  it.each(['websocket', 'h2c', 'TLS/1.0, HTTP/1.1'])('an upgrade to %s is not taken', async (protocol) => {
    const head = `Connection: Upgrade, close\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABk\r\n`;
    const answers = await exchange(get(`${await credentials()}${head}`));
    expect(answers.map(verdictOf)).toEqual(['200']);
  });

  it('Expect: 100-continue is heard, any other expectation ignored', async () => {
    const text = JSON.stringify(fundsBody());
    const head = `${await credentials()}X-Request-ID: ${randomUUID()}\r\nContent-Length: ${text.length}\r\n${closing}`;
    const statuses = async (expectation: string): Promise<number[]> =>
      (await exchange(post(`${head}Expect: ${expectation}\r\n`, text))).map(({ status }) => status);
    expect(await statuses('100-continue')).toEqual([100, 200]);
    expect(await statuses('200-ok')).toEqual([200]);
  });
});

describe('several requests on one connection', () => {
  it('are answered in their order', async () => {
    const head = await credentials();
    const body = JSON.stringify(fundsBody());
    const framed = `X-Request-ID: ${randomUUID()}\r\nContent-Length: ${body.length}\r\n`;
    const bytes = [
      get(head),
      post(`${head}${framed}`, body),
      get(),
      `GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n`,
      post(`Content-Length: ${body.length}\r\n`, body),
      get(`${head}${closing}`),
    ].join('');
    const verdicts = (await exchange(bytes)).map(verdictOf);
    const refused = '401 subscription-key-missing';
    expect(verdicts).toEqual(['200', '200', refused, '404 route-not-found', refused, '200']);
  });

  it('end with the first that is no HTTP, and nothing behind it is served', async () => {
    const verdicts = (await exchange(`${get(await credentials())}garbage\r\n\r\n${smuggled}`)).map(verdictOf);
    expect(verdicts[0]).toBe('200');
    // What arrives while an answer is under way ends the connection; later it would be answered.
    expect(verdicts.slice(1).filter((each) => each !== malformed)).toEqual([]);
    expect(verdicts.length).toBeLessThanOrEqual(2);
  });
});
