/** What a program reads of an error has one source, the catalogue: OpenAPI, client, document and pages say the same. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ProblemSlug as ClientSlug, ProblemError, remedies } from '../../packages/client/src/index.js';
import { consentStatuses } from '../../src/consent/record.js';
import { problemExample } from '../../src/http/problem-schema.js';
import { advices } from '../../src/problem/advice.js';
import { extensionMeanings, extensionNames } from '../../src/problem/extensions.js';
import { fieldCodes } from '../../src/problem/field.js';
import { type ProblemKind, type ProblemSlug, problems, problemsWith } from '../../src/problem/problem.js';
import { root } from '../lib/source.js';
import { useService } from '../support/use-service.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const { schemas, examples } = JSON.parse(read('docs/openapi.json')).components;
const slugs = Object.keys(problems) as ProblemSlug[];

describe('the OpenAPI document', () => {
  it('has the advice, codes, problems and members of the catalogue', () => {
    expect(schemas.Advice.enum).toEqual(Object.keys(advices));
    expect(schemas.FieldFault.properties.code['x-extensible-enum']).toEqual(Object.keys(fieldCodes));
    expect(Object.keys(examples)).toEqual(slugs);
    expect(Object.keys(schemas.Extensions.properties)).toEqual(['error', 'errors', ...extensionNames]);
    expect(schemas.Extensions.properties.consent.properties.status.enum).toEqual([...consentStatuses]);
  });

  it('keeps extensions a map of name to object, to which members may be added', () => {
    expect(schemas.Extensions).toMatchObject({
      type: ['object', 'null'],
      readOnly: true,
      unevaluatedProperties: { type: 'object' },
    });
    for (const member of Object.values(schemas.Extensions.properties))
      expect(member).toMatchObject({ type: 'object', description: expect.any(String) });
    for (const name of ['Problem', 'ValidationProblem', 'RegistrationProblem'])
      expect(schemas[name].properties.extensions.$ref).toBe('#/components/schemas/Extensions');
  });

  it('has in the example of a problem only members that its kind names', () => {
    for (const slug of slugs) {
      const { extensions = [] }: ProblemKind = problems[slug];
      const shown = Object.keys(problemExample(slug, 'https://bank.example').extensions);
      expect(['error', 'errors', ...extensions]).toEqual(expect.arrayContaining(shown));
    }
    for (const name of extensionNames) expect(problemsWith(name)).not.toEqual([]);
  });
});

describe('the client', () => {
  it('has a type for every problem and a remedy for every advice', () => {
    const [, union = ''] =
      /export type ProblemSlug = (.+);/.exec(read('packages/client/src/interface.ts')) ?? [];
    expect(union.split(' | ').map((each) => JSON.parse(each))).toEqual(slugs);
    // Compiles if and only if both are the same union.
    const ofClient: readonly ClientSlug[] = slugs;
    const ofCatalogue: readonly ProblemSlug[] = ofClient;
    expect(ofCatalogue).toHaveLength(slugs.length);
    expect(Object.keys(remedies)).toEqual(Object.keys(advices));
  });

  it('reads every example by its types alone', () => {
    for (const slug of slugs) {
      const { extensions, status, ...body } = problemExample(slug, 'https://bank.example');
      const error = new ProblemError(status, new Headers(), {
        ...body,
        status,
        extensions: extensions as ProblemError['extensions'],
      } as ProblemError['problem']);
      expect([error.slug, error.code]).toEqual([slug, problems[slug].code]);
      expect(error.extensions?.error.retryable).toBe(error.retryable);
      expect(error.remedy).toBe(error.advice && remedies[error.advice]);
    }
    const bare = new ProblemError(502, new Headers(), {});
    expect([bare.extensions, bare.advice, bare.retryable]).toEqual([undefined, undefined, true]);
  });
});

describe('people', () => {
  const service = useService();
  const page = async (path: string): Promise<string> =>
    (await service().call({ path, outsideContract: true, headers: { Accept: 'text/html' } })).text;

  it('find every member with its problems in the document and on the pages', async () => {
    const [document, list] = [read('docs/problems.md'), await page('/problems')];
    for (const name of extensionNames) {
      const row = document
        .split('\n')
        .find((line) => line.startsWith(`| \`${name}\` | ${extensionMeanings[name]}`));
      const named = [...(row ?? '').matchAll(/\]\(#([a-z-]+)\)/g)].map(([, slug]) => slug);
      expect(named, name).toEqual(problemsWith(name));
      expect(list).toContain(`id="extension-${name}"`);
      for (const slug of problemsWith(name))
        expect(await page(`/problems/${slug}`)).toContain(`#extension-${name}"`);
    }
  });
});
