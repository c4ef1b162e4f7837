/** docs/security.md: every threat has its row once, with a test that exists or a sentence that says why there is none. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { securityEventKinds } from '../../src/observe/security-events.js';
import { root } from '../lib/source.js';

const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
const rows = [...text.matchAll(/^\| (T-\d\d) \|(.*)\| (.+) \|$/gm)].map(([, id = '', , proof = '']) => ({
  id,
  proof,
}));
const filesIn = (proof: string): string[] =>
  [...proof.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file);

describe('docs/security.md', () => {
  it('has every threat once, the first ones in order', () => {
    const ids = rows.map(({ id }) => id);
    const known = Array.from({ length: 73 }, (_, index) => `T-${String(index + 1).padStart(2, '0')}`);
    const all = known.filter((id) => id !== 'T-41');
    expect(ids.slice(0, 57)).toEqual(all.slice(0, 57));
    expect(ids.toSorted()).toEqual(all);
  });

  it('names tests that exist, or says why there is none', () => {
    const missing = rows.flatMap(({ id, proof }) =>
      filesIn(proof)
        .filter((file) => !existsSync(join(root, file)))
        .map((file) => `${id}: ${file}`),
    );
    expect(missing).toEqual([]);
    expect(rows.filter(({ proof }) => filesIn(proof).length === 0 && !proof.includes('No test'))).toEqual([]);
  });

  it('tells when each kind of event is raised, and of no other kind', () => {
    const listed = [...text.matchAll(/^\| `([a-z-]+)` \| /gm)].map(([, kind]) => kind);
    expect(listed.filter((kind) => kind?.includes('-'))).toEqual([...securityEventKinds]);
  });
});
