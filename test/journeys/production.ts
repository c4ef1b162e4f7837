/**
 * A bank in production, as its operators set it up: `trapeza serve` on PostgreSQL in front of one of the cores that the documentation
 * shows, and a third party that was registered with the command line.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { freePort } from '../../bench/free-port.js';
import { cardValues, hiddenFields } from '../account-pages/approve-support.js';
import { jsonOf, Program, startServe, tempFolder, trapeza, type Variables } from '../cli/program.js';
import { root } from '../lib/source.js';
import { authorize, type Browser, discover, type Place, redeem } from '../oauth/provider-journey.js';
import { orderPath } from '../payment/support.js';
import { type Answer, send } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { testSecret } from '../support/service.js';

const examples = join(root, 'docs/examples/core');
export const subjectFile = join(examples, 'subject.json');
export const CORE_TOKEN = 'token-of-the-example-core';

export const hasPython = ['/usr/bin/python3', '/usr/local/bin/python3'].some((path) => existsSync(path));
if (!hasPython) console.warn('WARNING: no python3 found: the tests of the core in Python are SKIPPED.');

/** As Node 20 can run it. */
const compiled = (folder: string): string => {
  const options = [
    '--outDir',
    folder,
    '--target',
    'es2023',
    '--module',
    'esnext',
    '--noCheck',
    '--ignoreConfig',
    ...['--rootDir', examples],
  ];
  execFileSync(join(root, 'node_modules/.bin/tsc'), [join(examples, 'core.ts'), ...options]);
  const file = join(folder, 'core.mjs');
  renameSync(join(folder, 'core.js'), file);
  return file;
};

export type Language = 'Python' | 'TypeScript';

/** A core of the documentation; it keeps its file and its port when it is started again. */
export class ExampleCore {
  readonly #command: readonly string[];
  #port = '0';
  #program: Program | undefined;
  /** What it printed before it was killed. */
  #past = '';
  url = '';

  constructor(language: Language) {
    const folder = tempFolder();
    this.#command =
      language === 'Python'
        ? ['python3', join(examples, 'core.py'), join(folder, 'core.db')]
        : [process.execPath, compiled(folder), join(folder, 'journal.ndjson')];
  }

  async start(): Promise<this> {
    const [command = '', ...args] = this.#command;
    this.#program = new Program(command, [...args, this.#port], {
      env: { CORE_TOKEN, PYTHONDONTWRITEBYTECODE: '1' },
    });
    const [, url = ''] = await this.#program.until(/core on (\S+)/);
    this.url = url;
    this.#port = new URL(url).port;
    return this;
  }

  async kill(): Promise<void> {
    this.#past += this.#program?.stdout ?? '';
    await this.#program?.stop('SIGKILL');
    this.#program = undefined;
  }

  /** The newest text message to a person. */
  messageTo(person: string): string {
    const all = `${this.#past}${this.#program?.stdout ?? ''}`;
    return [...all.matchAll(new RegExp(`^SMS to ${person}: (.*)$`, 'gm'))].at(-1)?.[1] ?? '';
  }

  /** Asks it as Trapeza does. */
  async ask<T>(path: string, person = 'customer-1'): Promise<T> {
    const headers = { Authorization: `Bearer ${CORE_TOKEN}`, 'PSU-ID': person, 'X-Request-ID': randomUUID() };
    return (await (await fetch(`${this.url}${path}`, { headers })).json()) as T;
  }
}

/** Passes every question on to a core and every answer back, late. */
export class LateProxy {
  delayMs = 0;
  url = '';
  readonly #server: Server;

  private constructor(target: string) {
    this.#server = createServer((question, answer) => {
      const onward = request(
        `${target}${question.url}`,
        { method: question.method, headers: question.headers },
        (reply) => {
          setTimeout(() => {
            answer.writeHead(reply.statusCode ?? 502, reply.headers);
            reply.pipe(answer);
          }, this.delayMs);
        },
      );
      onward.on('error', () => answer.destroy());
      question.pipe(onward);
    });
  }

  static async before(target: string): Promise<LateProxy> {
    const proxy = new LateProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    proxy.url = `http://127.0.0.1:${(proxy.#server.address() as AddressInfo).port}`;
    return proxy;
  }

  close(): Promise<unknown> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    return closed;
  }
}

const RETURN = 'https://agora.example/back';

/** From an empty database to a node that is ready, by the commands of the documentation. */
export const openBank = async (coreUrl: string, more: Variables = {}) => {
  const database = await createDatabase('postgres', 'disk');
  const port = await freePort();
  const env: Variables = {
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: database.url,
    TRAPEZA_SECRET: testSecret,
    TRAPEZA_CORE_URL: coreUrl,
    TRAPEZA_CORE_TOKEN: CORE_TOKEN,
    TRAPEZA_SIGNATURE_POLICY: 'off',
    TRAPEZA_CODES_PER_PERSON: '1000',
    TRAPEZA_LOGINS_PER_ADDRESS: '10000',
    TRAPEZA_QUOTA_PER_MINUTE: '100000',
    ...more,
  };
  const run = async <T>(...args: string[]): Promise<T> =>
    jsonOf<T>(await trapeza([...args, '--json'], { env }));
  expect(await trapeza(['migrate'], { env })).toMatchObject({ code: 0 });
  const tpp = await run<{ id: string }>(
    ...[
      'tpp',
      'create',
      '--name',
      'Agora',
      '--registration',
      'PSDGR-BOG-1',
      '--roles',
      'PSP_IC,PSP_AI,PSP_PI',
    ],
  );
  const { clientId, clientSecret } = await run<{ clientId: string; clientSecret: string }>(
    ...['application', 'create', '--tpp', tpp.id, '--name', 'Agora', '--redirect-uri', RETURN],
  );
  const { keys } = await run<{ keys: { key: string }[] }>('key', 'create', '--application', clientId);
  const { url, managementUrl, program } = await startServe({ env });
  const psus = [{ username: 'eleni', password: 'eleni-test' }];
  const applications = [
    {
      clientId,
      clientSecret,
      redirectUri: RETURN,
      subscriptionKey: keys[0]?.key ?? '',
      name: 'Agora',
      roles: [],
    },
  ];
  const place = { url, credentials: { baseUrl: url, applications, psus } } as unknown as Place;
  return { env, place, clientId, managementUrl, program, drop: database.drop };
};
export type ProductionBank = Awaited<ReturnType<typeof openBank>>;

/** Something was refused on the way: by the interface, or by a page. */
export class Refusal extends Error {
  /** The core is late or away, or the page says that it does not know whether a code was sent, or that none counts any more. */
  readonly isHonest: boolean;

  constructor({ status, text }: Answer) {
    const words = text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
    super(`${status}: ${words.slice(0, 400)} … ${words.slice(-400)}`);
    this.isHonest =
      [408, 503].includes(status) ||
      /Δεν ξέρουμε αν στάλθηκε ο κωδικός|κωδικός (σας )?δεν ισχύει πια/.test(words);
  }
}

/** A third party with the tokens of one account holder, and that person's browser. */
export class ThirdParty {
  readonly #bank: ProductionBank;
  readonly #core: ExampleCore;
  readonly #browser: Browser;
  readonly #token: string;

  private constructor(bank: ProductionBank, core: ExampleCore, browser: Browser, token: string) {
    this.#bank = bank;
    this.#core = core;
    this.#browser = browser;
    this.#token = token;
  }

  static async authorized(bank: ProductionBank, core: ExampleCore): Promise<ThirdParty> {
    const configuration = await discover(bank.place, bank.clientId);
    const authorized = await authorize(bank.place, configuration, { withPar: true });
    const { access_token: token } = await redeem(configuration, authorized);
    return new ThirdParty(bank, core, authorized.browser, token);
  }

  call(
    path: string,
    body?: object,
    { method = body ? 'POST' : 'GET', headers = {} }: { method?: string; headers?: Variables } = {},
  ): Promise<Answer> {
    const { place } = this.#bank;
    return send(place.url, {
      method,
      path,
      headers: {
        'Ocp-Apim-Subscription-Key': place.credentials.applications[0]?.subscriptionKey ?? '',
        Authorization: `Bearer ${this.#token}`,
        'X-Request-ID': randomUUID(),
        ...headers,
      },
      ...(body ? { body } : {}),
    });
  }

  /** Creates a consent and has it approved on the bank's pages, with the code of the text message. */
  async approved(path: string, body: object): Promise<string> {
    const created = await this.call(path, body);
    if (created.status !== 201) throw new Refusal(created);
    const { consentId, _links } = created.json as {
      consentId: string;
      _links: { self: { href: string }; scaRedirect: { href: string } };
    };
    try {
      await this.#approve(_links.scaRedirect.href);
    } catch (error) {
      // Only so many may wait for one person.
      await this.call(new URL(_links.self.href).pathname, undefined, { method: 'DELETE' });
      throw error;
    }
    return consentId;
  }

  async #approve(address: string): Promise<void> {
    const sent = this.#core.messageTo('customer-1');
    const { page } = await this.#browser.visit(address);
    if (page.status !== 200) throw new Refusal(page);
    const [account = ''] = cardValues(page.text);
    const action = `${new URL(address).pathname}/decision`;
    const form = { ...hiddenFields(page.text), account, term: 'open' };
    const { page: asked } = await this.#browser.visit(action, { ...form, decision: 'begin' });
    const message = this.#core.messageTo('customer-1');
    if (message === sent) throw new Refusal(asked);
    const decision = { ...form, code: message.slice(0, 6), decision: 'approve' };
    const { leftTo, page: end } = await this.#browser.visit(action, decision);
    if (leftTo?.searchParams.get('result') !== 'approved') throw new Refusal(end);
  }

  submit(id: string): Promise<Answer> {
    return this.call(orderPath(id), undefined, { method: 'POST' });
  }

  /** The status of a submitted payment as soon as it is final. */
  async settled(id: string): Promise<string> {
    const isFinal = /^(ACSC|RJCT|CANC)$/;
    let status = '';
    await expect
      .poll(
        async () => {
          const { json } = await this.call(orderPath(id));
          status = (json as { transactionStatus?: string }).transactionStatus ?? '';
          return status;
        },
        { timeout: 120_000, interval: 200 },
      )
      .toMatch(isFinal);
    return status;
  }
}
