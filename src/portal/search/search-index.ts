/** A plain index of words. A word of the query finds all that begin with it; accents and case do not matter. */
import { folded } from '../../lib/format/folded.js';
import { isStopWord } from './stop-words.js';

export interface SearchDocument {
  readonly path: string;
  readonly lang: string;
  readonly title: string;
  readonly text: string;
}

export interface Found {
  readonly document: SearchDocument;
  /** The text around the first word that was found; those that were found are marked. */
  readonly excerpt: readonly { readonly text: string; readonly isMarked: boolean }[];
}

export interface FoundPages {
  /** If not, these have the most of them. */
  readonly isComplete: boolean;
  readonly pages: readonly Found[];
}

const IN_TITLE = 12;
const MOST_OF_ONE_WORD = 5;
const WORDS_BEFORE = 8;
const WORDS_AFTER = 22;

/** The page that a document is of: it may be there in another language. */
const pageOf = ({ path }: SearchDocument): string => path.split('?')[0] ?? '';

/** An operation is also known by its id, which its page has with dashes. */
const nameOf = (document: SearchDocument): string =>
  pageOf(document).split('/').at(-1)?.replaceAll('-', '') ?? '';

const termsOf = (text: string): readonly string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];

export class SearchIndex {
  readonly #documents: SearchDocument[] = [];
  /** By word: the weight of each document that has it. */
  readonly #weights = new Map<string, Map<number, number>>();

  add(document: SearchDocument): void {
    const index = this.#documents.push(document) - 1;
    for (const word of termsOf(`${document.title} ${pageOf(document)} ${nameOf(document)}`))
      this.#weigh(word, index, IN_TITLE);
    for (const word of termsOf(document.text)) this.#weigh(word, index, 1);
  }

  #weigh(word: string, index: number, weight: number): void {
    const ofWord = this.#weights.get(word) ?? new Map<number, number>();
    this.#weights.set(word, ofWord);
    const before = ofWord.get(index) ?? 0;
    ofWord.set(index, weight === 1 ? Math.max(before, Math.min(before + 1, MOST_OF_ONE_WORD)) : weight);
  }

  /**
   * Documents that have the most of the words that say something, the best first; a page in another language if it is not there in this
   * one.
   */
  find(query: string, limit: number, lang: string): FoundPages {
    const all = [...new Set(termsOf(query))];
    const telling = all.filter((word) => !isStopWord(word));
    const wanted = telling.length > 0 ? telling : all;
    const hits = new Map<number, { count: number; score: number }>();
    for (const word of wanted)
      for (const [index, weight] of this.#matches(word)) {
        const { count, score } = hits.get(index) ?? { count: 0, score: 0 };
        hits.set(index, { count: count + 1, score: score + weight });
      }
    const most = Math.max(0, ...[...hits.values()].map(({ count }) => count));
    const found = [...hits]
      .filter(([, { count }]) => count === most)
      .toSorted(([a, { score: ofA }], [b, { score: ofB }]) => ofB - ofA || a - b)
      .flatMap(([index]) => this.#documents[index] ?? []);
    const own = found.filter((document) => document.lang === lang);
    const pages = new Set(own.map(pageOf));
    const foreign = found.filter((document) => document.lang !== lang && !pages.has(pageOf(document)));
    const shown = [...own, ...foreign].slice(0, limit);
    return {
      isComplete: most === wanted.length,
      pages: shown.map((document) => ({ document, excerpt: excerptOf(document.text, wanted) })),
    };
  }

  #matches(wanted: string): Map<number, number> {
    const found = new Map<number, number>();
    for (const [word, weights] of this.#weights) {
      if (!word.startsWith(wanted)) continue;
      for (const [index, weight] of weights) {
        const score = word === wanted ? 2 * weight : weight;
        found.set(index, Math.max(found.get(index) ?? 0, score));
      }
    }
    return found;
  }
}

const excerptOf = (text: string, wanted: readonly string[]): Found['excerpt'] => {
  const parts = text.split(/\s+/).filter((word) => word !== '');
  const isMarked = (word: string): boolean =>
    termsOf(word).some((each) => wanted.some((start) => each.startsWith(start)));
  const at = Math.max(0, parts.findIndex(isMarked));
  const from = Math.max(0, at - WORDS_BEFORE);
  const shown = parts.slice(from, at + WORDS_AFTER);
  return [
    ...(from > 0 ? [{ text: '…', isMarked: false }] : []),
    ...shown.map((word) => ({ text: word, isMarked: isMarked(word) })),
    ...(from + shown.length < parts.length ? [{ text: '…', isMarked: false }] : []),
  ];
};
