/**
 * JSON in a column: written and read through one schema, so that a row of another shape fails where it is read and not later. The error
 * names the member and never its value.
 */
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

export interface JsonColumn<T> {
  write(value: T): string;
  /** Throws if the text is not of the schema. */
  read(text: string): T;
}

/** `T` is the type of the schema, in the words of the code that uses it. */
export const jsonColumn = <T extends Static<Schema>, Schema extends TSchema = TSchema>(
  name: string,
  schema: Schema,
): JsonColumn<T> => {
  const shape = Compile(schema);
  return {
    write: (value) => JSON.stringify(value),
    read(text) {
      const value: unknown = JSON.parse(text);
      if (shape.Check(value)) return value as T;
      const [fault] = shape.Errors(value);
      throw new Error(
        `${name} in the store does not fit its schema: ${fault?.instancePath} ${fault?.message}`,
      );
    },
  };
};
