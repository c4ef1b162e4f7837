/** What commands read and print: lists and tables for people, JSON for scripts, errors that say what to do. */
import { InvalidArgumentError, Option } from 'commander';
import { Gone, NotAllowed, Refusal } from '../acts/refusal.js';
import { ImportError } from '../atms/import/result.js';
import { ConfigError } from '../config/config.js';
import { StoreForgot } from '../store/continuity/continuity.js';
import { MoveError } from '../store/move.js';
import { BackupError } from '../store/sqlite/backup.js';
import { StoreInUse } from '../store/sqlite/single.js';
import { RegistryError } from '../tpp/registry.js';

export const print = (text: string): void => console.log(text);
export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2));

export interface JsonFlag {
  readonly json?: boolean;
}

/** The outcome of a command: a line for people, or its facts for scripts. */
export const printOutcome = ({ json }: JsonFlag, facts: object, line: string): void =>
  json ? printJson(facts) : print(line);

/** For commands that have other formats too. */
export const jsonFormatOption = (): Option =>
  new Option('--json', 'the same as --format json').implies({ format: 'json' });

/** An expected failure: its message is for the user, a stack trace would only be in the way. */
export class CommandError extends Error {}

const cell = (row: object, column: string): string => String((row as Record<string, unknown>)[column] ?? '');

/** Each row as lines of its own, without what it lacks. */
const recordsText = (rows: readonly object[], columns: readonly string[]): string => {
  const width = Math.max(...columns.map(({ length }) => length));
  const lineOf = (row: object, column: string): string[] => {
    const text = cell(row, column);
    return text === '' ? [] : [`${column.padEnd(width)}  ${text}`];
  };
  return rows.map((row) => columns.flatMap((column) => lineOf(row, column)).join('\n')).join('\n\n');
};

/** A table, unless it is wider than the terminal, which would break each of its lines. */
export const tableText = (rows: readonly object[], terminalWidth = Number.POSITIVE_INFINITY): string => {
  const columns = Object.keys(rows[0] ?? {});
  const widths = columns.map((column) =>
    Math.max(column.length, ...rows.map((row) => cell(row, column).length)),
  );
  const line = (parts: readonly string[]): string =>
    parts
      .map((part, index) => part.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  const lines = [
    line(columns),
    line(widths.map((width) => '─'.repeat(width))),
    ...rows.map((row) => line(columns.map((column) => cell(row, column)))),
  ];
  const isTooWide = lines.some(({ length }) => length > terminalWidth);
  return isTooWide ? recordsText(rows, columns) : lines.join('\n');
};

export const printTable = (rows: readonly object[], empty: string): void =>
  print(rows.length === 0 ? empty : tableText(rows, process.stdout.columns));

/**
 * Who reads our output may have enough of it (`| head`): the rest goes nowhere, and that is no failure. Returns whether an
 * error is the one that said so.
 */
export const allowClosedOutput = (): ((error: unknown) => boolean) => {
  const closed = new Set<unknown>();
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      closed.add(error);
    });
  return (error) => closed.has(error);
};

/** Reads the value of an option; the refusal of another one says what it must be. */
export const parsedBy =
  <T>(read: (text: string) => T) =>
  (text: string): T => {
    try {
      return read(text);
    } catch (error) {
      throw new InvalidArgumentError(
        `It must be ${error instanceof Error ? error.message : 'something else'}.`,
      );
    }
  };

/** A list as people type it: `a, b`. */
export const namesIn = (list: string): string[] => list.split(',').map((name) => name.trim());

/** The last word of a command that failed. */
export const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const isExpected = [
    CommandError,
    ConfigError,
    RegistryError,
    Refusal,
    Gone,
    NotAllowed,
    ImportError,
    BackupError,
    MoveError,
    StoreInUse,
    StoreForgot,
  ].some((kind) => error instanceof kind);
  if (isExpected) return error.message;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE')
    return `the port is already in use (${error.message}): set PORT, TRAPEZA_MANAGEMENT_PORT or TRAPEZA_OPERATOR_PORT to another one. Nodes that share PORT all need TRAPEZA_SHARED_PORT=on and the same system user`;
  if (code === 'EACCES') return `not permitted: ${error.message}`;
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`;
};
