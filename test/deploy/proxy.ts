/** The proxies of deploy/proxy as they stand there, with the addresses and files of a test in them. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { freePort } from '../../bench/free-port.js';
import { pemOf } from '../../src/certificate/certificate.js';
import { Program, tempFolder } from '../cli/program.js';
import { root } from '../lib/source.js';
import type { Pki } from '../oauth/binding/support.js';

export type ProxyKind = 'nginx' | 'haproxy' | 'caddy';

export interface Node {
  readonly port: number;
  readonly management: number;
}

const samples = { nginx: 'nginx.conf', haproxy: 'haproxy.cfg', caddy: 'Caddyfile' } as const;

export const isInstalled = (kind: ProxyKind): boolean =>
  spawnSync(kind, [kind === 'caddy' ? 'version' : '-v']).status === 0;

/** Every line of a node in the sample, with an address of ours; HAProxy also has the port that it asks for health. */
const withNodes = (text: string, [a, b]: readonly [Node, Node]): string =>
  text
    .replace(/^.* 10\.0\.0\.1:8080(?!.* 10\.0\.0\.2).*$/gm, (line) =>
      line.replace('10.0.0.1:8080', `127.0.0.1:${a.port}${portOf(line, a)}`),
    )
    .replace(/^.* 10\.0\.0\.2:8080.*$/gm, (line) =>
      line
        .replace('10.0.0.1:8080', `127.0.0.1:${a.port}`)
        .replace('10.0.0.2:8080', `127.0.0.1:${b.port}${portOf(line, b)}`),
    );
const portOf = (line: string, { management }: Node): string =>
  /^ {2}server [ab] /.test(line) ? ` port ${management}` : '';

/** What stands around the sample on a machine of its own. */
const wrapped = (kind: ProxyKind, text: string, folder: string): string => {
  if (kind === 'haproxy') return text;
  if (kind === 'caddy') return `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${text}`;
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(' ');
  return `daemon off; pid ${join(folder, 'nginx.pid')}; error_log stderr; master_process off; events {}
http { access_log off; ${places}
${text}
}`;
};

const argumentsOf = (kind: ProxyKind, file: string): string[] => {
  if (kind === 'nginx') return ['-e', 'stderr', '-c', file];
  return kind === 'haproxy' ? ['-db', '-f', file] : ['run', '--config', file, '--adapter', 'caddyfile'];
};

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

export const startProxy = async (
  kind: ProxyKind,
  nodes: readonly [Node, Node],
  pki: Pki,
): Promise<{ url: string; program: Program }> => {
  const folder = tempFolder();
  const front = await freePort();
  const [certificate, key] = ['tls.pem', 'tls.key'].map((name) =>
    readFileSync(join(pki.folder, name), 'utf8'),
  );
  writeFileSync(join(folder, 'api.pem'), certificate ?? '');
  writeFileSync(join(folder, 'api.key'), key ?? '');
  writeFileSync(join(folder, 'api-with-key.pem'), `${certificate}${key}`);
  writeFileSync(join(folder, 'anchors.pem'), pemOf(pki.world.authority.root));
  const sample = readFileSync(join(root, 'deploy/proxy', samples[kind]), 'utf8')
    .replaceAll('/etc/trapeza/tls/', `${folder}/`)
    .replace('listen 443', `listen 127.0.0.1:${front}`)
    .replace('bind :443', `bind 127.0.0.1:${front}`)
    .replace(/^api\.bank\.example \{/m, `https://localhost:${front} {`)
    .replace('health_port 8081', `health_port ${nodes[0].management}`);
  const file = join(folder, samples[kind]);
  writeFileSync(file, wrapped(kind, withNodes(sample, nodes), folder));
  const program = new Program(kind, argumentsOf(kind, file), { cwd: folder, env: { HOME: folder } });
  await expect.poll(() => isListening(front)).toBe(true);
  return { url: `https://localhost:${front}`, program };
};
