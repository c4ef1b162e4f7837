/** The body of a message: strict JSON in UTF-8, bounded in every direction, and no member that does not belong. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Answer, rawProblem, send, sendRaw, slugOf } from '../support/client.js';
import { countFundsRecords } from '../support/consents.js';
import { FUNDS, fundsBody, goodRequest, operationIds } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import { foreignNames, notJson, notUtf8 } from './tables/bodies.js';

const service = useService();
const good = JSON.stringify(fundsBody({ payee: 'Περίπτερο' }));

const ask = (body: string | Buffer): Promise<Answer> =>
  service().call({ method: 'POST', path: FUNDS, body, headers: { 'Content-Type': 'application/json' } });

const verdict = (answer: Answer): string =>
  answer.status === 200 ? '200' : `${answer.status} ${slugOf(answer)}`;
const errorsOf = (answer: Answer): Record<string, string[]> =>
  (answer.json as { errors?: Record<string, string[]> }).errors ?? {};

/** The good body with bytes in place of the payee's text. */
const withPayeeBytes = (hex: string): Buffer => {
  const [before = '', after = ''] = good.split('Περίπτερο');
  return Buffer.concat([Buffer.from(before), Buffer.from(hex, 'hex'), Buffer.from(after)]);
};

describe('text', () => {
  it.each(notUtf8)('that is not UTF-8 is refused: %s', async (_what, hex) => {
    expect(verdict(await ask(withPayeeBytes(hex)))).toBe('400 invalid-json');
  });

  it.each([
    ['a byte order mark', Buffer.from(`\ufeff${good}`)],
    ['UTF-16', Buffer.from(good, 'utf16le')],
    ['a lone high surrogate', good.replace('Περίπτερο', '\\ud800')],
    ['a lone low surrogate', good.replace('Περίπτερο', 'x\\udc00x')],
    ['surrogates in the wrong order', good.replace('Περίπτερο', '\\udc00\\ud800')],
    ['an escaped NUL', good.replace('Περίπτερο', 'a\\u0000b')],
    ['a NUL byte', withPayeeBytes('00')],
    ['a control character', withPayeeBytes('0a')],
    ['a NUL in a name', good.replace('payee', 'pay\\u0000ee')],
    ['a lone surrogate in a name', good.replace('payee', 'pay\\ud800ee')],
  ])('with %s is refused', async (_what, body) => {
    expect(verdict(await ask(body))).toBe('400 invalid-json');
  });

  it.each(['\\ud83c\\udfe6', '🏦', '\\u03a9', 'e\u0301', '\u200f', '\\"\\\\\\/\\n'])(
    'may hold %s',
    async (text) => {
      expect(verdict(await ask(good.replace('Περίπτερο', text)))).toBe('200');
    },
  );
});

describe('syntax', () => {
  it.each(notJson)('%s is not JSON', async (body) => {
    expect(verdict(await ask(body))).toBe('400 invalid-json');
  });

  it.each(['null', 'true', '1', '"x"', '[]', '[{}]', '{}'])(
    '%s is JSON, but not a question',
    async (body) => {
      expect(verdict(await ask(body))).toBe('400 validation-failed');
    },
  );

  it('white space around the body does not matter', async () => {
    expect(verdict(await ask(`\r\n\t ${good} \n`))).toBe('200');
  });

  it.each([
    ['"payee":"a","payee":"b"', 'payee'],
    ['"\\u0070ayee":"a","payee":"a"', 'payee'],
    ['"account":1,"account":2', 'account'],
    ['"a":{"b":{},"c":[1,{"d":1,"e":[],"d":1}]}', 'a.c.1.d'],
    ['"__proto__":1,"__proto__":2', '__proto__'],
    ['"a b":1,"a b":2', '(unprintable name)'],
  ])('a member is not there twice: %s', async (members, path) => {
    const answer = await ask(`{${members},"instructedAmount":{"currency":"EUR","amount":1}}`);
    expect(verdict(answer)).toBe('400 invalid-json');
    expect(errorsOf(answer)).toEqual({ [path]: ['must not be there twice'] });
    const { extensions } = answer.json as { extensions: { errors: object } };
    expect(extensions.errors).toEqual({ [path]: [{ code: 'duplicate' }] });
  });

  it('members of different objects may have one name', async () => {
    expect(verdict(await ask(good.replace('Περίπτερο', '\\"payee\\":1,\\"payee\\":')))).toBe('200');
  });

  it('a member is not there twice at any operation that takes a body, controls of the sandbox among them', async () => {
    const open = service().app.operations.filter(
      ({ body, area }) => body && (typeof area === 'string' || area.asks !== 'certificate'),
    );
    expect(open.length).toBeGreaterThan(12);
    for (const { id, method, path, area, headers } of open) {
      const wanted = {
        method,
        path: path.replace(/:\w+/g, () => randomUUID()),
        body: '{"a":1,"a":2}',
        headers: {
          'Content-Type': 'application/json',
          ...Object.fromEntries(
            headers.filter(({ name }) => name === 'Consent-ID').map(({ name }) => [name, randomUUID()]),
          ),
        },
      };
      const answer = await (typeof area === 'string' ? service().call(wanted) : send(service().url, wanted));
      expect([id, verdict(answer), errorsOf(answer)]).toEqual([
        id,
        '400 invalid-json',
        { a: ['must not be there twice'] },
      ]);
    }
  });
});

describe('size', () => {
  it.each([1, 2, 19, 20, 21, 50, 1000, 5000, 8000])(
    'nesting of %s levels never becomes a 5xx',
    async (depth) => {
      for (const [open, close] of [
        ['[', ']'],
        ['{"a":', '}'],
      ] as const) {
        const inner = Math.min(depth, Math.floor(16_000 / (open.length + close.length)));
        const nested = open === '[' ? '' : '1';
        const answer = await ask(`${open.repeat(inner)}${nested}${close.repeat(inner)}`);
        expect(verdict(answer)).toBe(inner > 20 ? '400 invalid-json' : '400 validation-failed');
        expect((await ask(open.repeat(inner))).status).toBe(400);
      }
    },
  );

  it.each([20_000, 100_000])('nesting of %s levels is too large before it is too deep', async (depth) => {
    expect(verdict(await ask('['.repeat(depth)))).toBe('400 message-too-large');
  });

  it('brackets inside texts are not nesting', async () => {
    expect(verdict(await ask(good.replace('Περίπτερο', '[{'.repeat(30))))).toBe('200');
    expect(verdict(await ask(good.replace('Περίπτερο', '\\"[[[['.repeat(10))))).toBe('200');
  });

  it('64 members are counted as unknown, 65 are too many', async () => {
    const members = (count: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 1])));
    expect(verdict(await ask(members(64)))).toBe('400 validation-failed');
    expect(verdict(await ask(members(65)))).toBe('400 invalid-json');
    expect(verdict(await ask(`{"account":${members(65)}}`))).toBe('400 invalid-json');
    expect(verdict(await ask(JSON.stringify(Array.from({ length: 65 }, () => 1))))).toBe('400 invalid-json');
  });

  it('names at most fifty faults', async () => {
    const wide = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`m${index}`, 1]));
    expect(Object.keys(errorsOf(await ask(JSON.stringify(wide)))).length).toBeLessThanOrEqual(50);
  });

  it('16 KiB pass to the last byte, one more does not', async () => {
    const full = good + ' '.repeat(16_384 - Buffer.byteLength(good));
    expect(verdict(await ask(full))).toBe('200');
    const answer = await ask(`${full} `);
    expect([verdict(answer), answer.headers.connection]).toEqual(['400 message-too-large', 'close']);
  });
});

describe('a body over the limit', () => {
  const oversized = 'x'.repeat(17 * 1024);
  const framings: readonly [string, string, string][] = [
    ['with its length', `Content-Length: ${oversized.length}`, oversized],
    [
      'in chunks',
      'Transfer-Encoding: chunked',
      `${oversized.length.toString(16)}\r\n${oversized}\r\n0\r\n\r\n`,
    ],
    [
      'in many chunks',
      'Transfer-Encoding: chunked',
      `${`400\r\n${'x'.repeat(1024)}\r\n`.repeat(17)}0\r\n\r\n`,
    ],
    ['announced and never sent', 'Content-Length: 1073741824', ''],
  ];

  it.each(framings.flatMap((framing) => operationIds.map((id) => [...framing, id] as const)))(
    'sent %s is refused, and the connection closed',
    async (_how, framing, body, id) => {
      const { method, path } = goodRequest(service(), id);
      const head = [
        `${method} ${path} HTTP/1.1`,
        'Host: x',
        `Ocp-Apim-Subscription-Key: ${service().keyOf()}`,
        `Authorization: Bearer ${await service().token()}`,
        `X-Request-ID: ${randomUUID()}`,
        framing,
      ].join('\r\n');
      const answer = await sendRaw(service().url, `${head}\r\n\r\n${body}`);
      expect(rawProblem(answer)).toMatchObject({ status: 400, slug: 'message-too-large' });
      expect(answer).toContain('Connection: close');
      expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    },
  );
});

describe('members that do not belong', () => {
  it('are many', () => {
    expect(new Set(foreignNames).size).toBeGreaterThanOrEqual(60);
  });

  it.each(foreignNames)(
    '%s is named in every object it is put into, and nothing is recorded',
    async (name) => {
      const before = await countFundsRecords(service());
      const member = `{${JSON.stringify(name)}:{"polluted":true},`;
      const bodies: readonly [string, string][] = [
        [name, good.replace('{', member)],
        [`account.${name}`, good.replace('"account":{', `"account":${member}`)],
        [`instructedAmount.${name}`, good.replace('"instructedAmount":{', `"instructedAmount":${member}`)],
      ];
      for (const [at, body] of bodies) {
        const answer = await ask(body);
        expect(verdict(answer)).toBe('400 validation-failed');
        expect(Object.hasOwn(errorsOf(answer), at)).toBe(true);
      }
      expect(await countFundsRecords(service())).toBe(before);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    },
  );

  it('with unprintable or long names are not repeated in the answer', async () => {
    for (const name of ['<script>', 'a\r\nb', 'x'.repeat(65), 'Ω', 'a b', '']) {
      const answer = await ask(good.replace('{', `{${JSON.stringify(name)}:1,`));
      expect(Object.keys(errorsOf(answer))).toEqual(['(unprintable name)']);
    }
  });
});

describe('numbers', () => {
  const withAmount = (written: string): string => good.replace('25.5', written);

  it.each([
    '1e400',
    '-1e400',
    '1e-400',
    '-0',
    '0',
    '0.0',
    '0e5',
    '-1',
    '-25.5',
    '1e-3',
    '0.001',
    '25.505',
    '5e-324',
  ])('%s is no amount', async (written) => {
    const answer = await ask(withAmount(written));
    expect(verdict(answer)).toBe('400 validation-failed');
    expect(Object.keys(errorsOf(answer))).toEqual(['instructedAmount.amount']);
  });

  it.each(['25.5', '25.50', '2.55e1', '2550e-2', '0.255E+2', '25.500000000000000000000', '1e0', '1E300'])(
    '%s is an amount',
    async (written) => {
      expect(verdict(await ask(withAmount(written)))).toBe('200');
    },
  );

  it.each(['9007199254740993', '12345678901234.56', '0.1234567890123456', '1.00000000000000001e15'])(
    '%s has more digits than can be trusted, or rounds to an amount',
    async (written) => {
      const digits = String(Number(written))
        .replace(/\D/g, '')
        .replace(/^0+|0+$/g, '');
      expect(verdict(await ask(withAmount(written)))).toBe(
        digits.length > 15 ? '400 validation-failed' : '200',
      );
    },
  );
});
