/** Spans for a collector, if one is configured. */
import type { Config } from '../config/config.js';
import { fromProxy } from '../gate/source.js';
import type { Metrics } from '../observe/metrics.js';
import { SpanExporter } from '../observe/trace/exporter.js';
import { Tracer } from '../observe/trace/tracer.js';
import type { Closers } from './options.js';

export const openTracer = (
  { otlpUrl, tracePercent, trustedProxies }: Config,
  { registry }: Metrics,
  closers: Closers,
): Tracer | undefined => {
  if (otlpUrl === undefined) return undefined;
  const exporter = closers.add(new SpanExporter(otlpUrl, registry), (each) => each.close());
  return new Tracer({ exporter, percent: tracePercent, isTrusted: fromProxy(trustedProxies) });
};
