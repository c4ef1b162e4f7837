/** What the files with people have in common: how they are read, and what a person is. */
import { readFileSync } from 'node:fs';
import { JsonFault, parseStrictJson } from 'trapeza/base';
import { Type } from 'typebox';

export const strict = { additionalProperties: false } as const;
export const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });

export const About = Type.Optional(Type.Object({ en: text(300), el: text(300) }, strict));

/** A fault of the syntax, with its line. */
export const parsed = (content: string): unknown => {
  try {
    return parseStrictJson(content);
  } catch (error) {
    if (error instanceof JsonFault) throw new Error([error.message, ...(error.duplicate ?? [])].join(' '));
    const [, position] = /position (\d+)/.exec(String(error)) ?? [];
    const before = content.slice(0, position === undefined ? content.length : Number(position));
    throw new Error(`line ${before.split('\n').length}: no JSON`);
  }
};

const contentOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
};

/** Passwords and names stay in the file: an error says what is wrong or names the line. */
export const readPeopleFile = (file: string): { readonly content: string; readonly value: unknown } => {
  const content = contentOf(file);
  return { content, value: parsed(content) };
};
