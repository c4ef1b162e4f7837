/** The document that a bank implements: every operation of the contract, with examples that are true. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { scaContextOf } from '../../../src/account-pages/approve/asked-for.js';
import { type CoreExample, coreExamples } from '../../../src/bank/http/contract/examples.js';
import { coreOpenApiDocument } from '../../../src/bank/http/contract/openapi.js';
import { type CoreOperation, coreOperations } from '../../../src/bank/http/contract/operations.js';
import type { Payment } from '../../../src/bank/http/contract/shapes.js';
import type { AskedConsent } from '../../../src/consent/asked.js';
import { breachFinder } from '../../../src/http/validate.js';

interface Content {
  readonly 'application/json': { readonly schema: { readonly $ref: string } };
}
interface Described {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

const document = coreOpenApiDocument('1') as unknown as {
  readonly paths: Record<string, Record<string, Described>>;
  readonly components: { readonly schemas: Record<string, object> };
};
const described = Object.values(document.paths).flatMap((path) => Object.values(path));

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'core', ...document });
const takes = (content: Content | undefined, value: unknown): boolean =>
  content !== undefined && ajv.validate(`core${content['application/json'].schema.$ref}`, value);

const at = (reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], document);

const everyNode = (value: unknown): Record<string, unknown>[] =>
  typeof value === 'object' && value !== null
    ? [value as Record<string, unknown>, ...Object.values(value).flatMap(everyNode)]
    : [];

describe('docs/core-openapi.json', () => {
  it('has every operation of the contract', () => {
    expect(described.map(({ operationId }) => operationId).toSorted()).toEqual(
      Object.keys(coreOperations).toSorted(),
    );
  });

  it.each(Object.keys(coreOperations) as (keyof typeof coreOperations)[])(
    'shows %s with examples that its schemas take',
    (id) => {
      const { params = {}, query: asked = {}, body, answer }: CoreExample = coreExamples[id];
      const operation: CoreOperation = coreOperations[id];
      const { requestBody, responses = {} } =
        described.find(({ operationId }) => operationId === id) ?? ({} as Partial<Described>);
      if (operation.media) expect(responses[200]?.content).toEqual({ [operation.media]: {} });
      else {
        expect(breachFinder(operation.answer)(answer)).toBeUndefined();
        expect(takes(responses[200]?.content, answer)).toBe(true);
        expect(takes(responses[200]?.content, { ...answer, more: 1 })).toBe(false);
      }
      expect(takes(requestBody?.content, body)).toBe(body !== undefined);
      expect(Object.keys(params)).toEqual([...operation.path.matchAll(/:(\w+)/g)].map(([, each]) => each));
      const known = operation.query ?? {};
      const demanded = Object.keys(known).filter((name) => known[name]?.required);
      expect(Object.keys(known)).toEqual(expect.arrayContaining(Object.keys(asked)));
      expect(Object.keys(asked)).toEqual(expect.arrayContaining(demanded));
    },
  );

  it('integrator S12.7: names what operations share, once each, and every reference leads to it', () => {
    const { schemas } = document.components;
    const shared = ['Money', 'Reference', 'Account', 'Balance', 'Transaction', 'Exchange', 'Statement'];
    shared.push('TransferWish', 'Terms', 'Quote', 'CreditorAgent', 'Payment', 'PaymentState', 'StatusReason');
    shared.push('ScaContext', 'ShownPayment', 'Problem');
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(shared));
    const references = everyNode(document).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
    expect(references.length).toBeGreaterThan(100);
    for (const reference of references) expect(at(reference), reference).toBeDefined();
    for (const [name, schema] of Object.entries(schemas))
      for (const node of Object.values(schema).flatMap(everyNode))
        expect(node.title, `${name} repeats a schema that has a name`).toBeUndefined();
  });

  it('integrator S12.3: tells every status that the contract demands', () => {
    const statusesOf = (id: string) =>
      Object.keys(described.find(({ operationId }) => operationId === id)?.responses ?? {}).toSorted();
    expect(statusesOf('ping')).toEqual(['200', '401', '503', 'default']);
    expect(statusesOf('listTransactions')).toEqual(['200', '400', '401', '404', '503', 'default']);
    expect(statusesOf('executePayment')).toEqual(['200', '400', '401', '409', '412', '503', 'default']);
    expect(statusesOf('readPayment')).toEqual(['200', '400', '401', '404', '503', 'default']);
  });

  it('integrator S12.4: shows a code as it is really asked for', () => {
    const { body } = coreExamples.executePayment as { body: Payment };
    const asked = scaContextOf({
      kind: 'PaymentInitiation',
      details: {
        creditAccount: body.creditAccount,
        creditorName: body.creditorName,
        instructedAmount: { currency: body.amount.currency, amount: Number(body.amount.amount) },
      },
      quote: null,
      accounts: [],
      older: [],
      block: null,
    } as unknown as AskedConsent);
    expect(coreExamples.sendCode.body).toMatchObject({ payment: asked.payment });
    expect((coreExamples.sendCode.body as { shownHash: string }).shownHash).toHaveLength(
      asked.shownHash.length,
    );
  });
});
