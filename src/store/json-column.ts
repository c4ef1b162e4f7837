/**
 * JSON in a column: written and read through one shape, so that a row of another shape fails where it is read and not later. The error
 * names the member and never its value. Shapes are plain functions: a schema library would cost every command half a second.
 */

/** The path of the first member that does not fit; undefined if all do. */
export type Shape = (value: unknown) => string | undefined;

const fits =
  (is: (value: unknown) => boolean): Shape =>
  (value) =>
    is(value) ? undefined : '';

export const text = fits((value) => typeof value === 'string');
export const whole = fits((value) => Number.isSafeInteger(value));
export const numeric = fits((value) => typeof value === 'number');
export const flag = fits((value) => typeof value === 'boolean');
export const oneOf = (values: readonly unknown[]): Shape => fits((value) => values.includes(value));
export const orNull =
  (shape: Shape): Shape =>
  (value) =>
    value === null ? undefined : shape(value);
export const optional =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined ? undefined : shape(value);

const firstFault = (shapes: readonly (readonly [string, Shape])[], value: object): string | undefined => {
  for (const [name, shape] of shapes) {
    const fault = shape((value as Readonly<Record<string, unknown>>)[name]);
    if (fault !== undefined) return `/${name}${fault}`;
  }
  return undefined;
};

/** Other members are left alone. */
export const members = (shapes: Readonly<Record<string, Shape>>): Shape => {
  const entries = Object.entries(shapes);
  return (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? firstFault(entries, value) : '';
};

export const listOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value)
      ? firstFault(
          value.map((_, index) => [String(index), shape]),
          value,
        )
      : '';

export interface JsonColumn<T> {
  write(value: T): string;
  /** Throws if the text is not of the shape. */
  read(text: string): T;
}

export const jsonColumn = <T>(name: string, shape: Shape): JsonColumn<T> => ({
  write: (value) => JSON.stringify(value),
  read(json) {
    const value: unknown = JSON.parse(json);
    const fault = shape(value);
    if (fault === undefined) return value as T;
    throw new Error(`${name} in the store has another shape${fault === '' ? '' : ` at ${fault}`}`);
  },
});
