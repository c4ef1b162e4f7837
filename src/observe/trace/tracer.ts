/**
 * Spans of calls, of what they ask the store and of what they ask the core. Exists only if a collector is configured; without one,
 * the caller's trace is passed on to the core as it came, and costs nothing else.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { monotonicMs, systemClock } from '../../lib/clock.js';
import { parseTraceparent, type TraceContext, traceparentOf } from '../../lib/traceparent.js';
import type { Observer, RequestFacts } from '../observer.js';
import type { Attributes, Span, SpanExporter } from './exporter.js';

/** The span of a call. */
export interface ServerTrace extends TraceContext {
  readonly parentId: string | undefined;
}

/** A span that has begun. */
export interface OpenSpan {
  readonly traceparent: string;
  end(isFailed: boolean, attributes?: Attributes): void;
}

export interface TracerParts {
  readonly exporter: Pick<SpanExporter, 'add'>;
  /** How many of 100 calls are traced. */
  readonly percent: number;
  /** Whose wish to be traced counts: else any caller could have everything traced. */
  readonly isTrusted: (request: IncomingMessage) => boolean;
}

const SERVER_FAULT = 500;
const SPAN_BYTES = 8;
const TRACE_BYTES = 16;
const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

/** By the trace, so that all nodes decide alike. */
const isChosen = (traceId: string, percent: number): boolean =>
  Number.parseInt(traceId.slice(-8), 16) % 10_000 < percent * 100;

export class Tracer {
  readonly #parts: TracerParts;
  readonly #current = new AsyncLocalStorage<TraceContext>();

  constructor(parts: TracerParts) {
    this.#parts = parts;
  }

  begin(request: IncomingMessage): ServerTrace {
    const { percent, isTrusted } = this.#parts;
    const header = request.headers.traceparent;
    const parent = parseTraceparent(typeof header === 'string' ? header : undefined);
    const traceId = parent?.traceId ?? hex(TRACE_BYTES);
    const isWished = parent?.isSampled === true && isTrusted(request);
    return {
      traceId,
      spanId: hex(SPAN_BYTES),
      parentId: parent?.spanId,
      isSampled: isWished || isChosen(traceId, percent),
    };
  }

  /** What is asked in here, also later, belongs to this call. */
  enter(trace: TraceContext, work: () => void): void {
    if (trace.isSampled) this.#current.run(trace, work);
    else work();
  }

  /** A question within a call; undefined if that is not traced. `parent` names the call if it is known. */
  open(kind: 'internal' | 'client', name: string, parent?: string): OpenSpan | undefined {
    const within = parseTraceparent(parent) ?? this.#current.getStore();
    if (!within?.isSampled) return undefined;
    const context = { ...within, spanId: hex(SPAN_BYTES) };
    const begun = monotonicMs();
    return {
      traceparent: traceparentOf(context),
      end: (isFailed, attributes = {}) =>
        this.#add({ ...context, parentId: within.spanId, name, kind, isFailed, attributes }, begun),
    };
  }

  /** The same observer; a call that is traced becomes a span. */
  observing(observer: Observer): Observer {
    return {
      finished: (facts) => {
        observer.finished(facts);
        const { trace } = facts;
        if (trace?.isSampled) this.#finished(facts, trace);
      },
    };
  }

  #finished(
    { operation, status, slug, requestId, clientId, ms, request }: RequestFacts,
    trace: ServerTrace,
  ): void {
    const attributes = {
      'http.request.method': request?.method ?? '',
      'http.response.status_code': status,
      ...(slug === undefined ? {} : { 'trapeza.problem': slug }),
      ...(requestId === undefined ? {} : { 'trapeza.request_id': requestId }),
      ...(clientId === undefined ? {} : { 'trapeza.client_id': clientId }),
    };
    const isFailed = status >= SERVER_FAULT || status === 0;
    const span = { ...trace, name: operation, kind: 'server' as const, isFailed, attributes };
    this.#add(span, monotonicMs() - ms);
  }

  #add(span: Omit<Span, 'startedAt' | 'ms'>, begun: number): void {
    const ms = monotonicMs() - begun;
    this.#parts.exporter.add({ ...span, startedAt: systemClock.now() - ms, ms });
  }
}
