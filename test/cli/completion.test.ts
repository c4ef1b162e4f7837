/** `trapeza completion`: what the Tab key offers, asked of a real shell. */
import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, Program, runCommand } from './program.js';

afterAll(cleanUp);

describe('the completion in bash', () => {
  it.each([
    ['sand', ['sandbox']],
    ['tpp certificates ', ['list', 'block', 'unblock', '--help']],
    ['doctor --pro', ['--production']],
    ['key roll KEY --slot ', ['primary', 'secondary']],
    ['key roll KEY --slot primary --j', ['--json']],
    ['atms export --out ', []],
  ])('of "trapeza %s" offers %j', async (typed, offered) => {
    const { stdout } = await runCommand(['completion', 'bash']);
    const words = ['trapeza', ...typed.split(' ')].map((word) => `'${word}'`);
    const ask = `COMP_WORDS=(${words.join(' ')}) COMP_CWORD=${words.length - 1}\n_trapeza\necho "\${COMPREPLY[@]}"`;
    const end = await new Program('bash', ['-s'], { input: `${stdout}\n${ask}\n` }).finished;
    expect(end).toMatchObject({ code: 0, stderr: '', stdout: `${offered.join(' ')}\n` });
  });
});
