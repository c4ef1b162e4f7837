/** Which headers have an effect: what the operations read, what they say about it, and what the documentation says. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { effectiveHeaders } from '../../src/gate/signature.js';
import { filesUnder } from '../lib/source.js';
import { useService } from '../support/use-service.js';

const service = useService();

describe('headers with an effect', () => {
  const documented = readFileSync(new URL('../../docs/guides/signatures.en.md', import.meta.url), 'utf8');
  const flagged = () => [
    ...new Set(service().app.operations.flatMap((operation) => effectiveHeaders(operation))),
  ];

  it('are all that an operation reads, and are marked as such', () => {
    // How an answer is written, and the rehearsals of the sandbox, are nobody's order.
    const others = ['accept-language', 'accept-encoding', 'if-none-match', 'if-modified-since'];
    const read = filesUnder('src/api').flatMap(({ text }) =>
      [...text.matchAll(/headers\['([a-z-]+)'\]/g)].map(([, name = '']) => name),
    );
    expect(read).toContain('psu-ip-address');
    expect(read.filter((name) => !flagged().includes(name) && !others.includes(name))).toEqual([]);
  });

  it('are named in the documentation', async () => {
    const page = await (await fetch(`${service().url}/docs/guides/signatures`)).text();
    for (const name of flagged())
      expect([name, documented.includes(`\`${name}\``), page.includes(`<code>${name}</code>`)]).toEqual([
        name,
        true,
        true,
      ]);
  });
});
