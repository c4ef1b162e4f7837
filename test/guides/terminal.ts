/** A terminal in which somebody works through a guide: one shell for all commands, in one folder, where its programs are saved, too. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program, tempFolder } from '../cli/program.js';
import type { Fence } from '../lib/fences.js';
import { root } from '../lib/source.js';

const MARK = 'END-OF-BLOCK';

/** A program that answers each question with what it prints, then a mark, the exit status and further faults. */
class Dialogue {
  readonly #program: Program;
  #count = 0;
  #read = 0;

  constructor(program: Program) {
    this.#program = program;
  }

  async ask(questionOf: (mark: string) => string): Promise<string> {
    this.#count += 1;
    const mark = `${MARK}-${this.#count}`;
    this.#program.child.stdin?.write(`${questionOf(mark)}\n`);
    const { 0: end, index } = await this.#program.until(new RegExp(`${mark} .*\n`));
    const printed = this.#program.stdout.slice(this.#read, index);
    this.#read = index + end.length;
    if (end !== `${mark} 0\n`) throw new Error(`failed (${end.trim()}): ${printed}${this.#program.stderr}`);
    return printed;
  }

  async close(): Promise<void> {
    this.#program.child.stdin?.end();
    const { stderr } = await this.#program.finished;
    if (stderr !== '') throw new Error(`complained: ${stderr}`);
  }
}

/** The folder of a reader who has no registry of packages, with all that the service hands out for JavaScript. */
export const installedClient = async (base: string): Promise<string> => {
  const folder = tempFolder();
  const npm = new Program('npm', ['install', `${base}/client.tgz`], {
    cwd: folder,
    env: {
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_fetch_retries: '0',
      npm_config_cache: tempFolder(),
    },
  });
  const { code, stdout, stderr } = await npm.finished;
  if (code !== 0) throw new Error(`npm does not install the client: ${stdout}${stderr}`);
  return folder;
};

/** For all JavaScript of a test file: a process costs more than most guides. */
export const startSampleRunner = (): Dialogue =>
  new Dialogue(
    new Program(process.execPath, [join(root, 'test/guides/sample-runner.js')], { isInteractive: true }),
  );

/** Prints the status of the block and the names of variables that it has left empty: `curl -s … | pick` fails without a word. */
const endOf = (block: string, mark: string): string => {
  const names = [...block.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);
  const empty = names.map((name) => `test -n "$${name}" || _end="$_end ${name}"`);
  return ['_end=$?', ...empty, `echo "${mark} $_end"`].join('\n');
};

export class Terminal {
  readonly #folder = tempFolder();
  readonly #shell: Dialogue;
  readonly #samples: Dialogue;
  #saved = 0;

  constructor(samples: Dialogue) {
    this.#samples = samples;
    this.#shell = new Dialogue(new Program('bash', ['-s'], { isInteractive: true, cwd: this.#folder }));
  }

  /** As if npm had installed here what it has installed there. */
  install(folder: string): void {
    symlinkSync(join(folder, 'node_modules'), join(this.#folder, 'node_modules'));
  }

  /** What it prints, all of whose commands succeed. */
  async run({ language, content }: Pick<Fence, 'language' | 'content'>): Promise<string> {
    if (language === 'bash') return this.#paste(content);
    if (language === 'python') return this.#paste(`python3 ${this.#save(content, 'py')}`);
    const file = this.#save(content, 'mjs');
    return this.#samples.ask((mark) => JSON.stringify({ folder: this.#folder, file, mark }));
  }

  close(): Promise<void> {
    return this.#shell.close();
  }

  #paste(block: string): Promise<string> {
    return this.#shell.ask((mark) => `${block}\n${endOf(block, mark)}`);
  }

  #save(content: string, extension: string): string {
    this.#saved += 1;
    const file = join(this.#folder, `sample-${this.#saved}.${extension}`);
    writeFileSync(file, content);
    return file;
  }
}
