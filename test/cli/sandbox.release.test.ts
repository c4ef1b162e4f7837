/** `trapeza sandbox`: from an empty folder to a first call, and back to rest. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, Program, startSandbox, tempFolder, trapeza } from './program.js';

afterAll(cleanUp);

const hasCurl = existsSync('/usr/bin/curl') || existsSync('/usr/local/bin/curl');

describe('the sandbox', () => {
  it('starts in an empty folder, says where it listens, and answers the first call it prints', async () => {
    const folder = tempFolder();
    const { program, url, managementUrl } = await startSandbox({ cwd: folder });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${managementUrl}/health/ready`)).status).toBe(200);
    expect((await fetch(`${url}/docs`)).status).toBe(200);
    expect((await fetch(`${url}/sandbox/credentials`)).status).toBe(200);

    const [, firstCall = ''] = /A first call:\n\n([\s\S]+?)\n\nCtrl-C/.exec(program.stdout) ?? [];
    expect(firstCall).toContain(`curl -s ${url}/psd2/v1/opendata/atm`);
    if (hasCurl) {
      const bash = new Program('bash', ['-s'], { input: firstCall });
      const { code, stdout } = await bash.finished;
      expect(code).toBe(0);
      const atms = JSON.parse(stdout) as unknown[];
      expect(Array.isArray(atms)).toBe(true);
      expect(atms.length).toBeGreaterThan(0);
    }

    const secret = join(folder, 'data', 'sandbox-secret');
    expect(statSync(secret).mode & 0o077).toBe(0);
    const before = readFileSync(secret, 'utf8');
    const { code, signal } = await program.stop('SIGINT');
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    // No log beside the store: a copy of the one file is the whole store. The marker only says how far it was seen.
    const left = ['sandbox-secret', 'trapeza.db', 'trapeza.db.pulse'];
    expect(readdirSync(join(folder, 'data')).toSorted()).toEqual(left);
    await expect(fetch(`${url}/docs`)).rejects.toThrow();

    const healthy = await trapeza(['doctor', '--sandbox'], { cwd: folder });
    expect(healthy).toMatchObject({ code: 0, stderr: '' });
    expect(healthy.stdout).toMatch(/^ok +signing keys +ES256 /m);
    expect(healthy.stdout).not.toMatch(/production|^warning +(?!node|\s)/m);
    expect(healthy.stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(existsSync(join(folder, 'data', 'trapeza.db-wal'))).toBe(false);

    // A second start finds its secret and its data again.
    const again = await startSandbox({ cwd: folder });
    expect(readFileSync(secret, 'utf8')).toBe(before);
    const made = await fetch(`${again.url}/sandbox/tokens`, { method: 'POST' });
    expect(made.status).toBe(200);
    expect(await again.program.stop('SIGTERM')).toMatchObject({ code: 0, signal: null });
  });

  it('prints no secret of its own and no stack trace', async () => {
    const folder = tempFolder();
    const { program } = await startSandbox({ cwd: folder });
    const { stdout, stderr } = await program.stop();
    const secret = readFileSync(join(folder, 'data', 'sandbox-secret'), 'utf8');
    expect(stdout + stderr).not.toContain(secret);
    expect(stdout + stderr).not.toContain('    at ');
  });
});

describe('a port that is taken', () => {
  it.each([
    ['PORT', { TRAPEZA_MANAGEMENT_PORT: '0' }],
    ['TRAPEZA_MANAGEMENT_PORT', { PORT: '0' }],
    ['TRAPEZA_OPERATOR_PORT', { PORT: '0', TRAPEZA_MANAGEMENT_PORT: '0' }],
  ])('%s is explained, and nothing is left running', async (variable, others) => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as AddressInfo;
    const env = { ...others, [variable]: String(port) };
    const { code, stderr } = await trapeza(['sandbox'], { cwd: tempFolder(), env });
    expect(code).toBe(1);
    expect(stderr).toContain('the port is already in use');
    expect(stderr).toContain('set PORT, TRAPEZA_MANAGEMENT_PORT or TRAPEZA_OPERATOR_PORT to another one');
    expect(stderr).not.toContain('    at ');
    await new Promise((resolve) => blocker.close(resolve));
  });

  it('--port goes before PORT, and must be one', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as AddressInfo;
    const env = { PORT: '0', TRAPEZA_MANAGEMENT_PORT: '0' };
    const taken = await trapeza(['sandbox', '--port', String(port)], { cwd: tempFolder(), env });
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('already in use') });
    const wrong = await trapeza(['sandbox', '--port', '70000'], { cwd: tempFolder(), env });
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('It must be a whole number') });
    await new Promise((resolve) => blocker.close(resolve));
  });
});
