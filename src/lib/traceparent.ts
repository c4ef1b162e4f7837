/** W3C trace context: the trace that a call belongs to. Whatever is not well-formed counts as absent. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

const FORM = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-[!-~]{0,200})?$/;
const NONE = /^0+$/;
const SAMPLED = 1;

/** A later version may say more at the end; version ff does not exist. */
export const parseTraceparent = (value: string | undefined): TraceContext | undefined => {
  if (value === undefined) return undefined;
  const [, version = 'ff', traceId = '', spanId = '', flags = '', more] = FORM.exec(value) ?? [];
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (NONE.test(traceId) || NONE.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
};

export const traceparentOf = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
