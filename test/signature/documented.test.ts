/** What the gate demands of a signature is what the documentation says, in openapi.json and in the guide. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signatureHeaders } from '../../src/api/headers.js';
import { coveredIfSent, leastCovered } from '../../src/signature/coverage.js';
import { digestHeader, digestNames } from '../../src/signature/digest.js';
import { root } from '../lib/source.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Described {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly in?: string; readonly name?: string }[];
}
const { paths } = JSON.parse(read('docs/openapi.json')) as {
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
const headersOf = ({ parameters = [] }: Described): string[] =>
  parameters.flatMap(({ in: place, name }) => (place === 'header' && name ? [name] : []));

it('openapi.json has each header of both schemes at each operation that takes a signature', () => {
  const names = signatureHeaders.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(digestNames.map(digestHeader)));
  const signable = operations.filter((each) => headersOf(each).includes('Signature'));
  expect(signable.length).toBeGreaterThan(25);
  for (const each of signable)
    expect([each.operationId, headersOf(each)]).toEqual([each.operationId, expect.arrayContaining(names)]);
});

it('openapi.json has DPoP where a token is taken, and nowhere else', () => {
  for (const each of operations)
    expect([each.operationId, headersOf(each).includes('DPoP')]).toEqual([
      each.operationId,
      (each.security ?? []).length > 0,
    ]);
});

it('the headers name what is covered', () => {
  const descriptionOf = (wanted: string) =>
    signatureHeaders.find(({ name }) => name === wanted)?.description ?? '';
  for (const name of [...leastCovered.cavage, ...coveredIfSent])
    expect(descriptionOf('Signature')).toContain(`\`${name}\``);
  for (const name of [...leastCovered.rfc9421, ...coveredIfSent])
    expect(descriptionOf('Signature-Input')).toContain(`\`${name}\``);
});

it.each(['en', 'el'])('the guide does so too: %s', (language) => {
  const guide = read(`docs/guides/signatures.${language}.md`);
  const [, sample = ''] = /COMPONENTS='\(([^)]*)\)'/.exec(guide) ?? [];
  for (const name of leastCovered.rfc9421) expect(sample).toContain(`"${name}"`);
  const [, after = ''] = guide.split('SIGNATURE_2:"');
  const [rules = ''] = after.slice(after.indexOf('{"fundsAvailable"')).split('\n## ');
  for (const name of [...leastCovered.rfc9421, ...coveredIfSent, 'keyid'])
    expect(rules).toContain(`\`${name}\``);
});
