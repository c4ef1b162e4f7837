/** A call of `npm run prove`: what it runs, or what is wrong with it. */
import { meanings } from './parameters.js';
import { subjects } from './proofs.js';

/**
 * @typedef {import('./proofs.js').Proof} Proof
 * @typedef {{ environment: Record<string, string>, commands: string[][] }} Call
 */

/** @type {Record<string, Proof>} */
export const proofs = Object.assign({}, ...Object.values(subjects));

/**
 * Levenshtein distance. Node 20 cannot load that of src/gate/nearest.ts.
 * @type {(from: string, to: string) => number}
 */
const distance = (from, to) => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

/** @type {(name: string) => Proof} */
const proofOf = (name) => {
  const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined;
  if (proof) return proof;
  const [nearest] = Object.keys(proofs).toSorted((one, other) => distance(name, one) - distance(name, other));
  throw new Error(`There is no proof "${name}". Did you mean "${nearest}"? \`npm run prove\` lists all.`);
};

/** @type {(proof: Proof, words: readonly string[]) => Record<string, string>} */
const valuesOf = ({ parameters = {}, files }, words) => {
  const known = [...Object.keys(parameters), ...(files ? ['FILES'] : [])];
  const list = known.map((each) => `\n  ${each}: ${meanings[each]}`).join('') || ' none';
  return Object.fromEntries(
    words.map((word) => {
      const [, parameter = '', value = ''] = /^(\w+)=(.+)$/.exec(word) ?? [];
      if (known.includes(parameter)) return [parameter, value];
      throw new Error(`"${word}" is no parameter of this proof. It has:${list}`);
    }),
  );
};

/** @type {(proof: Proof, files: readonly string[], flags: readonly string[]) => string[][]} */
const testRuns = (proof, files, flags) => {
  const vitest = [
    'node',
    'node_modules/vitest/vitest.mjs',
    'run',
    ...files,
    ...(proof.flags ?? []),
    ...flags,
  ];
  if (!proof.versions) return [vitest];
  return proof.versions.map((version) => [
    'npm',
    'exec',
    '--yes',
    `--package=node@${version}`,
    '--',
    ...vitest,
  ]);
};

/**
 * `NAME PARAMETER=value … -- flag …`; the flags are for the last command, which mostly is vitest.
 * @type {(words: readonly string[]) => Call}
 */
export const readCall = ([name = '', ...words]) => {
  const proof = proofOf(name);
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const [values, flags] = [valuesOf(proof, words.slice(0, end)), words.slice(end + 1)];
  // Files of both tiers.
  /** @type {Record<string, string>} */
  const environment = { TEST_TIER: 'all', ...proof.environment };
  for (const [parameter, [variable, otherwise]] of Object.entries(proof.parameters ?? {})) {
    const value = values[parameter] ?? otherwise;
    if (value !== undefined) environment[variable] = String(value);
  }
  const commands = ['node build/main.js unbundled', ...(proof.commands ?? [])].map((each) => each.split(' '));
  const files = values.FILES?.split(' ') ?? proof.files;
  if (files) commands.push(...testRuns(proof, files, flags));
  else commands.at(-1)?.push(...flags);
  return { environment, commands };
};
