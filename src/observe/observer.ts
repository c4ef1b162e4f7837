/** Observes every request: a log line, a counter and a duration. Labels come from fixed lists, so they stay few. */
import type { IncomingMessage } from 'node:http';
import type { ClientId } from '../model/ids.js';
import { outageOf } from '../problem/outage.js';
import type { Problem } from '../problem/problem.js';
import type { LiveCalls } from './live-calls.js';
import { errorFields, type Log, levelOf } from './log.js';
import type { Metrics } from './metrics.js';
import type { ServerTrace } from './trace/tracer.js';

export interface RequestFacts {
  /** The operation's id, or `none` if no operation has the path. */
  readonly operation: string;
  /** Of the console: the declared path of the page, and who asked for it. */
  readonly page?: string | undefined;
  readonly operator?: string | undefined;
  /** 0 if the client left before an answer. */
  readonly status: number;
  readonly ms: number;
  readonly slug?: string | undefined;
  readonly requestId?: string | undefined;
  readonly clientId?: ClientId | undefined;
  readonly cause?: unknown;
  readonly problem?: Problem | undefined;
  readonly traceId?: string | undefined;
  readonly trace?: ServerTrace | undefined;
  /** Absent for what could not be read as a request. */
  readonly request?: IncomingMessage;
}

export interface Observer {
  finished(facts: RequestFacts): void;
}

const SERVER_FAULT = 500;
/** A core that is late has a cause too; a deadline of ours has none. */
const LATE = 408;

/** Ids, operations and slugs are made of letters, digits and signs that JSON takes as they are; a client id may be anything. */
const lineOf = (facts: RequestFacts, ms: number): string => {
  const { operation, status, slug, requestId, clientId, traceId, page, operator } = facts;
  const seen = operator === undefined ? '' : `,"page":${JSON.stringify(page)},"operator":"${operator}"`;
  const problem = slug === undefined ? '' : `,"problem":"${slug}"`;
  const request = requestId === undefined ? '' : `,"requestId":"${requestId}"`;
  const client = clientId === undefined ? '' : `,"clientId":${JSON.stringify(clientId)}`;
  const trace = traceId === undefined ? '' : `,"traceId":"${traceId}"`;
  return `"operation":"${operation}"${seen},"status":${status}${problem}${request}${client}${trace},"ms":${ms},"msg":"request"`;
};

export const createObserver = (log: Log, metrics: Metrics, calls: LiveCalls): Observer => {
  return {
    finished(facts) {
      metrics.requests.count(facts.operation, facts.status, facts.slug ?? '', outageOf(facts.cause));
      calls.count(facts);
      metrics.durations.observe(facts.operation, facts.ms / 1000);
      const { operation, status, slug, requestId, clientId, traceId, cause } = facts;
      const ms = Math.round(facts.ms * 1000) / 1000;
      if ((status >= SERVER_FAULT || status === LATE) && cause !== undefined)
        log[levelOf(cause)](
          { operation, status, problem: slug, requestId, clientId, traceId, ms, ...errorFields(cause) },
          'request',
        );
      else log.line(lineOf(facts, ms));
    },
  };
};
