/**
 * Logs: one JSON line per event, made only of fields that are named here or by the caller of `log`, never of whole requests.
 * Texts of errors are scrubbed, because drivers like to quote the values they choked on.
 */
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { type Clock, SECOND, systemClock } from '../lib/clock.js';
import { maskedIban } from '../model/account-reference.js';

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug' | 'fatal'> & {
  flush(): void;
  /**
   * A line of the level `info` whose members are ready JSON, such as `"status":200`. For what is logged at every request: taking
   * fields apart would cost more than all checks of the gate.
   */
  line(members: string): void;
};

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

/** An error as it may be logged. */
export const errorFields = (error: unknown): Record<string, string> => {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = (error as { code?: unknown }).code;
  return {
    error: error.name,
    ...(typeof code === 'string' ? { errorCode: code } : {}),
    stack: scrub(error.stack ?? error.message),
    ...(error.cause instanceof Error ? { cause: scrub(error.cause.stack ?? error.cause.message) } : {}),
  };
};

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

export const createLog = (level: string, stream?: DestinationStream, clock: Clock = systemClock): Log => {
  const out = stream ?? destination({ fd: 1, sync: false });
  const timestamp = createTimestamp(clock);
  const lines = createLines(out, stream !== undefined);
  const logger = pino({ level, base: null, timestamp }, lines.others);
  const { info } = logger.levels.values;
  const line = (members: string): void => lines.add(`{"level":${info}${timestamp()},${members}}\n`);
  return Object.assign(logger, {
    flush: () => {
      lines.write();
      (out as { flushSync?: () => void }).flushSync?.();
    },
    line: logger.isLevelEnabled('info') ? line : () => undefined,
  });
};
