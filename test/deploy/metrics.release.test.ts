/** What alerts and dashboards ask for exists: a metric that was renamed would be silence, not an error. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { securityEventKinds } from '../../src/observe/security-events.js';
import { root } from '../lib/source.js';
import { bothEngines, hasPostgres } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const rules = read('deploy/prometheus/alerts.yml');
const dashboards = readdirSync(join(root, 'deploy/grafana')).map((name) =>
  read(join('deploy/grafana', name)),
);
const alerts = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name);

/** A histogram is known by its name; queries use its parts. */
const metricsIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:trapeza|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_(?:bucket|sum|count)$/, ''),
  );
const used = new Set([rules, ...dashboards].flatMap(metricsIn));

const engines = bothEngines('alerts also name metrics that one engine alone has');
const services: Service[] = [];
beforeAll(async () => {
  for (const engine of engines) services.push(await startService({ engine, core: 'simulator' }));
});
afterAll(async () => {
  for (const service of services) await service.close();
});

describe('alerts and dashboards', () => {
  it('use metrics that a running service has', async () => {
    const texts = await Promise.all(
      services.map(async ({ app }) => (await fetch(`${app.managementUrl}/metrics`)).text()),
    );
    const known = new Set(
      texts.flatMap((text) => [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name)),
    );
    const others = hasPostgres
      ? []
      : ['trapeza_store_connections_in_use', 'trapeza_store_connections_waiting'];
    expect(used.size).toBeGreaterThan(20);
    expect([...used].filter((name) => !known.has(name) && !others.includes(name))).toEqual([]);
  });

  it('use kinds of security events that exist', () => {
    const named = [...rules.matchAll(/kind=~"([^"]+)"/g)].flatMap(([, kinds = '']) => kinds.split('|'));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((kind) => !(securityEventKinds as readonly string[]).includes(kind))).toEqual([]);
  });

  it('have a case for promtool and a section of the runbook for each alert', () => {
    const [cases, runbook] = [read('deploy/prometheus/alerts.test.yml'), read('docs/runbook.md')];
    expect(alerts.length).toBeGreaterThan(20);
    expect(new Set(alerts).size).toBe(alerts.length);
    expect(alerts.filter((name) => !cases.includes(`- name: ${name}\n`))).toEqual([]);
    expect([...runbook.matchAll(/^### (Trapeza\w+)$/gm)].map(([, name]) => name)).toEqual(alerts);
  });
});
