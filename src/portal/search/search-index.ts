/** A plain index of words. A word of the query finds all that begin with it; accents and case do not matter. */
import { folded } from '../../lib/format/folded.js';

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

const IN_TITLE = 12;
const MOST_OF_ONE_WORD = 5;
const WORDS_BEFORE = 8;
const WORDS_AFTER = 22;

const termsOf = (text: string): readonly string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];

export class SearchIndex {
  readonly #documents: SearchDocument[] = [];
  /** By word: the weight of each document that has it. */
  readonly #weights = new Map<string, Map<number, number>>();

  add(document: SearchDocument): void {
    const index = this.#documents.push(document) - 1;
    for (const word of termsOf(`${document.title} ${document.path}`)) this.#weigh(word, index, IN_TITLE);
    for (const word of termsOf(document.text)) this.#weigh(word, index, 1);
  }

  #weigh(word: string, index: number, weight: number): void {
    const ofWord = this.#weights.get(word) ?? new Map<number, number>();
    this.#weights.set(word, ofWord);
    const before = ofWord.get(index) ?? 0;
    ofWord.set(index, weight === 1 ? Math.max(before, Math.min(before + 1, MOST_OF_ONE_WORD)) : weight);
  }

  /** Documents that have all words of the query, the best first. */
  find(query: string, limit: number): readonly Found[] {
    const wanted = [...new Set(termsOf(query))];
    const [first, ...others] = wanted.map((word) => this.#matches(word));
    const scores = [...(first ?? [])].flatMap(([index, weight]) => {
      const rest = others.map((each) => each.get(index));
      return rest.includes(undefined)
        ? []
        : [{ index, score: rest.reduce<number>((sum, each) => sum + (each ?? 0), weight) }];
    });
    return scores
      .toSorted((a, b) => b.score - a.score || a.index - b.index)
      .slice(0, limit)
      .flatMap(({ index }) => {
        const document = this.#documents[index];
        return document ? [{ document, excerpt: excerptOf(document.text, wanted) }] : [];
      });
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
