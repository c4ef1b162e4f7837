/** `trapeza --env-file`: the settings of the unit for a command, read as systemd and Node read them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { readEnvironmentFile } from '../../src/cli/env-file.js';
import { cleanUp, jsonOf, runCommand, tempFolder, type Variables } from './program.js';

afterAll(cleanUp);

/** What systemd makes of each is in its manual: EnvironmentFile= in systemd.exec(5). */
const good: Readonly<Record<string, string>> = {
  'A=plain': 'plain',
  'A= within blanks ': 'within blanks',
  'A=two words': 'two words',
  'A=': '',
  'A=""': '',
  'A="with # inside"': 'with # inside',
  "A='q\\n#\"$x`'": 'q\\n#"$x`',
  'A=postgres://u:p@h/d?a=b&c=d': 'postgres://u:p@h/d?a=b&c=d',
  'A=$HOME': '$HOME',
};

const bad = [
  'export A=1',
  'A =1',
  '; A=1',
  'SECRET',
  'A=a#b',
  'A=a\\',
  'A="a\\nb"',
  'A="a',
  'A=a"b"',
  "A='a'b'",
  'A="`x`"',
  '1A=x',
];

describe('the file', () => {
  it.each(Object.entries(good))('takes %s as Node does', (line, value) => {
    const text = `# of the nodes\n\n${line}\r\nB=2`;
    expect(readEnvironmentFile(text, 'f')).toEqual({ A: value, B: '2' });
    expect(parseEnv(text)).toEqual({ A: value, B: '2' });
  });

  it.each(bad)('refuses %s, names its line, and repeats nothing of it', (line) => {
    const read = () => readEnvironmentFile(`B=2\n${line}`, '/etc/trapeza.env');
    expect(read).toThrow(/^line 2 of \/etc\/trapeza\.env: /);
    expect(read).not.toThrow(line);
  });
});

describe('--env-file', () => {
  const portIn = async (args: readonly string[], env: Variables = {}): Promise<string | undefined> =>
    jsonOf<{ variable: string; value: string }[]>(await runCommand([...args, '--json'], { env })).find(
      ({ variable }) => variable === 'PORT',
    )?.value;
  const fileWith = (text: string): string => {
    const path = join(tempFolder(), 'trapeza.env');
    writeFileSync(path, text);
    return path;
  };

  it('gives settings to any command, before it or behind it; the last file counts, and the environment goes before', async () => {
    const [one, two] = [fileWith('PORT=9001'), fileWith("PORT='9002'")];
    expect(await portIn(['--env-file', one, 'settings'])).toBe('9001');
    expect(await portIn([`--env-file=${one}`, 'settings'])).toBe('9001');
    expect(await portIn(['settings', '--env-file', one])).toBe('9001');
    expect(await portIn(['--env-file', one, '--env-file', two, 'settings'])).toBe('9002');
    expect(await portIn(['--env-file', one, 'settings'], { PORT: '9003' })).toBe('9003');
  });

  it('names the file that cannot be read, and what is wrong in it', async () => {
    expect((await runCommand(['--env-file', '/nope', 'settings'])).stderr).toContain(
      '--env-file /nope cannot be read (ENOENT)',
    );
    const { code, stderr } = await runCommand(['--env-file', fileWith('PORT=9#1'), 'settings']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('line 1 of') });
    const setting = await runCommand(['--env-file', fileWith('PORT=nine'), 'settings']);
    expect(setting.stderr).toContain('PORT must be');
  });
});
