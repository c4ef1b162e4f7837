/** A bank that is tried with a file of credentials: the account holder decides in person, and the third party comes with a certificate. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyPem } from '../../packages/sandbox/src/authority/authority.js';
import { hostNames } from '../../packages/sandbox/src/authority/extensions.js';
import { pemOf } from '../../src/certificate/certificate.js';
import { cardValues, Visitor } from '../account-pages/approve-support.js';
import { ec } from '../certificate/world.js';
import {
  cleanUp,
  jsonOf,
  type Program,
  runCommand,
  startTrapeza,
  tempFolder,
  trapeza,
} from '../cli/program.js';
import { Pki } from '../oauth/binding/support.js';
import { send } from '../support/client.js';
import { FINANCE, ibanOf } from '../support/operations.js';
import { type Service, startService } from '../support/service.js';
import { useService } from '../support/use-service.js';

afterAll(cleanUp);

interface Reported {
  readonly summary: Readonly<Record<string, number>>;
  readonly results: readonly { id: string; verdict: string; reason?: string }[];
}

const credentialsOf = async (service: Service, more: object = {}): Promise<string> => {
  const file = join(tempFolder(), 'bank.json');
  const application = {
    clientId: FINANCE,
    subscriptionKey: service.keyOf(),
    accessToken: await service.token({ application: FINANCE, psu: 'eleni' }),
  };
  const account = { iban: ibanOf('eleni', 101), currency: 'EUR' };
  const creditor = { iban: ibanOf('vasilis', 1101), name: 'Βασίλης' };
  writeFileSync(file, JSON.stringify({ application, account, creditor, ...more }));
  return file;
};

const PROMPT =
  /(Approve|Refuse|Withdraw) the consent (\S+) (?:at (\S+)|on the pages of the bank), then press Enter: $/;
const CASES = ['status-valid', 'status-rejected', 'status-revokedbypsu', 'funds-true', 'payment-valid'];

describe('--approve manual', () => {
  const use = useService();

  /** On the pages of the bank, as the prompt says; a withdrawal by the control of the sandbox. */
  const act = async (word: string, id: string, address: string | undefined): Promise<void> => {
    if (word === 'Withdraw') {
      const path = `/sandbox/consents/${id}/decision`;
      expect((await send(use().url, { method: 'POST', path, body: { decision: 'revoke' } })).status).toBe(
        200,
      );
      return;
    }
    expect(address).toBe(`${use().url}/authorise/${id}`);
    const visitor = new Visitor(use());
    const page = await visitor.open(id);
    const account = cardValues(page.text);
    const decision = word === 'Approve' ? 'approve' : 'refuse';
    expect((await visitor.decide(id, page, { account, term: 'open', decision })).status).toBe(303);
  };

  const answerAll = async (program: Program): Promise<readonly string[]> => {
    const words: string[] = [];
    let isOver = false;
    void program.finished.then(() => {
      isOver = true;
    });
    while (!isOver) {
      const found = await Promise.race([program.until(PROMPT), program.finished]);
      if (!Array.isArray(found)) break;
      const [prompt, word = '', id = '', address] = found;
      program.stderr = program.stderr.replace(prompt, '');
      await act(word, id, address);
      words.push(word);
      program.child.stdin?.write('\n');
    }
    return words;
  };

  it('prints where the account holder decides, waits, and judges by what was decided', async () => {
    const only = CASES.flatMap((name) => ['--only', name]);
    const file = await credentialsOf(use());
    const args = ['conformance', use().url, '--credentials', file, '--approve', 'manual', '--json', ...only];
    const program = startTrapeza(args, { isInteractive: true });
    const words = await answerAll(program);
    const { results, summary } = jsonOf<Reported>(await program.finished);
    expect(results.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
    expect(summary.passed).toBe(CASES.length);
    expect([...words].sort()).toEqual(['Approve', 'Approve', 'Approve', 'Approve', 'Refuse', 'Withdraw']);
  });

  it('ends when no one is there to press Enter', async () => {
    const file = await credentialsOf(use());
    const args = ['conformance', use().url, '--credentials', file, '--approve', 'manual', '--json'];
    const { code, stdout } = await trapeza([...args, '--only', 'status-valid', '--only', 'atms-status'], {
      input: '',
    });
    const { results } = JSON.parse(stdout) as Reported;
    expect(code).toBe(0);
    expect(results).toEqual([
      expect.objectContaining({ id: 'atms-status', verdict: 'passed' }),
      expect.objectContaining({
        id: 'status-valid',
        verdict: 'not run',
        reason: expect.stringContaining('input'),
      }),
    ]);
  });
});

describe('mutual TLS', () => {
  let pki: Pki;
  let service: Service;
  let url: string;
  beforeAll(async () => {
    pki = await Pki.open();
    const keys = ec();
    const plan = pki.world.plan({ use: 'web', publicKey: keys.publicKey });
    const names = hostNames('localhost');
    const extensions = [...plan.extensions.filter(({ oid }) => oid !== names.oid), names];
    const chain = [pki.world.build({ ...plan, extensions }), pki.world.authority.issuing].map(pemOf);
    writeFileSync(join(pki.folder, 'tls.pem'), chain.join(''));
    writeFileSync(join(pki.folder, 'tls.key'), keyPem(keys.privateKey));
    const { cert, key } = pki.holder();
    const files = { 'client.pem': cert, 'client.key': key, 'other.key': keyPem(ec().privateKey) };
    for (const [name, text] of Object.entries({ ...files, 'ca.pem': pemOf(pki.world.authority.root) }))
      writeFileSync(join(pki.folder, name), String(text));
    service = await startService({ env: { ...pki.tlsEnv, TRAPEZA_TLS_CLIENT_CERTIFICATE: 'required' } });
    url = service.url.replace('127.0.0.1', 'localhost');
  });
  afterAll(async () => {
    await service.close();
    await pki.close();
  });

  const tryWith = async (tls: Readonly<Record<string, string>>) => {
    const paths = Object.entries(tls).map(([name, file]) => [name, join(pki.folder, file)]);
    const file = await credentialsOf(service, { tls: Object.fromEntries(paths) });
    const only = ['atms-status', 'status-unknown', 'funds-key-missing'].flatMap((name) => ['--only', name]);
    return runCommand(['conformance', url, '--credentials', file, '--json', ...only]);
  };

  it('opens a bank that demands a certificate', async () => {
    const good = { certificate: 'client.pem', key: 'client.key', ca: 'ca.pem' };
    expect(jsonOf<Reported>(await tryWith(good)).summary).toMatchObject({ passed: 3 });
  });

  it.each([
    [{ ca: 'ca.pem' }, /401 to key and token/],
    [{ certificate: 'client.pem', key: 'client.key' }, /none to GET .*: .*certificate/],
    [{ certificate: 'client.pem', key: 'other.key', ca: 'ca.pem' }, /^tls: .*mismatch/],
    [{ certificate: 'absent.pem', key: 'client.key', ca: 'ca.pem' }, /^tls\.certificate: ENOENT/],
  ])('says what is wrong with %j', async (tls, said) => {
    expect(await tryWith(tls)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(said) });
  });
});
