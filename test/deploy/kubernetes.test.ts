/** The manifests of deploy/kubernetes fit together: every policy, service, probe and volume leads to something that is there. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NEWS_PATH } from '../../src/bank/http/contract/news.js';
import { productionFaults, readConfig, settings } from '../../src/config/config.js';
import { isPlaceholder } from '../../src/lib/net/address.js';
import { root } from '../lib/source.js';
import { testSecret } from '../support/service.js';
import { readYaml, type Yaml } from './yaml.js';

type Labels = Readonly<Record<string, string>>;

interface Port {
  readonly name?: string;
  readonly port?: number | string;
  readonly targetPort?: string;
  readonly containerPort?: number;
}

interface Rule {
  readonly from?: readonly object[];
  readonly to?: readonly { readonly ipBlock?: { readonly cidr: string } }[];
  readonly ports: readonly Port[];
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

interface Container {
  readonly args: readonly string[];
  readonly ports?: readonly Port[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly securityContext: object;
}

interface ProxyNetworks {
  readonly inside: { readonly ipv4_address: string };
}

interface Volume {
  readonly name: string;
  readonly configMap?: { readonly items: readonly { readonly path: string }[] };
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly images?: readonly { readonly digest?: string; readonly newTag?: string }[];
  readonly configMapGenerator?: readonly { readonly literals: readonly string[] }[];
  readonly spec: {
    readonly selector?: Labels & { readonly matchLabels?: Labels };
    readonly podSelector?: { readonly matchLabels: Labels };
    readonly ports?: readonly Port[];
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
    readonly template?: {
      readonly metadata: { readonly labels: Labels };
      readonly spec: {
        readonly securityContext: object;
        readonly containers: readonly [Container];
        readonly volumes: readonly Volume[];
      };
    };
  };
}

const folder = join(root, 'deploy/kubernetes');
const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => readYaml(readFileSync(join(folder, name), 'utf8'))) as unknown as readonly Manifest[];
const ofKind = (kind: string): readonly Manifest[] => all.filter((each) => each.kind === kind);
const named = (kind: string, name: string): Manifest => {
  const found = ofKind(kind).find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`no ${kind} ${name}`);
  return found;
};
const podOf = ({ spec }: Manifest) => {
  if (!spec.template) throw new Error('no template');
  return {
    labels: spec.template.metadata.labels,
    ...spec.template.spec,
    container: spec.template.spec.containers[0],
  };
};

const node = podOf(named('Deployment', 'trapeza'));
const job = podOf(named('Job', 'trapeza-migrate'));
const pods = [node, job];
const portNames = node.container.ports?.map(({ name }) => name);
const selects = (labels: Labels, pod: { readonly labels: Labels }): boolean =>
  Object.entries(labels).every(([name, value]) => pod.labels[name] === value);

/** As the pods get it, from the ConfigMap and a Secret. */
const environmentOf = (literals: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    literals.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
  );
const sample = environmentOf(
  all.flatMap(({ configMapGenerator = [] }) => configMapGenerator.flatMap(({ literals }) => literals)),
);
const secret = {
  DATABASE_URL: 'postgres://trapeza@db.bank.example/trapeza',
  TRAPEZA_SECRET: testSecret,
  TRAPEZA_CORE_TOKEN: 'core-token',
};

describe('the manifests', () => {
  it('give the nodes settings that serve accepts once the placeholder is replaced, and none before', () => {
    const faults = (env: Record<string, string>): string[] => productionFaults(readConfig(env), env);
    expect(isPlaceholder(sample.TRAPEZA_TRUSTED_PROXIES ?? '')).toBe(true);
    expect(faults({ ...sample, ...secret })).toEqual([expect.stringContaining('TRAPEZA_TRUSTED_PROXIES')]);
    expect(faults({ ...sample, ...secret, TRAPEZA_TRUSTED_PROXIES: '10.1.2.3' })).toEqual([]);
  });

  it('bring third parties through: anchors in a folder, with the intermediate ones, and hosts for revocation', () => {
    const config = readConfig({ ...sample, ...secret });
    expect(config.revocationHosts).not.toEqual([]);
    const mount = node.container.volumeMounts.find(({ mountPath }) => mountPath === config.trustAnchors);
    const paths = node.volumes
      .find(({ name }) => name === mount?.name)
      ?.configMap?.items.map(({ path }) => path);
    expect(paths?.some((path) => /^[^/]+\.pem$/.test(path))).toBe(true);
    expect(paths?.some((path) => /^intermediates\/[^/]+\.pem$/.test(path))).toBe(true);
  });

  it('have a service and a policy of its own for each kind of caller, to a port that the pods have', () => {
    const services = ofKind('Service');
    expect(services.map(({ metadata }) => metadata.name).toSorted()).toEqual([
      'trapeza',
      'trapeza-console',
      'trapeza-management',
      'trapeza-news',
    ]);
    for (const { spec } of services) {
      expect(selects(spec.selector ?? {}, node)).toBe(true);
      expect(selects(spec.selector ?? {}, job)).toBe(false);
      for (const { targetPort } of spec.ports ?? []) expect(portNames).toContain(targetPort);
    }
    const policies = ofKind('NetworkPolicy');
    const opened = policies.flatMap(({ spec }) => spec.ingress ?? []);
    for (const { from, ports } of opened) {
      expect(from).toHaveLength(1);
      for (const { port } of ports) expect(portNames).toContain(port);
    }
    expect(opened.flatMap(({ ports }) => ports.map(({ port }) => port)).toSorted()).toEqual([
      'console',
      'management',
      'management',
      'public',
    ]);
    for (const { spec } of policies)
      expect(pods.filter((pod) => selects(spec.podSelector?.matchLabels ?? {}, pod))).toHaveLength(1);
    expect(readFileSync(join(folder, 'service.yaml'), 'utf8')).toContain(`POST ${NEWS_PATH} `);
  });

  it('let the pods out to named peers alone, each on its own port', () => {
    const rules = ofKind('NetworkPolicy').flatMap(({ spec }) => spec.egress ?? []);
    expect(rules.length).toBeGreaterThan(4);
    for (const { to = [], ports } of rules) {
      expect(to).toHaveLength(1);
      expect(ports).not.toEqual([]);
      for (const { ipBlock } of to)
        if (ipBlock) expect(ipBlock.cidr.endsWith('/32') && isPlaceholder(ipBlock.cidr)).toBe(true);
    }
    const proxy = new URL(sample.TRAPEZA_EGRESS_PROXY ?? '');
    expect(rules.flatMap(({ ports }) => ports.map(({ port }) => String(port)))).toEqual(
      expect.arrayContaining(['5432', '443', proxy.port]),
    );
  });

  it('ask for health where it is, and wait an hour for a start that migrates', () => {
    const { startupProbe, livenessProbe, readinessProbe } = node.container;
    for (const probe of [startupProbe, livenessProbe, readinessProbe])
      expect(probe?.httpGet.port).toBe('management');
    expect([startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet.path)).toEqual([
      '/health/live',
      '/health/live',
      '/health/ready',
    ]);
    expect((startupProbe?.periodSeconds ?? 0) * (startupProbe?.failureThreshold ?? 0)).toBeGreaterThanOrEqual(
      3600,
    );
    expect(job.container.args).toEqual(['migrate']);
    expect(node.container.args).toEqual(['serve']);
  });

  it('name images by digest, and give no pod a right that it does not need', () => {
    const images = all.flatMap(({ images = [] }) => images);
    expect(images).toHaveLength(2);
    for (const { digest, newTag } of images) {
      expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(newTag).toBeUndefined();
    }
    for (const { container, securityContext } of pods) {
      expect(container.securityContext).toEqual({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 });
    }
  });

  it('set nothing that is no setting', () => {
    const variables = Object.values(settings).map(({ variable }): string => variable);
    expect(Object.keys(sample).filter((name) => !variables.includes(name))).toEqual([]);
  });
});

describe('the file of compose', () => {
  it('trusts the address of its proxy alone, mounts the anchors, and migrates before the nodes start', () => {
    const [compose] = readYaml(readFileSync(join(root, 'deploy/compose/compose.yaml'), 'utf8'));
    const services = compose?.services as unknown as Readonly<Record<string, Readonly<Record<string, Yaml>>>>;
    const { a, b, proxy, migrate } = services;
    expect(a).toEqual(b);
    const env = a?.environment as unknown as Record<string, string>;
    expect(env.TRAPEZA_TRUSTED_PROXIES).toBe(
      (proxy?.networks as unknown as ProxyNetworks | undefined)?.inside.ipv4_address,
    );
    expect(a?.volumes).toEqual([`./anchors:${env.TRAPEZA_TRUST_ANCHORS}:ro`]);
    expect(migrate?.command).toEqual(['migrate']);
    expect(a?.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
    const complete = { ...env, ...secret, TRAPEZA_CORE_URL: 'https://core.bank.example' };
    expect(productionFaults(readConfig(complete), complete)).toEqual([]);
  });
});

describe('the image', () => {
  it('has trapeza on the PATH, and builds without the scripts of packages', () => {
    const file = readFileSync(join(root, 'deploy/container/Containerfile'), 'utf8');
    expect(file).toContain('ln -s /app/dist/main.js /usr/local/bin/trapeza');
    expect(file).toMatch(/^ENTRYPOINT \["trapeza"\]$/m);
    for (const [line] of file.matchAll(/npm (ci|prune).*$/gm)) expect(line).toContain('--ignore-scripts');
  });
});
