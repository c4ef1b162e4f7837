/** What alerts and dashboards ask for exists, label by label: what was renamed, or is born with its first event, would be silence. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coreOutcomes } from '../../src/bank/http/calls.js';
import { problems } from '../../src/problem/problem.js';
import { root } from '../lib/source.js';
import { bothEngines, hasPostgres } from '../support/engines.js';
import { ATMS, FUNDS, fundsBody } from '../support/operations.js';
import { type Service, startService } from '../support/service.js';
import { finds, type Series, selectorsIn, seriesOf } from './exposition.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const RULES = join(root, 'deploy/prometheus');
const rules = read('deploy/prometheus/alerts.yml');
const alerts = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name);

interface Panel {
  readonly title: string;
  readonly panels?: readonly Panel[];
  readonly targets?: readonly { readonly expr: string }[];
}
const queriesOf = ({ title, panels = [], targets = [] }: Panel): { title: string; query: string }[] => [
  ...targets.map(({ expr }) => ({ title, query: expr })),
  ...panels.flatMap(queriesOf),
];
const queries = readdirSync(join(root, 'deploy/grafana')).flatMap((name) =>
  queriesOf(JSON.parse(read(join('deploy/grafana', name))) as Panel),
);

/** Of things that a node may not have: registered certificates, its own ones, waiting notifications, a broken contract. */
const bornLater = new Set([
  'trapeza_tpp_certificate_expires_seconds',
  'trapeza_own_certificate_expires_seconds',
  'trapeza_event_waiting_seconds',
  'trapeza_core_wrong_answers_total',
  ...(hasPostgres ? [] : ['trapeza_store_connections_in_use', 'trapeza_store_connections_waiting']),
]);

const scrape = async ({ app }: Service): Promise<readonly Series[]> =>
  seriesOf(await (await fetch(`${app.managementUrl}/metrics`)).text());

const missingIn = (query: string, series: readonly Series[]): string[] =>
  selectorsIn(query)
    .filter((each) => !bornLater.has(each.name) && !finds(each, series))
    .map(({ text }) => text);

const engines = bothEngines('alerts also name metrics that one engine alone has');
const services: Service[] = [];
let fresh: readonly Series[] = [];
let busy: readonly Series[] = [];
beforeAll(async () => {
  for (const engine of engines) services.push(await startService({ engine, core: 'simulator' }));
  fresh = (await Promise.all(services.map(scrape))).flat();
  for (const service of services) {
    const { status } = await service.call({ method: 'POST', path: FUNDS, body: fundsBody() });
    expect(status).toBe(200);
    await service.call({ path: ATMS });
  }
  busy = (await Promise.all(services.map(scrape))).flat();
});
afterAll(async () => {
  for (const service of services) await service.close();
});

describe('a node that has answered nothing', () => {
  it('has every series that a rule asks for', () => {
    expect(selectorsIn(rules).length).toBeGreaterThan(60);
    expect(missingIn(rules, fresh)).toEqual([]);
  });

  it('has metrics of every name that is born later', () => {
    const names = [...selectorsIn(rules), ...queries.flatMap(({ query }) => selectorsIn(query))].map(
      ({ name }) => name,
    );
    expect([...bornLater].filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('a node with calls', () => {
  it('has data for every query of the dashboards', () => {
    expect(queries.length).toBeGreaterThan(30);
    expect(
      queries.flatMap(({ title, query }) => missingIn(query, busy).map((text) => `${title}: ${text}`)),
    ).toEqual([]);
  });

  it('has no series whose labels the documents do not list', () => {
    const listed = read('docs/operating.md');
    const outcomes = new Set(
      busy.flatMap(({ name, labels }) => (name === 'trapeza_core_calls_total' ? [labels.outcome ?? ''] : [])),
    );
    expect([...outcomes].toSorted()).toEqual(coreOutcomes.toSorted());
    expect([...outcomes].filter((outcome) => !listed.includes(`| \`${outcome}\` |`))).toEqual([]);
    const slugs = busy.flatMap(({ labels: { problem = '' } }) => (problem === '' ? [] : [problem]));
    expect(slugs.filter((slug) => !Object.hasOwn(problems, slug))).toEqual([]);
  });
});

const run = promisify(execFile);
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool && !process.env.CI) console.warn('SKIPPED: promtool is not installed, so no rule is tried');

/** An hour of it: what counts stands still, what is a moment goes on. */
const recordingOf = (series: readonly Series[], atSeconds: number): object[] =>
  series
    .filter(({ value }) => Number.isFinite(Number(value)))
    .map(({ name, labels, value }) => {
      const all = Object.entries({ job: 'trapeza', instance: 'a', ...labels });
      const isMoment = name === 'trapeza_job_last_success_timestamp_seconds';
      return {
        series: `${name}{${all.map(([label, text]) => `${label}="${text}"`).join(',')}}`,
        values: isMoment ? `${Number(value) - atSeconds}+60x60` : `${value}x60`,
      };
    });

describe.runIf(hasPromtool || process.env.CI)('rules', () => {
  it('are raised by what breaks and by nothing else', async () => {
    await run('promtool', ['test', 'rules', join(RULES, 'alerts.test.yml')]);
  });

  it('are silent in an hour of a healthy node', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rules-'));
    const [service] = services;
    const series = service ? await scrape(service) : [];
    expect(series.length).toBeGreaterThan(500);
    const tests = [
      {
        interval: '1m',
        input_series: recordingOf(series, (service?.clock.now() ?? 0) / 1000),
        alert_rule_test: ['20m', '60m'].flatMap((eval_time) =>
          alerts.map((alertname) => ({ eval_time, alertname })),
        ),
      },
    ];
    const file = join(folder, 'healthy.json');
    writeFileSync(
      file,
      JSON.stringify({ rule_files: [join(RULES, 'alerts.yml')], evaluation_interval: '1m', tests }),
    );
    await run('promtool', ['test', 'rules', file]);
    rmSync(folder, { recursive: true });
  });
});

describe('alerts', () => {
  it('have a healthy and a broken recording, and a section of the runbook', () => {
    const [cases, runbook] = [read('deploy/prometheus/alerts.test.yml'), read('docs/runbook.md')];
    expect(alerts.length).toBeGreaterThan(30);
    expect(new Set(alerts).size).toBe(alerts.length);
    const healthy = new Set(
      [...cases.matchAll(/eval_time: \w+, alertname: (\w+) \}/g)].map(([, name]) => name),
    );
    const broken = new Set(
      [...cases.matchAll(/^ +alertname: (\w+)\n +exp_alerts:$/gm)].map(([, name]) => name),
    );
    expect(alerts.filter((name) => !healthy.has(name))).toEqual([]);
    expect(alerts.filter((name) => !broken.has(name))).toEqual([]);
    expect([...runbook.matchAll(/^### (Trapeza\w+)$/gm)].map(([, name]) => name)).toEqual(alerts);
  });
});
