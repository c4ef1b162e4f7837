/** A list of the bank's people: one query for the method of embedders and for the command with its JSON. */
import type { Context } from './act.js';

export interface List<Row extends object> {
  /** Thing and `list`, as on the command line. */
  readonly name: `${string}.list`;
  readonly command: { readonly help: string; readonly empty: string };
  rows(context: Context): Promise<readonly Row[]>;
  /** For people. */
  line(row: Row): object;
  /** For programs; as for people if absent. */
  facts?(row: Row): object;
}

/** Any list, for those who derive something from it. */
export type AnyList = List<object>;

export const list = <Row extends object>(definition: List<Row>): List<Row> => definition;
