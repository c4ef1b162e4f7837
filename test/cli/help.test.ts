/** The help of every command: what there is, and each option with a word of explanation. */
import { Command } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { registerConformance } from '../../packages/conformance/src/cli.js';
import { registerCoreCheck } from '../../packages/core-kit/src/core-check/cli.js';
import { registerCoreSimulator } from '../../packages/core-kit/src/simulator/cli.js';
import { registerSandbox } from '../../packages/sandbox/src/cli.js';
import { registerPki } from '../../packages/sandbox/src/pki/cli.js';
import { registerApplication } from '../../src/cli/application.js';
import { registerBrand } from '../../src/cli/brand.js';
import { registerCompletion } from '../../src/cli/completion.js';
import { registerDoctor } from '../../src/cli/doctor/doctor.js';
import { registerDocuments } from '../../src/cli/documents.js';
import { ENV_FILE } from '../../src/cli/env-file.js';
import { addExamples, examples, examplesIn } from '../../src/cli/examples.js';
import { registerBackup } from '../../src/cli/keeping/backup.js';
import { registerImport } from '../../src/cli/keeping/import.js';
import { registerStore } from '../../src/cli/keeping/move.js';
import { registerKey, registerSigningKey } from '../../src/cli/key.js';
import { registerLogs } from '../../src/cli/logs.js';
import { registerMaintenance } from '../../src/cli/maintenance.js';
import { registerOperator } from '../../src/cli/operator.js';
import { registerParity } from '../../src/cli/parity.js';
import { registerAtms } from '../../src/cli/records/atms.js';
import { registerAudit } from '../../src/cli/records/audit.js';
import { registerConsents } from '../../src/cli/records/consents.js';
import { registerEvents } from '../../src/cli/records/events.js';
import { registerPayments } from '../../src/cli/records/payments.js';
import { registerPsu } from '../../src/cli/records/psu.js';
import { registerSecret } from '../../src/cli/secret.js';
import { registerServe } from '../../src/cli/serve.js';
import { registerSettings } from '../../src/cli/settings.js';
import { registerDowntime, registerIncident, registerStatistics } from '../../src/cli/statistics.js';
import { registerTpp } from '../../src/cli/tpp/tpp.js';
import { registerTrust } from '../../src/cli/trust.js';
import { actsDocument } from '../../src/documents.js';
import { version } from '../../src/version.js';
import { commands } from './commands.js';
import { cleanUp, runCommand } from './program.js';

afterAll(cleanUp);

/** These run until they are stopped, write files, or only confirm what they were told to do. */
const withoutData = [
  ...'serve,sandbox,core-simulator,pki ocsp,pki init,pki revoke,brand texts,brand preview,docs,completion,payments settle'.split(
    ',',
  ),
  ...['tpp', 'application', 'key'].flatMap((group) => [`${group} suspend`, `${group} resume`]),
  ...[
    'tpp policy',
    'tpp unattended',
    'tpp approve',
    'tpp certificates block',
    'tpp certificates unblock',
    'application webhook',
    'audit seal',
  ],
  'operator remove',
  'events redeliver',
  'downtime cancel',
  'incident update',
  'incident close',
];

const program = new Command('trapeza');
for (const register of [
  registerServe,
  registerSandbox,
  registerDoctor,
  registerBackup,
  registerStore,
  registerImport,
  registerTpp,
  registerTrust,
  registerStatistics,
  registerDowntime,
  registerIncident,
  registerMaintenance,
  registerParity,
  registerPki,
  registerApplication,
  registerKey,
  registerSigningKey,
  registerEvents,
  registerLogs,
  registerConsents,
  registerPayments,
  registerAtms,
  registerAudit,
  registerOperator,
  registerPsu,
  registerSecret,
  registerSettings,
  registerBrand,
  registerCoreSimulator,
  registerCoreCheck,
  registerConformance,
  registerDocuments,
  registerCompletion,
])
  register(program);
program.option(`${ENV_FILE} <file>`);
addExamples(program);

const leavesOf = (command: Command, path: readonly string[] = []): [string, Command][] =>
  command.commands.length === 0
    ? [[path.join(' '), command]]
    : command.commands.flatMap((each) => leavesOf(each, [...path, each.name()]));

const leaves = new Map(leavesOf(program));

describe('the help', () => {
  it('knows exactly the documented commands', () => {
    expect([...leaves.keys()].toSorted()).toEqual(Object.keys(commands).toSorted());
  });

  it.each(Object.entries(commands))('of "%s" explains %j', (name, parts) => {
    const help = leaves.get(name)?.helpInformation() ?? '';
    expect(help).toContain(`Usage: trapeza ${name}`);
    const described = help.split('\n').filter((line) => /^ {2}\S.* {2,}\S/.test(line));
    for (const part of [...parts, '-h, --help']) {
      const label = /^[<[]/.test(part) ? part.slice(1, -1).replace('...', '') : part;
      expect(described.some((line) => line.trimStart().startsWith(label))).toBe(true);
    }
    expect(described).toHaveLength(parts.length + 1);
  });

  it('has every command that the documentation of the acts names', () => {
    const named = [...actsDocument().matchAll(/`trapeza ([a-z -]+)` \|/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !leaves.has(name))).toEqual([]);
  });

  it('offers JSON from every command that prints data, and from no other', () => {
    const names = [...leaves].filter(([, leaf]) => !leaf.options.some(({ long }) => long === '--json'));
    expect(names.map(([name]) => name).toSorted()).toEqual(withoutData.toSorted());
  });

  it('has examples of exactly these commands, and each of them parses', async () => {
    const found = examplesIn(program);
    const names = ['', ...Object.keys(commands)];
    expect(found.map(([name]) => name).toSorted()).toEqual(names.toSorted());
    expect(Object.keys(examples).filter((name) => !names.includes(name))).toEqual([]);
    const called: string[] = [];
    const all = [
      program,
      ...program.commands.flatMap((each) => [each, ...each.commands]),
      ...leaves.values(),
    ];
    for (const each of all) each.exitOverride().configureOutput({ writeErr: () => undefined });
    for (const [name, leaf] of leaves) leaf.action(() => void called.push(name));
    for (const [name, rests] of found) {
      expect(rests).not.toEqual([]);
      for (const rest of rests) {
        const line = `${name} ${rest}`.trim();
        const words = line.match(/"[^"]+"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [];
        await program.parseAsync(words, { from: 'user' }).catch((error: unknown) => {
          throw new Error(`trapeza ${line}`, { cause: error });
        });
        expect(line).toMatch(new RegExp(`^(--env-file \\S+ )?${called.at(-1)}\\b`));
      }
    }
    expect(new Set(called)).toEqual(new Set(leaves.keys()));
  });

  it('is printed by the program itself, for all of it and for each group', async () => {
    const groups = ['', 'tpp', 'pki', 'application', 'key', 'signing-key', 'atms', 'audit', 'psu'];
    const ends = await Promise.all(
      groups.map((group) => runCommand(group === '' ? ['--help'] : [group, '--help'])),
    );
    for (const [index, { code, stdout, stderr }] of ends.entries()) {
      const group = groups[index] ?? '';
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const inside = Object.keys(commands).filter((name) => name.startsWith(`${group} `));
      const names =
        group === ''
          ? Object.keys(commands).map((name) => name.split(' ')[0] ?? '')
          : inside.map((name) => name.split(' ')[1] ?? '');
      expect(stdout).toMatch(
        new RegExp(`\\n\\nExamples?:\\n  trapeza ${group === '' ? 'sandbox' : group}\\b`),
      );
      for (const name of names) expect(stdout).toMatch(new RegExp(`^ {2}${name}\\b.* {2,}\\S`, 'm'));
    }
    expect(ends[0]?.stdout).toContain('docs/configuration.md');
  });

  it('tells the version', async () => {
    expect(await runCommand(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
  });
});

describe('a mistake on the command line', () => {
  it.each([
    [['sandbx'], /unknown command 'sandbx'[\s\S]*Did you mean sandbox\?/],
    [['key', 'rol'], /unknown command 'rol'[\s\S]*Did you mean roll\?/],
    [['doctor', '--jsn'], /unknown option '--jsn'[\s\S]*Did you mean --json\?/],
    [['key', 'roll', 'x', '--slot', 'third'], /Allowed choices are primary, secondary/],
    [['tpp', 'create', '--name', 'x'], /required option '--registration <id>' not specified/],
    [['tpp', 'suspend'], /missing required argument 'id'/],
    [
      ['key', 'create', '--application', 'x', '--quota-per-day', '1.5'],
      /"1\.5" is not a whole number greater than 0/,
    ],
    [['atms', 'import', 'x', '--format', 'xml'], /Allowed choices are/],
  ])('%j is explained, without a stack trace', async (args, words) => {
    const { code, stdout, stderr } = await runCommand(args);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(words);
    expect(stderr + stdout).not.toContain('    at ');
  });

  it('in a setting is explained with the nearest name, whatever the command', async () => {
    const env = { TRAPEZA_LOGLEVEL: 'info', PORT: 'eighty' };
    for (const args of [['sandbox'], ['doctor'], ['tpp', 'list']]) {
      const { code, stderr } = await runCommand(args, { env });
      expect(code).toBe(1);
      expect(stderr).toContain('TRAPEZA_LOGLEVEL is not a setting; did you mean TRAPEZA_LOG_LEVEL?');
      expect(stderr).toContain('PORT must be a whole number');
      expect(stderr).not.toContain('eighty');
    }
  });
});
