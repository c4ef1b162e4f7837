/** The document that a bank implements: every operation of the contract, with examples that are true. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { type CoreExample, coreExamples } from '../../../src/bank/http/contract/examples.js';
import { coreOpenApiDocument } from '../../../src/bank/http/contract/openapi.js';
import { type CoreOperation, coreOperations } from '../../../src/bank/http/contract/operations.js';
import { breachFinder } from '../../../src/http/validate.js';

describe('docs/core-openapi.json', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  interface Document {
    readonly paths: Record<string, Record<string, { operationId: string; parameters: { name?: string }[] }>>;
    readonly components: { readonly schemas: Record<string, object> };
  }
  const document = coreOpenApiDocument('1') as unknown as Document;

  it('has every operation of the contract', () => {
    const found = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(found.map(({ operationId }) => operationId).toSorted()).toEqual(
      Object.keys(coreOperations).toSorted(),
    );
  });

  it.each(Object.keys(coreOperations) as (keyof typeof coreOperations)[])(
    'shows %s with examples that its schemas take',
    (id) => {
      const { params = {}, query: asked = {}, body, answer }: CoreExample = coreExamples[id];
      const operation: CoreOperation = coreOperations[id];
      const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
      const takes = (suffix: string, value: unknown) =>
        ajv.validate(document.components.schemas[`${name}${suffix}`] ?? false, value);
      expect(breachFinder(operation.answer)(answer)).toBeUndefined();
      expect(takes('Answer', answer)).toBe(true);
      expect(takes('Answer', { ...answer, more: 1 })).toBe(false);
      expect(takes('Question', body)).toBe(body !== undefined);
      expect(Object.keys(params)).toEqual([...operation.path.matchAll(/:(\w+)/g)].map(([, each]) => each));
      const known = Object.keys(operation.query ?? {});
      expect(Object.keys(asked)).toEqual(known);
    },
  );
});
