/**
 * Logs: one JSON line per event, made only of fields that are named here or by the caller of `log`, never of whole requests.
 * Texts of errors are scrubbed, because drivers like to quote the values they choked on.
 */
import { hostname } from 'node:os';
import { type DestinationStream, destination, pino } from 'pino';
import { type Clock, SECOND, systemClock } from '../lib/clock.js';
import { maskedIban } from '../model/account-reference.js';
import { outageErrorOf, outageOf } from '../problem/outage.js';
import type { errorMembers, LineName, MembersOf } from './log-lines.js';

/** The name of the line decides which members it may have. */
type Write = <Name extends LineName>(members: MembersOf<Name>, name: Name) => void;

export interface Log {
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
  readonly fatal: Write;
  flush(): void;
  /**
   * A line of the level `info` whose members are ready JSON, such as `"status":200`. For what is logged at every request: taking
   * fields apart would cost more than all checks of the gate.
   */
  line(members: string): void;
}

const IBAN = /\b[A-Z]{2}\d{2}[A-Z0-9]{10,30}\b/g;
const TOKEN = /\beyJ[\w-]+\.[\w-]+(\.[\w-]+)*/g;
const LONG_SECRET = /\b[\w-]{40,}\b/g;
/** Phone numbers, cards and accounts: of nine digits or more the last four stay. */
const LONG_NUMBER = /\b\d{5,}(?=\d{4}\b)/g;

export const scrub = (text: string): string =>
  text
    .replace(TOKEN, '[token]')
    .replace(IBAN, maskedIban)
    .replace(LONG_NUMBER, '…')
    .replace(LONG_SECRET, '[secret]');

const codeOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return typeof code === 'string' ? code : codeOf(cause);
};

/** What is away says why in a sentence; where it was noticed says nothing. */
const reasonOf = ({ message, cause }: Error): string =>
  scrub(cause instanceof Error && cause.message !== message ? `${message}: ${cause.message}` : message);

/** An error as it may be logged: with the stack if it may be a bug. */
export const errorFields = (error: unknown): Partial<Record<keyof typeof errorMembers, string>> => {
  if (!(error instanceof Error)) return { error: typeof error };
  const away = outageErrorOf(error);
  if (away) {
    const code = codeOf(away);
    return {
      error: away.name,
      outage: away.outage,
      ...(code === undefined ? {} : { errorCode: code }),
      ...('coreRequestId' in away && typeof away.coreRequestId === 'string'
        ? { coreRequestId: away.coreRequestId }
        : {}),
      reason: reasonOf(away),
    };
  }
  const { code } = error as { readonly code?: unknown };
  return {
    error: error.name,
    ...(typeof code === 'string' ? { errorCode: code } : {}),
    stack: scrub(error.stack ?? error.message),
    ...(error.cause instanceof Error ? { cause: scrub(error.cause.stack ?? error.cause.message) } : {}),
  };
};

/** People look at what may be a bug; an outage has an alert of its own. */
export const levelOf = (error: unknown): 'warn' | 'error' =>
  outageOf(error) === undefined ? 'error' : 'warn';

/** The same text for the same second, but for its milliseconds. */
const createTimestamp = (clock: Clock): (() => string) => {
  let second = 0;
  let text = '';
  return () => {
    const now = clock.now();
    const fraction = now % SECOND;
    if (now - fraction !== second || text === '') {
      second = now - fraction;
      text = `,"time":"${new Date(second).toISOString().slice(0, -4)}`;
    }
    return `${text}${String(fraction).padStart(3, '0')}Z"`;
  };
};

/** A write goes through another thread, which may cost as much as a whole request: so much is written at once, or after so long. */
const LINES_BYTES = 8192;
const LINES_MS = 100;

/** Lines are written together; what else is logged comes after those before it. */
const createLines = (out: DestinationStream, isAtOnce: boolean) => {
  let waiting = '';
  let isScheduled = false;
  const write = (): void => {
    const lines = waiting;
    waiting = '';
    if (lines !== '') out.write(lines);
  };
  const writeLater = (): void => {
    isScheduled = false;
    write();
  };
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    if (isAtOnce) setImmediate(writeLater);
    else setTimeout(writeLater, LINES_MS).unref();
  };
  const add = (line: string): void => {
    schedule();
    waiting += line;
    if (waiting.length > LINES_BYTES) write();
  };
  const others: DestinationStream = {
    write(text) {
      write();
      out.write(text);
    },
  };
  return { add, write, others };
};

export interface LogOptions {
  /** Standard output, unless it is another one. */
  readonly stream?: DestinationStream;
  readonly clock?: Clock;
  /** The node as its operators call it; the name of the machine if they do not. */
  readonly node?: string | undefined;
}

export const createLog = (
  level: string,
  { stream, clock = systemClock, node = hostname() }: LogOptions = {},
): Log => {
  const out = stream ?? destination({ fd: 1, sync: false });
  const timestamp = createTimestamp(clock);
  const lines = createLines(out, stream !== undefined);
  const logger = pino({ level, base: { node }, timestamp }, lines.others);
  const named = `"node":${JSON.stringify(node)}`;
  const { info } = logger.levels.values;
  const line = (members: string): void => lines.add(`{"level":${info}${timestamp()},${named},${members}}\n`);
  return Object.assign(logger, {
    flush: () => {
      lines.write();
      (out as { flushSync?: () => void }).flushSync?.();
    },
    line: logger.isLevelEnabled('info') ? line : () => undefined,
  });
};
