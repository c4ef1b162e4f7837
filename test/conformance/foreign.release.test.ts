/** A bank of others that has half of the interface: what it has is judged, what it has not is named, and the report can be handed over. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanUp, runCommand, tempFolder } from '../cli/program.js';
import { CONSENT, doubleBank, KEY, TOKEN } from './double/bank.js';

interface Reported {
  readonly summary: Readonly<Record<string, number>>;
  readonly results: readonly { id: string; area: string; verdict: string; reason?: string; seen?: string }[];
}

let server: Server;
let url: string;
const folder = (): string => tempFolder();

beforeAll(async () => {
  server = doubleBank();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await cleanUp();
});

const credentials = {
  application: { clientId: 'kit', subscriptionKey: KEY, accessToken: TOKEN },
  consents: [{ type: 'AccountAccess', id: CONSENT, status: 'Valid' }],
};

describe('a bank of others', () => {
  it('is judged by what it has, with its own clauses, in every form of the report', async () => {
    const place = folder();
    const [file, html, junit] = ['bank.json', 'report.html', 'report.xml'].map((name) =>
      join(place, name),
    ) as [string, string, string];
    writeFileSync(file, JSON.stringify(credentials));
    const { code, stdout, stderr } = await runCommand([
      'conformance',
      url,
      '--credentials',
      file,
      '--json',
      '--html',
      html,
      '--junit',
      junit,
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const { results, summary } = JSON.parse(stdout) as Reported;
    const idsOf = (verdict: string): string[] =>
      results.filter((each) => each.verdict === verdict).map(({ id }) => id);

    expect(idsOf('failed')).toContain('atms-member-telephonenumber');
    expect(results.find(({ id }) => id === 'status-unknown')).toMatchObject({
      verdict: 'failed',
      seen: 'status 500',
    });
    for (const id of [
      'atms-status',
      'atms-member-id',
      'status-status',
      'status-valid',
      'atms-key-missing',
      'status-allow',
    ])
      expect(idsOf('passed')).toContain(id);
    // Nothing that needs what was not given is passed.
    for (const { id, area, verdict, reason } of results)
      if (['orders', 'signatures', 'accounts', 'paging', 'oauth', 'events', 'consents'].includes(area))
        expect({ id, verdict, hasReason: Boolean(reason) }).toEqual({
          id,
          verdict: 'not run',
          hasReason: true,
        });
    expect(results.find(({ id }) => id === 'signatures-get')?.reason).toContain('no seal');

    const page = readFileSync(html, 'utf8');
    expect(page).not.toMatch(/<script|<link|src=|https?:\/\/(?!127\.0\.0\.1)/);
    expect(page).toContain(
      `${summary.failed} of ${(summary.failed ?? 0) + (summary.passed ?? 0)} cases that were tried failed, `,
    );
    expect(page.indexOf('Failed (')).toBeLessThan(page.indexOf('Passed ('));
    expect(
      [page, readFileSync(junit, 'utf8'), stdout].filter(
        (text) => text.includes(KEY) || text.includes(TOKEN),
      ),
    ).toEqual([]);
    const suites = new DOMParser().parseFromString(readFileSync(junit, 'utf8'), 'text/xml').documentElement;
    expect(suites.getAttribute('tests')).toBe(String(results.length));
    expect(suites.getElementsByTagName('failure')).toHaveLength(summary.failed ?? 0);
    expect(suites.getElementsByTagName('skipped')).toHaveLength(summary['not run'] ?? 0);
  });
});
