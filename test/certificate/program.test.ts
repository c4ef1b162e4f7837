/** A test PKI on the command line, from nothing to a registered third party. */
import { X509Certificate } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../../bench/free-port.js';
import { cleanUp, jsonOf, runCommand, startTrapeza, tempFolder } from '../cli/program.js';

afterAll(cleanUp);

const folder = tempFolder();
const pki = join(folder, 'pki');
const anchors = join(folder, 'anchors');
const env: Record<string, string> = {
  DATABASE_URL: `sqlite:${join(folder, 'register.db')}`,
  TRAPEZA_TRUST_ANCHORS: anchors,
};

const run = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await runCommand(args, { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};
const fault = async (...args: string[]): Promise<string> => {
  const { code, stderr } = await runCommand(args, { env });
  expect(code).toBe(1);
  expect(stderr).not.toContain('    at ');
  return stderr;
};
const json = async <T>(...args: string[]): Promise<T> =>
  jsonOf<T>(await runCommand([...args, '--json'], { env }));
const issue = (name: string, ...more: string[]) =>
  json<{ serial: string; certificate: string; privateKey: string }>(
    ...['pki', 'issue', '--pki', pki, '--name', 'Νέα Εφαρμογή', '--registration', 'PSDGR-BOG-4711'],
    ...['--roles', 'PSP_AI,PSP_PI', '--out', join(folder, name), ...more],
  );

describe('a test PKI', () => {
  it('is made, issues, answers, is trusted, and takes back what it has issued', async () => {
    const port = await freePort();
    await run('pki', 'init', '--out', pki, '--base-url', `http://127.0.0.1:${port}/test`);
    expect(await fault('pki', 'init', '--out', pki)).toContain('has a test PKI already');
    for (const name of ['root.key', 'issuing.key'])
      expect(statSync(join(pki, name)).mode & 0o777).toBe(0o600);

    const seal = await issue('seal');
    const web = await issue('web', '--use', 'web', '--key', 'ec', '--days', '20');
    expect(statSync(seal.privateKey).mode & 0o777).toBe(0o600);
    const leaf = new X509Certificate(readFileSync(seal.certificate));
    const issuing = new X509Certificate(readFileSync(join(pki, 'issuing.pem')));
    expect(leaf.verify(issuing.publicKey)).toBe(true);
    expect(leaf.subject).toContain('PSDGR-BOG-4711');

    mkdirSync(join(anchors, 'intermediates'), { recursive: true });
    copyFileSync(join(pki, 'root.pem'), join(anchors, 'root.pem'));
    writeFileSync(join(anchors, 'broken.pem'), 'no certificate');
    await run('migrate');
    const register = ['tpp', 'register', '--certificate'] as const;
    expect(await fault(...register, seal.certificate)).toContain('(revocation-unknown)');

    env.TRAPEZA_REVOCATION_HOSTS = `127.0.0.1:${port}`;
    const responder = startTrapeza(['pki', 'ocsp', '--pki', pki], { env });
    await responder.until(/Answering on http:\/\/127\.0\.0\.1:\d+: .*\/test\/ocsp/);
    const told = await runCommand([...register, seal.certificate, '--json'], { env });
    expect(told.stderr).toContain('"file":"broken.pem"');
    const made = JSON.parse(told.stdout) as { id: string };
    expect(made).toMatchObject({
      name: 'Νέα Εφαρμογή',
      registration: 'PSDGR-BOG-4711',
      roles: ['PSP_AI', 'PSP_PI'],
      use: 'seal',
      isNew: true,
      verified: true,
    });
    const second = (await runCommand([...register, web.certificate], { env })).stdout;
    expect(second).toContain(`is ${made.id}; its certificate is kept.`);
    expect(second).toContain('It expires in 19 day(s).');
    const rows = await json<{ tppId: string; use: string }[]>('tpp', 'certificates');
    expect(rows.map(({ tppId, use }) => [tppId, use])).toEqual([
      [made.id, 'web'],
      [made.id, 'seal'],
    ]);

    await run('pki', 'revoke', seal.serial, '--pki', pki);
    expect(await fault(...register, seal.certificate)).toContain('(revoked)');
    await responder.stop('SIGTERM');
    expect(await fault(...register, seal.certificate, '--unverified', '--roles', 'PSP_IC')).toContain(
      'the certificate does not have the role PSP_IC',
    );
    expect(await fault('pki', 'revoke', '1234', '--pki', pki)).toContain('has issued no certificate');
    expect(await fault(...register, join(anchors, 'broken.pem'))).toContain('is not a certificate');
    expect(
      await fault(
        'pki',
        'issue',
        '--pki',
        folder,
        '--name',
        'X',
        '--registration',
        'R',
        '--roles',
        'PSP_AI',
        '--out',
        'x',
      ),
    ).toContain('has no test PKI');
  });
});
