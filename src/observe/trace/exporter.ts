/**
 * Sends spans to a collector as OTLP/JSON, beside the answers: in batches, one at a time, from a bounded queue. What finds no room
 * or no collector is dropped and counted; nothing waits for it and nothing is sent twice.
 */
import type { Counter, Registry } from 'prom-client';
import { Agent, request } from 'undici';
import { SECOND } from '../../lib/clock.js';
import { version } from '../../version.js';
import { createCounter } from '../counter.js';

/** Values are fixed words, numbers, and ids of requests and applications: nothing about a person. */
export type Attributes = Readonly<Record<string, string | number>>;

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  /** By the clock on the wall, in milliseconds with a fraction. */
  readonly startedAt: number;
  readonly ms: number;
  readonly isFailed: boolean;
  readonly attributes: Attributes;
}

const KINDS = { internal: 1, server: 2, client: 3 } as const;
const FAILED = 2;
const NANOS = 1_000_000;
const QUEUE = 2048;
const BATCH = 512;
const TIMEOUT_MS = 5 * SECOND;

/** Numbers of 64 bits are texts in OTLP/JSON. */
const nanos = (ms: number): string => {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * BigInt(NANOS) + BigInt(Math.round((ms - whole) * NANOS)));
};

const attribute = ([key, value]: [string, string | number]) => ({
  key,
  value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
});

const attributesOf = (attributes: Attributes) => Object.entries(attributes).map(attribute);

const spanOf = (span: Span) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentId === undefined ? {} : { parentSpanId: span.parentId }),
  name: span.name,
  kind: KINDS[span.kind],
  startTimeUnixNano: nanos(span.startedAt),
  endTimeUnixNano: nanos(span.startedAt + span.ms),
  attributes: attributesOf(span.attributes),
  status: span.isFailed ? { code: FAILED } : {},
});

const bodyOf = (spans: readonly Span[]): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.name': 'trapeza', 'service.version': version }) },
        scopeSpans: [{ scope: { name: 'trapeza', version }, spans: spans.map(spanOf) }],
      },
    ],
  });

export class SpanExporter {
  readonly #url: string;
  readonly #agent = new Agent({ connections: 1, connectTimeout: TIMEOUT_MS });
  readonly #counter: Counter<'outcome'>;
  readonly #timer: NodeJS.Timeout;
  #queue: Span[] = [];
  #sending: Promise<void> | undefined;

  constructor(url: string, registry: Registry) {
    this.#url = `${url}/v1/traces`;
    this.#counter = createCounter(registry, {
      name: 'trapeza_spans_total',
      help: 'Spans by outcome: sent to the collector, or dropped because it is away or slow',
      labels: { outcome: ['sent', 'dropped'] },
    });
    this.#timer = setInterval(() => void this.flush(), SECOND).unref();
  }

  add(span: Span): void {
    if (this.#queue.length < QUEUE) this.#queue.push(span);
    else this.#counter.inc({ outcome: 'dropped' });
  }

  /** Sends what is there, unless a batch is on its way. */
  flush(): Promise<void> {
    if (this.#sending) return this.#sending;
    if (this.#queue.length === 0) return Promise.resolve();
    const batch = this.#queue.splice(0, BATCH);
    this.#sending = this.#send(batch).then((outcome) => {
      this.#counter.inc({ outcome }, batch.length);
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #send(batch: readonly Span[]): Promise<'sent' | 'dropped'> {
    try {
      const { statusCode, body } = await request(this.#url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: bodyOf(batch),
        dispatcher: this.#agent,
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
      });
      await body.dump();
      return statusCode < 300 ? 'sent' : 'dropped';
    } catch {
      return 'dropped';
    }
  }

  /** A last batch, if the collector takes it at once. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
    await this.flush();
    await this.#agent.destroy();
  }
}
