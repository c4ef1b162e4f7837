/** Vectors with the coverage of NIST's Public Key Interoperability Test Suite, made by the test PKI for PSD2 certificates. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { certificateOf } from '../../src/certificate/certificate.js';
import { CertificateRefusal } from '../../src/certificate/reasons.js';
import { constraints, selfIssued, usage } from './pkits/issuers.js';
import { basicLists } from './pkits/lists.js';
import { nameChaining, signatures, validity } from './pkits/paths.js';
import { deltas, points, privateExtensions } from './pkits/points.js';
import {
  certificatePolicies,
  explicitPolicy,
  inhibitAnyPolicy,
  inhibitMapping,
  nameConstraints,
  policyMappings,
} from './pkits/policies.js';
import { type Chain, type Section, tests } from './pkits/vector.js';
import { goodCall, ok, type Verdict, World } from './world.js';

const sections: readonly Section[] = [
  signatures,
  validity,
  nameChaining,
  basicLists,
  selfIssued,
  constraints,
  usage,
  certificatePolicies,
  explicitPolicy,
  policyMappings,
  inhibitMapping,
  inhibitAnyPolicy,
  nameConstraints,
  points,
  deltas,
  privateExtensions,
];

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());
afterEach(() => {
  world.answer = undefined;
});

const verdictOn = async ({ ders, lists }: Chain): Promise<Verdict> => {
  world.answer = lists;
  // Its own memory for every vector: the addresses of lists are the same.
  const verifier = world.verifier({ mode: lists ? 'hard' : 'off', intermediates: [] });
  try {
    const [certificate, ...extra] = ders.map(certificateOf);
    if (!certificate) throw new Error('an empty chain');
    return (await verifier.verify(certificate, { ...goodCall, extra })).reason ?? ok;
  } catch (error) {
    if (error instanceof CertificateRefusal) return error.reason;
    throw error;
  }
};

describe.each(sections)('PKITS $number $title', ({ vectors, tests: count }) => {
  it.each(vectors)('$covers $name: $verdict', async ({ verdict, make }) => {
    expect(await verdictOn(make(world))).toBe(verdict);
  });

  it('leaves out no test of the suite', () => {
    const covered = new Set(vectors.flatMap(({ covers }) => covers));
    expect([...covered].toSorted((a, b) => a - b)).toEqual(tests(1, count));
  });
});
