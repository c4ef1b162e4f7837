/** A mutant: one wrong line of the product that the tests must notice. */

/** Files of mutants are written from here. */
export const PRODUCT = 'src';

export interface Mutant {
  readonly id: string;
  /** Below `PRODUCT`. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** What must notice it: `file below test > part of a test's full name`. */
  readonly killedBy: readonly string[];
  /** What users would suffer. */
  readonly means: string;
}

export interface Killer {
  readonly file: string;
  readonly name: string;
}

export const killerOf = (text: string): Killer => {
  const [file = '', name = ''] = text.split(' > ', 2);
  return { file: `test/${file}`, name };
};

export const mutated = (text: string, { find, replace }: Pick<Mutant, 'find' | 'replace'>): string =>
  text.split(find).join(replace);
