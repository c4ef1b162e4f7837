/** What commands print for people. */
import { describe, expect, it } from 'vitest';
import { tableText } from '../../src/cli/output.js';

const rows = [
  { id: 'a1', name: 'Agora', until: null },
  { id: 'b2', name: 'Helios Pay', until: '2026-12-31' },
];
const table = [
  'id  name        until',
  '──  ──────────  ──────────',
  'a1  Agora',
  'b2  Helios Pay  2026-12-31',
];

describe('a list', () => {
  it('is a table where it has room, and for programs that read it', () => {
    expect(tableText(rows).split('\n')).toEqual(table);
    expect(tableText(rows, 26).split('\n')).toEqual(table);
  });

  it('is one member a line in a terminal that is narrower, without what a row lacks', () => {
    expect(tableText(rows, 25).split('\n')).toEqual([
      ...['id     a1', 'name   Agora', ''],
      ...['id     b2', 'name   Helios Pay', 'until  2026-12-31'],
    ]);
  });
});
