/** The help of every command: what there is, and each option with a word of explanation. */
import { Command } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { registerCoreCheck } from '../../packages/core-kit/src/core-check/cli.js';
import { registerCoreSimulator } from '../../packages/core-kit/src/simulator/cli.js';
import { registerSandbox } from '../../packages/sandbox/src/cli.js';
import { registerPki } from '../../packages/sandbox/src/pki/cli.js';
import { registerApplication } from '../../src/cli/application.js';
import { registerBrand } from '../../src/cli/brand.js';
import { registerCompletion } from '../../src/cli/completion.js';
import { registerBackup } from '../../src/cli/data/backup.js';
import { registerDoctor } from '../../src/cli/doctor/doctor.js';
import { registerDocuments } from '../../src/cli/documents.js';
import { addExamples, examples } from '../../src/cli/examples.js';
import { registerKey, registerSigningKey } from '../../src/cli/key.js';
import { registerLogs } from '../../src/cli/logs.js';
import { registerAtms } from '../../src/cli/records/atms.js';
import { registerConsents } from '../../src/cli/records/consents.js';
import { registerEvents } from '../../src/cli/records/events.js';
import { registerPayments } from '../../src/cli/records/payments.js';
import { registerPsu } from '../../src/cli/records/psu.js';
import { registerServe } from '../../src/cli/serve.js';
import { registerTpp } from '../../src/cli/tpp/tpp.js';
import { version } from '../../src/version.js';
import { cleanUp, runCommand } from './program.js';

afterAll(cleanUp);

/** Every command with its arguments and options. */
const commands: Readonly<Record<string, readonly string[]>> = {
  sandbox: ['--port <n>', '--volume <n>', '--seed <file>'],
  serve: ['--port <n>'],
  migrate: ['--json'],
  backup: ['<file>', '--json'],
  restore: ['<file>', '--replace', '--json'],
  doctor: ['--sandbox', '--production', '--json'],
  'tpp create': ['--name <name>', '--registration <id>', '--roles <roles>', '--json'],
  'tpp register': ['--certificate <file>', '--name <name>', '--roles <roles>', '--unverified', '--json'],
  'tpp certificates list': ['--json'],
  'tpp certificates block': ['<fingerprint>', '--reason <text>'],
  'tpp certificates unblock': ['<fingerprint>'],
  'tpp policy': ['<id>', '<policy>'],
  'tpp list': ['--json'],
  'tpp suspend': ['<id>'],
  'tpp resume': ['<id>'],
  'application create': [
    '--tpp <id>',
    '--name <name>',
    '--redirect-uri <uri>',
    '--webhook <url>',
    '--jwks <file>',
    '--binding <kind>',
    '--profile <name>',
    '--json',
  ],
  'application list': ['--json'],
  'application webhook': ['<clientId>', '[url]', '--remove'],
  'application security': ['<clientId>', '--binding <kind>', '--profile <name>', '--json'],
  'application suspend': ['<clientId>'],
  'application resume': ['<clientId>'],
  'key create': [
    '--application <clientId>',
    '--products <list>',
    '--quota-per-minute <n>',
    '--quota-per-day <n>',
    '--json',
  ],
  'key list': ['--json'],
  'key roll': ['<subscriptionId>', '--slot <slot>', '--json'],
  'key suspend': ['<keyId>'],
  'key resume': ['<keyId>'],
  'signing-key list': ['--json'],
  'signing-key roll': ['--purpose <name>', '--algorithm <name>', '--json'],
  'logs tail': ['--application <clientId>', '--no-follow', '--json'],
  'events pending': ['--json'],
  'events retry': ['<clientId>', '--json'],
  'consents list': ['--psu <person>', '--account <account>', '--all', '--json'],
  'consents show': ['<id>', '--json'],
  'consents end': [
    '[id]',
    '--psu <person>',
    '--account <account>',
    '--by <operator>',
    '--reason <text>',
    '--json',
  ],
  'payments open': ['--application <clientId>', '--instant', '--json'],
  'payments unresolved': ['--json'],
  'payments retry': ['[id]', '--all', '--json'],
  'payments settle': [
    '<id>',
    '--settled',
    '--rejected',
    '--reason <code>',
    '--text <text>',
    '--by <operator>',
    '--force',
  ],
  'atms import': [
    '<file>',
    '--format <format>',
    '--country <code>',
    '--dry-run',
    '--preview',
    '--allow-refused',
    '--json',
  ],
  'atms export': ['--format <format>', '--json', '--out <file>'],
  'brand check': ['[folder]', '--json'],
  'brand preview': ['[folder]', '--out <folder>'],
  'psu export': ['<person>', '--format <format>', '--json', '--out <file>'],
  'core-simulator': [
    '--port <n>',
    '--host <address>',
    '--data <folder>',
    '--token <text>',
    '--fault <spec>',
    '--seed <n>',
    '--payment-seconds <n>',
    '--defect <name>',
  ],
  'core-check': [
    '[url]',
    '--token <text>',
    '--token-file <file>',
    '--demo',
    '--subject <file>',
    '--payments',
    '--format <format>',
    '--json',
    '--out <file>',
    '--only <case>',
    '--explain [case]',
    '--timeout <ms>',
  ],
  'pki init': ['--out <folder>', '--base-url <url>'],
  'pki issue': [
    '--pki <folder>',
    '--use <use>',
    '--name <name>',
    '--registration <id>',
    '--roles <roles>',
    '--out <path>',
    '--days <n>',
    '--key <kind>',
    '--csr <file>',
    '--json',
  ],
  'pki revoke': ['<serial>', '--pki <folder>'],
  'pki ocsp': ['--pki <folder>', '--port <n>'],
  completion: ['<shell>'],
  openapi: ['--production', '--json'],
  docs: ['--out <folder>'],
};

/** These run until they are stopped, write files, or only confirm what they were told to do. */
const withoutData = [
  ...'serve,sandbox,core-simulator,pki ocsp,pki init,pki revoke,brand preview,docs,completion,payments settle'.split(
    ',',
  ),
  ...['tpp', 'application', 'key'].flatMap((group) => [`${group} suspend`, `${group} resume`]),
  ...['tpp policy', 'tpp certificates block', 'tpp certificates unblock', 'application webhook'],
];

const program = new Command('trapeza');
for (const register of [
  registerServe,
  registerSandbox,
  registerDoctor,
  registerBackup,
  registerTpp,
  registerPki,
  registerApplication,
  registerKey,
  registerSigningKey,
  registerEvents,
  registerLogs,
  registerConsents,
  registerPayments,
  registerAtms,
  registerPsu,
  registerBrand,
  registerCoreSimulator,
  registerCoreCheck,
  registerDocuments,
  registerCompletion,
])
  register(program);
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
      const label = /^[<[]/.test(part) ? part.slice(1, -1) : part;
      expect(described.some((line) => line.trimStart().startsWith(label))).toBe(true);
    }
    expect(described).toHaveLength(parts.length + 1);
  });

  it('offers JSON from every command that prints data, and from no other', () => {
    const names = [...leaves].filter(([, leaf]) => !leaf.options.some(({ long }) => long === '--json'));
    expect(names.map(([name]) => name).toSorted()).toEqual(withoutData.toSorted());
  });

  it('has examples of exactly these commands, and each of them parses', async () => {
    expect(Object.keys(examples).toSorted()).toEqual(['', ...Object.keys(commands)].toSorted());
    const called: string[] = [];
    const all = [
      program,
      ...program.commands.flatMap((each) => [each, ...each.commands]),
      ...leaves.values(),
    ];
    for (const each of all) each.exitOverride().configureOutput({ writeErr: () => undefined });
    for (const [name, leaf] of leaves) leaf.action(() => void called.push(name));
    for (const [name, [...rests]] of Object.entries(examples)) {
      expect(rests).not.toEqual([]);
      for (const rest of rests) {
        const line = `${name} ${rest}`.trim();
        const words = line.match(/"[^"]+"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [];
        await program.parseAsync(words, { from: 'user' }).catch((error: unknown) => {
          throw new Error(`trapeza ${line}`, { cause: error });
        });
        expect(line).toMatch(new RegExp(`^${called.at(-1)}\\b`));
      }
    }
    expect(new Set(called)).toEqual(new Set(leaves.keys()));
  });

  it('is printed by the program itself, for all of it and for each group', async () => {
    const groups = ['', 'tpp', 'pki', 'application', 'key', 'signing-key', 'atms', 'psu'];
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
    const env = { TRAPEZA_WORKER: '2', PORT: 'eighty' };
    for (const args of [['sandbox'], ['doctor'], ['tpp', 'list']]) {
      const { code, stderr } = await runCommand(args, { env });
      expect(code).toBe(1);
      expect(stderr).toContain('TRAPEZA_WORKER is not a setting; did you mean TRAPEZA_WORKERS?');
      expect(stderr).toContain('PORT must be a whole number');
      expect(stderr).not.toContain('eighty');
    }
  });
});
