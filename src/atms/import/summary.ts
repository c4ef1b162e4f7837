/** The findings of an import by kind: in a list of thousands, what was dropped is seen in a line with its number. */
import type { Finding } from '../check-atm.js';

export interface FindingKind extends Finding {
  readonly records: number;
}

/** More texts of one kind than this are one line, in which `…` stands for the values. */
const MAX_TEXTS = 8;

const general = (text: string): string =>
  text
    .replace(/\[\d+\]/g, '[]')
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/is written \S+/, 'is written …')
    .replace(/\d+(\.\d+)?/g, '…');

/** One entry for each record. The most frequent kind comes first. */
export const kindsOf = (findingsOfEach: readonly (readonly Finding[])[]): FindingKind[] => {
  const groups = new Map<string, Map<string, FindingKind>>();
  for (const findings of findingsOfEach) {
    for (const { field: exact, reason } of findings) {
      const field = exact.replace(/\[\d+\]/g, '[]');
      const key = `${field} ${general(reason)}`;
      const texts = groups.get(key) ?? new Map<string, FindingKind>();
      groups.set(key, texts.set(reason, { field, reason, records: (texts.get(reason)?.records ?? 0) + 1 }));
    }
  }
  return [...groups.values()]
    .flatMap((texts) => {
      const kinds = [...texts.values()];
      const [first] = kinds;
      if (!first || kinds.length <= MAX_TEXTS) return kinds;
      return [
        {
          ...first,
          reason: general(first.reason),
          records: kinds.reduce((sum, each) => sum + each.records, 0),
        },
      ];
    })
    .sort((a, b) => b.records - a.records || (a.field < b.field ? -1 : 1));
};
