/**
 * Logs: one JSON line per event, made only of fields that are named here or by the caller of `log`, never of whole requests.
 * Texts of errors are scrubbed, because drivers like to quote the values they choked on.
 */
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { maskedIban } from '../model/account-reference.js';

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug' | 'fatal'> & { flush(): void };

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

export const createLog = (level: string, stream?: DestinationStream): Log => {
  const out = stream ?? destination({ fd: 1, sync: false });
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, out);
  return Object.assign(logger, { flush: () => (out as { flushSync?: () => void }).flushSync?.() });
};
