/**
 * Open-loop load: requests leave at a constant rate, whether answers come or not. A request that finds every connection busy waits in a
 * line here, and that wait counts.
 */
import { connect, type Socket } from 'node:net';
import { percentile } from '../report/statistics.js';
import type { Split } from '../requests.js';
import { scheduleOf } from './schedule.js';
import { joinRequest, newRequestId, readAnswer } from './wire.js';

export interface OpenLoopOptions {
  readonly url: string;
  readonly requests: readonly Split[];
  readonly perSecond: number;
  readonly seconds: number;
  readonly connections: number;
}

export interface OpenLoopMeasured {
  readonly perSecond: number;
  readonly requests: number;
  readonly meanMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
  /** Answers that were no success, connections that broke, requests that were never answered. */
  readonly errors: number;
}

/** What is still unanswered so long after the last one left is given up. */
const DRAIN_MS = 10_000;
const WAKE_BEFORE_MS = 2;

type Done = (status: number, bytes: Buffer) => void;

/** One connection, one request at a time. */
export class Line {
  private readonly socket: Socket;
  private received: Buffer | undefined;
  private done: Done | undefined;

  constructor(url: URL, onBroken: (wasBusy: boolean) => void) {
    this.socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    this.socket.on('data', (chunk) => this.read(chunk));
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => onBroken(this.done !== undefined));
  }

  send(request: string, done: Done): void {
    this.done = done;
    this.socket.write(request);
  }

  close(): void {
    this.socket.removeAllListeners('close').destroy();
  }

  private read(chunk: Buffer): void {
    const bytes = this.received ? Buffer.concat([this.received, chunk]) : chunk;
    const answer = readAnswer(bytes);
    if (!answer || answer.bytes > bytes.length) {
      this.received = bytes;
      return;
    }
    this.received = undefined;
    const { done } = this;
    this.done = undefined;
    done?.(answer.status, bytes);
  }
}

class OpenLoop {
  /** In the order of the answers, in memory of its own: a list that grows would cost the client pauses which look like the server's. */
  private readonly latencies: Float64Array;
  private measuredCount = 0;
  private readonly idle: Line[] = [];
  private readonly lines: Line[] = [];
  private readonly options: OpenLoopOptions;
  private readonly schedule;
  private sent = 0;
  private errors = 0;
  private answered = 0;
  private startedAt = 0;

  constructor(options: OpenLoopOptions) {
    this.options = options;
    this.schedule = scheduleOf(options.perSecond, options.seconds);
    this.latencies = new Float64Array(this.schedule.count);
    for (let count = 0; count < options.connections; count += 1) this.addLine();
  }

  async run(isStopped: () => boolean): Promise<OpenLoopMeasured> {
    const { count, dueAt } = this.schedule;
    await this.greet();
    this.startedAt = performance.now();
    const endAt = dueAt(count) + DRAIN_MS;
    while (this.answered < count && this.elapsed() < endAt && !isStopped()) {
      this.sendDue();
      await this.untilNext();
    }
    for (const line of this.lines) line.close();
    return this.measured();
  }

  /** Each connection is opened and used once before anything counts, as those of a client that has been there for a while. */
  private async greet(): Promise<void> {
    const { requests } = this.options;
    const greeted = this.idle.map((line, index) => {
      const request = requests[index % requests.length];
      return new Promise<void>((resolve) => {
        setTimeout(resolve, DRAIN_MS).unref();
        if (request) line.send(joinRequest(request, newRequestId()), () => resolve());
      });
    });
    await Promise.all(greeted);
  }

  private elapsed(): number {
    return performance.now() - this.startedAt;
  }

  private addLine(): void {
    const line = new Line(new URL(this.options.url), (wasBusy) => {
      if (wasBusy) this.count(false);
      this.lines.splice(this.lines.indexOf(line), 1);
      const at = this.idle.indexOf(line);
      if (at >= 0) this.idle.splice(at, 1);
      // A server that refuses everything ends the run by its time, not by a storm of connections.
      setTimeout(() => this.addLine(), 100).unref();
    });
    this.lines.push(line);
    this.idle.push(line);
  }

  private count(isGood: boolean): void {
    this.answered += 1;
    if (!isGood) this.errors += 1;
  }

  private sendDue(): void {
    const { requests } = this.options;
    const due = this.schedule.dueBy(this.elapsed());
    while (this.sent < due) {
      const line = this.idle.pop();
      if (!line) return;
      const index = this.sent;
      const request = requests[index % requests.length];
      this.sent += 1;
      if (!request) return;
      line.send(joinRequest(request, newRequestId()), (status) => {
        this.latencies[this.measuredCount] = this.elapsed() - this.schedule.dueAt(index);
        this.measuredCount += 1;
        this.count(status < 400);
        this.idle.push(line);
      });
    }
  }

  /** Timers are too coarse for the gaps of thousands a second, so the loop turns; with more time it sleeps. */
  private untilNext(): Promise<void> {
    const wait = this.schedule.dueAt(this.sent) - this.elapsed();
    const isFar = this.sent >= this.schedule.count || wait > WAKE_BEFORE_MS * 2;
    return new Promise((resolve) => {
      if (isFar) setTimeout(resolve, Math.max(1, Math.min(wait - WAKE_BEFORE_MS, 20)));
      else setImmediate(resolve);
    });
  }

  private measured(): OpenLoopMeasured {
    const sorted = [...this.latencies.subarray(0, this.measuredCount).toSorted()];
    const { count } = this.schedule;
    return {
      perSecond: this.options.perSecond,
      requests: sorted.length,
      meanMs: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
      p999Ms: percentile(sorted, 0.999),
      maxMs: sorted.at(-1) ?? Number.NaN,
      errors: this.errors + (count - this.answered),
    };
  }
}

export const openLoop = (
  options: OpenLoopOptions,
  isStopped: () => boolean = () => false,
): Promise<OpenLoopMeasured> => new OpenLoop(options).run(isStopped);

export interface Asked {
  readonly status: number;
  readonly bodyBytes: number;
}

const ASKING_MS = 10_000;

/** One request: what a subject really answers, before it is measured. */
export const askOnce = (url: string, request: Split): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer')), ASKING_MS);
    const line = new Line(new URL(url), () => reject(new Error('the connection broke')));
    line.send(joinRequest(request, newRequestId()), (status, bytes) => {
      clearTimeout(timer);
      line.close();
      resolve({ status, bodyBytes: bytes.length - bytes.indexOf('\r\n\r\n') - 4 });
    });
  });
