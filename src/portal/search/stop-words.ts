/** Words of a question that say nothing of its subject, in both languages. */
import { folded } from '../../lib/format/folded.js';

const terms = `
  a an and are as at be by can do does for from have how i if in is it me my of on or should the to
  what when where which who why will with you your
  από για δε δεν ένα έναν ένας είμαι είναι έχω η θα και κάνω με μια μου να ο οι όταν πού ποια ποιο ποιος
  πότε πρέπει πως σας σε στα στη στην στις στο στον στους τα τη την της τι τις το τον του τους των
`;

const ignored: ReadonlySet<string> = new Set(folded(terms).trim().split(/\s+/));

/** Of a folded word. */
export const isStopWord = (word: string): boolean => ignored.has(word);
