/** The settings of traces; see docs/deploy.md. */
import { setting, webAddress, whole } from '../lib/setting.js';

export const traceSettings = {
  otlpUrl: setting<string | undefined>(
    'TRAPEZA_OTLP_URL',
    webAddress,
    undefined,
    'Collector for traces (OTLP over HTTP as JSON), such as `http://127.0.0.1:4318`; spans are sent to its path /v1/traces. Without it there are no spans, and the `traceparent` of a caller is passed on to the core as it came.',
  ),
  tracePercent: setting(
    'TRAPEZA_TRACE_PERCENT',
    whole(0, 100),
    1,
    'How many of 100 calls become spans. A caller that comes through one of `TRAPEZA_TRUSTED_PROXIES` may ask for more by its `traceparent`.',
  ),
} as const;
