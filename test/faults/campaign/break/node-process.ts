/**
 * A node as a process of its own that is broken on purpose: killed at a random moment or at a named crash point, paused, its
 * clock moved. What it does by itself, such as ending, is reported.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../../bench/free-port.js';
import { type RunningService, startSandbox, tempFolder, type Variables } from '../../../cli/program.js';
import { testSecret } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import { type Journal, PATIENCE_MS, type Target } from '../load/journal.js';

const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
/** faketime looks at its file every second. */
const MOVED_MS = 1200;
const PRELOAD = new URL('./preload.mjs', import.meta.url).href;
/** A connection that was kept from before may be found broken a moment after the node is back. */
const AFTER_MS = 1500;

/** Under load every crash point is passed many times by then. */
const REACHED_MS = 60_000;

/** Where `preload.mjs` ends the process. */
export const crashPoints = ['before commit', 'after commit', 'before answer', 'after answer'] as const;
export type CrashPoint = (typeof crashPoints)[number];

const nodes = new Set<NodeProcess>();

/** Also those of a campaign that broke down; else they would be started again. */
export const stopNodes = async (): Promise<void> => {
  for (const node of nodes) await node.stop();
};

export class NodeProcess implements Target {
  readonly #journal: Journal;
  readonly #env: Variables;
  readonly #port: number;
  #running: RunningService | undefined;
  #isExpected = false;
  #brokenUntil = 0;
  #adriftUntil = 0;

  private constructor(journal: Journal, port: number, env: Variables) {
    this.#journal = journal;
    this.#port = port;
    this.#env = env;
  }

  static async start(journal: Journal, databaseUrl: string, env: Variables = {}): Promise<NodeProcess> {
    const node = new NodeProcess(journal, await freePort(), { DATABASE_URL: databaseUrl, ...env });
    nodes.add(node);
    await node.start();
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  wasBroken(since: number): boolean {
    return this.#brokenUntil >= since;
  }

  async start(env: Variables = {}, isEndExpected = false): Promise<void> {
    this.#isExpected = isEndExpected;
    this.#running = await startSandbox({
      cwd: tempFolder(),
      env: {
        PORT: String(this.#port),
        TRAPEZA_SECRET: testSecret,
        BASE_URL: 'http://faults.example',
        TRAPEZA_LOG_LEVEL: 'error',
        TRAPEZA_DEADLINE_MS: '5000',
        TRAPEZA_QUOTA_PER_MINUTE: '100000000',
        TRAPEZA_QUOTA_PER_DAY: '100000000',
        TRAPEZA_DATABASE_POOL: '8',
        NODE_OPTIONS: `--import=${PRELOAD}`,
        ...this.#env,
        ...env,
      },
    });
    this.#brokenUntil = Date.now() + AFTER_MS;
    void this.#watch(this.#running);
  }

  /** A node that ends by itself is a fault; it is started again, as a supervisor would. */
  async #watch({ program }: RunningService): Promise<void> {
    const { code, signal, stderr } = await program.finished;
    if (this.#isExpected) return;
    this.#journal.report(`a node ended (${code ?? signal}): ${stderr.slice(-600)}`);
    this.#breaks();
    // Not even the start succeeds while the database is away.
    await until(() => this.#isExpected || this.#startsAgain());
  }

  async #startsAgain(): Promise<boolean> {
    try {
      await this.start();
      return true;
    } catch {
      return false;
    }
  }

  #breaks(): void {
    this.#brokenUntil = Number.POSITIVE_INFINITY;
  }

  /** As a power failure ends it. */
  async kill(): Promise<void> {
    this.#isExpected = true;
    this.#breaks();
    await this.#running?.program.stop('SIGKILL');
  }

  /** Ends it, starts it so that it ends itself at a later pass of the crash point, and starts it again. */
  async crashAt(point: CrashPoint, passes: number): Promise<void> {
    await this.kill();
    try {
      await this.start({ FAULTS_CRASH: point, FAULTS_PASSES: String(passes) }, true);
    } catch {
      // It came by before it was ready.
    }
    this.#breaks();
    const isReached = await Promise.race([
      this.#running?.program.finished,
      pause(REACHED_MS, false, { ref: false }),
    ]);
    if (isReached === false) {
      this.#journal.report(`the crash point "${point}" was not reached ${passes} times`);
      await this.kill();
    }
    await this.start();
  }

  async pauseWhile(work: () => Promise<void>): Promise<void> {
    this.#breaks();
    this.#running?.program.child.kill('SIGSTOP');
    try {
      await work();
    } finally {
      this.#running?.program.child.kill('SIGCONT');
      // What was under way when it stopped may still be answered late.
      this.#brokenUntil = Date.now() + PATIENCE_MS;
    }
  }

  wasAdrift(since: number): boolean {
    return this.#adriftUntil >= since;
  }

  /** Without faketime nothing moves. It makes a node slow, so it is there for this alone. */
  async moveClock(seconds: number, work: () => Promise<void>): Promise<void> {
    const clock = join(tempFolder(), 'clock');
    writeFileSync(clock, '+0');
    await this.kill();
    await this.start({
      ...(existsSync(FAKETIME) ? { LD_PRELOAD: FAKETIME } : {}),
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_CACHE_DURATION: '1',
    });
    this.#adriftUntil = Number.POSITIVE_INFINITY;
    writeFileSync(clock, `${seconds < 0 ? '' : '+'}${seconds}`);
    await pause(MOVED_MS);
    await work();
    writeFileSync(clock, '+0');
    await pause(MOVED_MS);
    this.#adriftUntil = Date.now() + AFTER_MS;
    await this.kill();
    await this.start();
  }

  async stop(): Promise<void> {
    nodes.delete(this);
    this.#isExpected = true;
    await this.#running?.program.stop('SIGKILL');
  }
}
