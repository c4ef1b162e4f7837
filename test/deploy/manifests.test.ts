/** The files of deploy/ name settings, ports, paths and files that the product has. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settings } from '../../src/config/settings.js';
import { root } from '../lib/source.js';
import { readYaml } from './yaml.js';

const files = readdirSync(join(root, 'deploy'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => relative(root, join(parentPath, name)));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const kubernetes = files.filter((path) => path.startsWith('deploy/kubernetes/'));
const variables: readonly string[] = Object.values(settings).map(({ variable }) => variable);

const namesIn = (text: string): string[] => [
  ...(text.match(/\bTRAPEZA_[A-Z0-9_]+/g) ?? []),
  ...[...text.matchAll(/^ *-? *(BASE_URL|DATABASE_URL|HOST|PORT)[:=]/gm)].map(([, name = '']) => name),
];

/** Of the build and of compose, not of the service. */
const OTHERS = ['TRAPEZA_IMAGE'];

describe('deploy/', () => {
  it('names settings that exist', () => {
    const named = files.flatMap((path) => namesIn(read(path)).map((name) => [path, name] as const));
    expect(named.length).toBeGreaterThan(20);
    const isKnown = (name: string): boolean => [...variables, ...OTHERS].includes(name.replace(/_FILE$/, ''));
    expect(named.filter(([, name]) => !isKnown(name))).toEqual([]);
  });

  it('uses the ports of the settings and the paths of the private listener', () => {
    const { port, managementPort, operatorPort } = settings;
    const ports = [...read('deploy/kubernetes/deployment.yaml').matchAll(/containerPort: (\d+)/g)].map(
      ([, each]) => Number(each),
    );
    expect(ports).toEqual([port, managementPort, operatorPort].map(({ fallback }) => fallback));
    expect(read('deploy/container/Containerfile')).toContain(
      `EXPOSE ${port.fallback} ${managementPort.fallback} ${operatorPort.fallback}`,
    );
    const paths = files.flatMap((path) => read(path).match(/\/health\/\w+/g) ?? []);
    expect(new Set(paths)).toEqual(new Set(['/health/live', '/health/ready']));
    expect(read('src/http/listeners/management.ts')).toMatch(
      /health\/live[\s\S]*health\/ready|health\/ready[\s\S]*health\/live/,
    );
  });

  it('lists every manifest for Kubernetes', () => {
    for (const folder of ['deploy/kubernetes', 'deploy/kubernetes/migrate']) {
      const [{ resources } = { resources: [] }] = readYaml(read(`${folder}/kustomization.yaml`));
      const others = kubernetes.filter((path) => dirname(path) === folder).map((path) => basename(path));
      expect(resources).toEqual(
        expect.arrayContaining(others.filter((name) => name !== 'kustomization.yaml')),
      );
      expect(resources).toHaveLength(others.length - 1);
    }
  });

  it('runs the service without rights, and gives it the time it needs to stop', () => {
    const deployment = read('deploy/kubernetes/deployment.yaml');
    for (const demand of ['runAsNonRoot: true', 'readOnlyRootFilesystem: true', 'drop: [ALL]'])
      expect(deployment).toContain(demand);
    const needed = (settings.drainDelayMs.fallback + settings.drainMs.fallback) / 1000;
    const grace = [
      /terminationGracePeriodSeconds: (\d+)/.exec(deployment),
      /^TimeoutStopSec=(\d+)$/m.exec(read('deploy/systemd/trapeza@.service')),
      /stop_grace_period: (\d+)s/.exec(read('deploy/compose/compose.yaml')),
    ].map((found) => Number(found?.[1]));
    expect(grace.every((seconds) => seconds > needed)).toBe(true);
  });

  it('gives each node of a machine ports of its own, and all of them one user', () => {
    const unit = read('deploy/systemd/trapeza@.service');
    const [management, console] = ['MANAGEMENT', 'OPERATOR'].map(
      (name) => new RegExp(`TRAPEZA_${name}_PORT=(\\d+)%i`).exec(unit)?.[1] ?? '',
    );
    const taken = [
      settings.port.fallback,
      ...[1, 9].flatMap((node) => [`${management}${node}`, `${console}${node}`]),
    ];
    expect(new Set(taken.map(Number)).size).toBe(5);
    expect(`${management}1`).toBe(String(settings.managementPort.fallback));
    expect(unit).toMatch(/^User=trapeza\nDynamicUser=yes$/m);
    // What serve does not refuse keeps no node from starting, however often the database is away.
    expect(unit).not.toMatch(/^ExecStartPre=/m);
    expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
  });

  it('copies into the image what exists, and nothing of tests', () => {
    const copied = [...read('.containerignore').matchAll(/^!([\w./-]+)$/gm)].map(([, path = '']) => path);
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(copied).not.toContain('test');
  });
});
