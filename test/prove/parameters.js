/**
 * What a proof may be told. A name means the same in every proof.
 * @type {Record<string, string>}
 */
export const meanings = {
  AFTER: 'goes on after this one',
  AT_ONCE: 'at most so many changes in one life of a node',
  CONSENTS: 'so many approved payments',
  COUNT: 'so many tries',
  DELAY: 'milliseconds that the core takes for an answer',
  ENGINE: 'sqlite or postgres instead of both',
  EVERY: 'so many between two kills',
  FILES: 'test files or folders, with spaces between, instead of those of the proof',
  MINUTES: 'a part ends after so many, and says how to go on',
  NODES: 'so many dispatching nodes',
  OLDER: 'folder in which the older version is built already',
  ONLY: 'some of them, with commas between',
  RESTART: 'milliseconds between two kills of the core',
  ROUNDS: 'each page is fetched so often',
  SECONDS: 'so long at most',
  SEED: 'the same number makes the same choices',
  SIZE: 'so many third parties/consents',
  SUBMISSIONS: 'each payment is submitted so often',
};
