/** A mutant: one wrong line of the product that the tests must notice. */

/** Files of mutants are written from here. */
export const PRODUCT = 'src';

interface Change {
  readonly id: string;
  /** A declaration at the top of some file, or `Class.method`. */
  readonly in: string;
  /** Another declaration of the same file, if `in` of several files fits: constants of one name and value. */
  readonly beside?: string;
  /** Takes the place of what is found, with what its `$names` stand for; empty if that is left out, with its comma. */
  readonly replace: string;
  /** What must notice it: `file below test > part of a test's full name`. */
  readonly killedBy: readonly string[];
  /** What users would suffer. */
  readonly means: string;
}

/** Exactly one place of the product fits. */
export type Mutant = Change &
  (
    | {
        /**
         * An expression, `statements;`, a `member: of an object` or a `...spread`. Only the names of declarations are written out:
         * `$name` stands for any expression or local name, the same wherever it occurs.
         */
        readonly find: string;
      }
    | {
        /** Words within a string or template, such as SQL, however they are spaced. */
        readonly text: string;
      }
  );

export interface Killer {
  readonly file: string;
  readonly name: string;
}

export const killerOf = (text: string): Killer => {
  const [file = '', name = ''] = text.split(' > ', 2);
  return { file: `test/${file}`, name };
};

export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
