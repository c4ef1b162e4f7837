/**
 * `--env-file`: settings from a file, as systemd reads an EnvironmentFile and Node its `--env-file`. A line that these two would read
 * differently is refused, so that a command never works with other settings than the service.
 */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { addToEnvironment } from '../config/config.js';
import { CommandError } from './output.js';

export const ENV_FILE = '--env-file';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const ASSIGNMENT = /^([^=\s]*)=(.*)$/;
const QUOTED = /^(['"])(.*)\1$/s;

const valueIn = (text: string, refuse: (what: string) => never): string => {
  const [, quote, inner = ''] = QUOTED.exec(text) ?? [];
  const isQuoted = quote !== undefined && !inner.includes(quote);
  const value = isQuoted ? inner : text;
  // Nothing is special within single quotes.
  if (isQuoted && quote === "'") return value;
  if (value.includes('\\')) refuse('a value with a \\ must stand in single quotes');
  if (!isQuoted && /['"`]/.test(value)) refuse('quotes must stand around the whole value');
  if (!isQuoted && value.includes('#')) refuse('a value with a # must stand in quotes');
  if (value.includes('`')) refuse('a value with a ` must stand in single quotes');
  return value;
};

/** The settings in it, by name. Faults name the line, never what is in it. */
export const readEnvironmentFile = (text: string, file: string): Record<string, string> => {
  const found: Record<string, string> = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const refuse = (what: string): never => {
      throw new CommandError(`line ${index + 1} of ${file}: ${what}`);
    };
    const bare = line.trim();
    if (bare === '' || bare.startsWith('#')) continue;
    const [, name = '', value = ''] = ASSIGNMENT.exec(bare) ?? [];
    if (!NAME.test(name)) refuse('NAME=value was expected, without "export" and without blanks before the =');
    found[name] = valueIn(value.trim(), refuse);
  }
  return found;
};

const openEnvironmentFile = (file: string): Record<string, string> => {
  const text = (() => {
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new CommandError(
        `--env-file ${file} cannot be read (${code})${code === 'EACCES' ? ': run the command as its owner' : ''}`,
      );
    }
  })();
  return readEnvironmentFile(text, file);
};

/** Of several files the last one that names a setting counts, as Node has it. */
export const addEnvironmentOption = (program: Command): void => {
  const files: string[] = [];
  program
    .option(
      `${ENV_FILE} <file>`,
      'settings from a file of lines NAME=value; those of the environment go before it',
      (file: string) => void files.push(file),
    )
    .hook('preAction', () => addToEnvironment(Object.assign({}, ...files.map(openEnvironmentFile))));
};
