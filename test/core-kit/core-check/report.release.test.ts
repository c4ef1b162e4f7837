/** What the check tells, and the commands as a bank runs them: a simulator and a check, each in a process of its own. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cases } from '../../../packages/core-kit/src/core-check/cases.js';
import { reportOf } from '../../../packages/core-kit/src/core-check/report.js';
import type { Result } from '../../../packages/core-kit/src/core-check/run.js';
import { demoSubject, subjectFaults } from '../../../packages/core-kit/src/core-check/subject.js';
import { cleanUp, jsonOf, type Program, runCommand, startTrapeza, tempFolder } from '../../cli/program.js';

afterAll(cleanUp);

const base = { operation: 'ping', title: 'says <so> & "more"', ms: 1234 } as const;
const results: readonly Result[] = [
  { ...base, id: 'one', verdict: 'passed' },
  {
    ...base,
    id: 'two',
    verdict: 'failed',
    expected: '200 < 300',
    seen: "it's\u0000 500",
    hint: 'Look & see.',
  },
  { ...base, id: 'three', operation: 'login', verdict: 'skipped', reason: 'the subject has no username' },
  { ...base, id: 'four', operation: 'login', verdict: 'blocked', reason: 'ping gave no answer' },
];

describe('a report', () => {
  it('for people is grouped by operation and explains what did not pass', () => {
    const text = reportOf('text', 'http://core', results);
    expect(text).toMatch(/^ping\n {2}ok {6}one: says <so> & "more"\n {2}FAILED {2}two/);
    expect(text).toMatch(/expected {2}200 < 300\n +seen {6}it's. 500\n +hint {6}Look & see\./);
    expect(text).toMatch(/\nlogin\n {2}skipped three.*\n +because {3}the subject has no username/);
    expect(text).toContain('1 passed, 1 failed, 1 blocked, 1 skipped');
  });

  it('for programs is JSON with a summary', () => {
    const summary = { passed: 1, failed: 1, blocked: 1, skipped: 1 };
    expect(JSON.parse(reportOf('json', 'http://core', results))).toEqual({
      url: 'http://core',
      summary,
      results,
    });
  });

  it('for build servers is XML with everything escaped and counted', () => {
    const xml = reportOf('junit', 'http://core', results);
    expect(xml).toContain(
      '<testsuites name="trapeza core-check" tests="4" failures="1" errors="1" skipped="1">',
    );
    expect(xml).toContain(
      '<testsuite name="core.ping" tests="2" failures="1" errors="0" skipped="0" time="2.468">',
    );
    expect(xml).toContain('name="two: says &lt;so&gt; &amp; &quot;more&quot;" time="1.234"');
    expect(xml).toContain(
      '<failure message="expected 200 &lt; 300, seen it&apos;s 500">Look &amp; see.</failure>',
    );
    expect(xml).toContain('<skipped message="the subject has no username"/>');
    expect(xml).toContain('<error message="ping gave no answer"/>');
    // Tags open and close in order, and nothing but tags has an angle bracket.
    const open: string[] = [];
    for (const [, close, name = '', self] of xml.matchAll(
      /<(\/?)([a-z]+)(?: [a-z]+="[^"<&]*(?:&\w+;[^"<&]*)*")*(\/?)>/g,
    ))
      if (close) expect(open.pop()).toBe(name);
      else if (!self) open.push(name);
    expect(open).toEqual([]);
    expect(xml.replace(/<[^<>]*>/g, '')).not.toMatch(/[<>]/);
  });
});

describe('a subject', () => {
  it('is told what is wrong with it, by its members', () => {
    expect(subjectFaults(demoSubject())).toBeUndefined();
    expect(subjectFaults({})).toBeUndefined();
    expect(subjectFaults({ psuId: 'a b', acountId: 'x' })).toMatch(/acountId is not a member/);
    expect(subjectFaults([])).toBeDefined();
  });
});

describe('the commands', () => {
  let simulator: Program;
  let url = '';
  const folder = tempFolder();

  it('start a core on a store of its own, with a first call to copy', async () => {
    simulator = startTrapeza(
      ['core-simulator', '--port', '0', '--token', 'secret', '--defect', 'closed-has-funds'],
      {
        cwd: folder,
      },
    );
    const [, found = ''] = await simulator.until(/core simulator is ready on (\S+)[\s\S]*Ctrl-C stops it/);
    url = found;
    expect(simulator.stdout).toContain('defect  closed-has-funds: a closed account has funds');
    expect(simulator.stdout).toContain(`${url}/health`);
    expect(existsSync(join(folder, 'data/core-simulator/core-simulator.db'))).toBe(true);
    const answer = await fetch(`${url}/health`, { headers: { Authorization: 'Bearer secret' } });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        ...{ status: 'ok', test: true, consents: true },
        operations: expect.arrayContaining(['executePayment', 'cancelPayment']),
      },
    ]);
  });

  it('check it, say what fails, and end with 1', async () => {
    const out = join(folder, 'report.xml');
    // Nothing here is about how fast the simulator is.
    const check = ['core-check', url, '--token', 'secret', '--demo', '--payments', '--timeout', '60000'];
    const { code, stdout, stderr } = await runCommand([...check, '--format', 'junit', '--out', out]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(`${cases.length - 1} passed, 1 failed, 0 blocked, 0 skipped: `);
    expect(readFileSync(out, 'utf8')).toMatch(/name="funds-closed: [^>]*><failure/);
    expect(stdout + readFileSync(out, 'utf8')).not.toMatch(/GR\d{20}|Ελένη|eleni-demo|Bearer/);
  });

  it('check single cases with a subject from a file, and end with 0 where they pass', async () => {
    const file = join(folder, 'subject.json');
    const { psuId, accountId } = demoSubject();
    writeFileSync(file, JSON.stringify({ psuId, accountId }));
    const check = ['core-check', url, '--token', 'secret', '--subject', file, '--format', 'json'];
    const finished = await runCommand([...check, '--only', 'accounts-listed', '--only', 'funds-closed']);
    expect(jsonOf<{ results: Result[] }>(finished).results).toMatchObject([
      { id: 'accounts-listed', verdict: 'passed' },
      { id: 'funds-closed', verdict: 'skipped', reason: 'the subject has no closedAccount' },
    ]);
    expect(jsonOf<{ summary: object }>(finished).summary).toEqual({
      passed: 1,
      failed: 0,
      blocked: 0,
      skipped: 1,
    });
    writeFileSync(file, JSON.stringify({ person: 1 }));
    expect(await runCommand(check)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/person is not a member.*docs\/core\.md/),
    });
  });

  it('stop cleanly, and say it in one message when nobody answers', async () => {
    expect(await simulator.stop()).toMatchObject({ code: 0, stderr: '' });
    const { code, stderr, stdout } = await runCommand(['core-check', url, '--demo']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^trapeza: nobody answers at \S+ \(ECONNREFUSED\)[^\n]*\n$/);
  });

  it.each([
    [['core-simulator', '--fault', 'flood'], /kind is one of late, refuse/],
    [['core-simulator', '--defect', 'all'], /one of health-in-other-words/],
    [['core-check', 'core.example'], /an http or https address/],
  ])('%j is explained', async (args, words) => {
    const { code, stderr } = await runCommand(args, { cwd: folder });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(words);
    expect(stderr).not.toContain('    at ');
  });
});
