/**
 * PKITS 4.8 to 4.13: policies and name constraints. The bank demands no policy: what counts are its anchors and the qualified
 * statements. So policies without demands are read over, and an issuer that makes demands is refused, because nobody checks them.
 */
import type { NamePlan } from '../../../packages/sandbox/src/authority/build.js';
import { nameDer } from '../../../packages/sandbox/src/authority/build.js';
import type { ExtensionPlan } from '../../../packages/sandbox/src/authority/extensions.js';
import { OID } from '../../../src/certificate/der/oids.js';
import { implicit, integer, oid, sequence, tagged, utf8, wrap } from '../../../src/certificate/der/write.js';
import { ok, type Verdict, withExtension } from '../world.js';
import {
  authorityWith,
  below,
  type Change,
  named,
  type Section,
  type Step,
  tests,
  type Vector,
  vector,
} from './vector.js';

const ANY = '2.5.29.32.0';
const policyOf = (number: number): string => `2.16.840.1.101.3.2.1.48.${number}`;
const [one, two, three] = [policyOf(1), policyOf(2), policyOf(3)];

const policies = (...ids: readonly string[]): ExtensionPlan => ({
  oid: OID.certificatePolicies,
  isCritical: true,
  value: sequence(...ids.map((id) => sequence(oid(id)))),
});

const qualified = (qualifier: Buffer): ExtensionPlan => ({
  oid: OID.certificatePolicies,
  value: sequence(sequence(oid(one), sequence(qualifier))),
});
const notice = sequence(oid('1.3.6.1.5.5.7.2.2'), sequence(utf8('A notice for whoever relies on this.')));
const IA5 = 0x16;
const pointer = sequence(oid('1.3.6.1.5.5.7.2.1'), tagged(IA5, Buffer.from('https://tsp.example/cps')));

/** The policies of the authorities, and at last of the certificate. */
const withPolicies = (...levels: readonly (readonly string[])[]) => {
  const last = levels.at(-1) ?? [];
  const steps = levels.slice(0, -1).map((ids) => (ids.length > 0 ? asStep(policies(...ids)) : {}));
  return below(steps, (plan) => (last.length > 0 ? withExtension(plan, policies(...last)) : plan));
};

const asStep = (...extensions: readonly ExtensionPlan[]): Step => ({
  extensions: authorityWith(...extensions),
});

export const certificatePolicies: Section = {
  number: '4.8',
  title: 'Certificate Policies',
  tests: 20,
  vectors: [
    vector([1, 10, 13], 'the same policies everywhere', ok, withPolicies([one], [one], [one])),
    vector([2], 'no policies at all', ok, withPolicies([], [])),
    vector([3, 4, 5, 7, 8, 9, 12], 'other policies at each level', ok, withPolicies([one], [two], [three])),
    vector([6], 'policies that overlap', ok, withPolicies([one, two], [two, three], [two])),
    vector([11, 14], 'any policy', ok, withPolicies([ANY], [one])),
    vector(
      tests(15, 19),
      'a notice for the user, which nobody here reads',
      ok,
      below([{}], (plan) => withExtension(plan, qualified(notice))),
    ),
    vector(
      [20],
      'an address of practices, which is not opened',
      ok,
      below([{}], (plan) => withExtension(plan, qualified(pointer))),
    ),
  ],
};

/** requireExplicitPolicy is 0, inhibitPolicyMapping is 1. */
const demand = (number: 0 | 1, after: number, isCritical = true): ExtensionPlan => ({
  oid: OID.policyConstraints,
  isCritical,
  value: sequence(implicit(number, integer(after).subarray(2))),
});
const inhibitAny = (after: number, isCritical = true): ExtensionPlan => ({
  oid: OID.inhibitAnyPolicy,
  isCritical,
  value: integer(after),
});
const mapping = (from: string, to: string, isCritical: boolean): ExtensionPlan => ({
  oid: '2.5.29.33',
  isCritical,
  value: sequence(sequence(oid(from), oid(to))),
});

const unknown: Verdict = 'unknown-critical-extension';
const demanding = (
  covers: readonly number[],
  name: string,
  ...extensions: readonly ExtensionPlan[]
): Vector =>
  vector(covers, `${name}, which nobody checks`, unknown, below([asStep(policies(one), ...extensions), {}]));

export const explicitPolicy: Section = {
  number: '4.9',
  title: 'Require Explicit Policy',
  tests: 8,
  vectors: [
    demanding([1, 2], 'a policy is demanded far below', demand(0, 10)),
    demanding([3, 4, 5], 'a policy is demanded at once', demand(0, 0)),
    demanding([3, 5], 'a policy is demanded, but not critically, as it must be', demand(0, 0, false)),
    demanding([6, 7, 8], 'a policy is demanded after one certificate', demand(0, 1)),
  ],
};

export const policyMappings: Section = {
  number: '4.10',
  title: 'Policy Mappings',
  tests: 14,
  vectors: [
    demanding([1, 2, 3, 4, 5, 6], 'policies are mapped critically', mapping(one, two, true)),
    demanding([7], 'any policy is mapped critically', mapping(ANY, two, true)),
    demanding([8], 'a policy is mapped critically to any', mapping(one, ANY, true)),
    vector(
      tests(9, 14),
      'policies are mapped, but none is demanded',
      ok,
      below([asStep(policies(one), mapping(one, two, false))]),
    ),
  ],
};

export const inhibitMapping: Section = {
  number: '4.11',
  title: 'Inhibit Policy Mapping',
  tests: 11,
  vectors: [
    demanding(tests(1, 4), 'mapping is forbidden at once', demand(1, 0), mapping(one, two, false)),
    demanding(tests(5, 8), 'mapping is forbidden further below', demand(1, 5)),
    demanding(tests(9, 11), 'mapping is forbidden, but not critically', demand(1, 0, false)),
  ],
};

export const inhibitAnyPolicy: Section = {
  number: '4.12',
  title: 'Inhibit Any Policy',
  tests: 10,
  vectors: [
    demanding(tests(1, 3), 'any policy is forbidden at once', inhibitAny(0)),
    demanding(tests(4, 6), 'any policy is forbidden further below', inhibitAny(1)),
    demanding(tests(7, 10), 'any policy is forbidden, but not critically', inhibitAny(0, false)),
  ],
};

const directory = (name: NamePlan): Buffer => wrap(4, nameDer(name));
const text = (kind: 1 | 2 | 6, value: string): Buffer => implicit(kind, Buffer.from(value));
const country = (value: string): Buffer => directory([{ oid: OID.country, value }]);

const names = (permitted: readonly Buffer[], excluded: readonly Buffer[] = []): ExtensionPlan => ({
  oid: OID.nameConstraints,
  isCritical: true,
  value: sequence(
    ...(permitted.length > 0 ? [wrap(0, ...permitted.map((each) => sequence(each)))] : []),
    ...(excluded.length > 0 ? [wrap(1, ...excluded.map((each) => sequence(each)))] : []),
  ),
});

const alsoNamed =
  (...others: readonly Buffer[]): Change =>
  (plan) =>
    withExtension(plan, { oid: OID.subjectAltName, value: sequence(...others) });
const atHost = alsoNamed(text(2, 'api.tpp.example'));
const withEmail: Change = (plan) => ({
  ...plan,
  subject: [...plan.subject, { oid: OID.emailAddress, value: 'someone@tpp.example' }],
});

const refused: Verdict = 'name-constraint';
const constrained = (
  covers: readonly number[],
  name: string,
  verdict: Verdict,
  extensions: readonly ExtensionPlan[],
  change?: Change,
): Vector =>
  vector(
    covers,
    name,
    verdict,
    below(
      extensions.map((each) => asStep(each)),
      change,
    ),
  );

/** A self-issued authority is free of the constraints above it, what it issues is not. */
const viaSelfIssued = (permitted: Buffer) =>
  below([{ name: named('Free', 'CY'), ...asStep(names([permitted])) }, { name: named('Free', 'CY') }]);

const emails = names([text(1, 'tpp.example')]);

export const nameConstraints: Section = {
  number: '4.13',
  title: 'Name Constraints',
  tests: 38,
  vectors: [
    constrained([1, 5, 6], 'the name lies within what is permitted', ok, [
      names([country('GR'), country('CY')]),
    ]),
    constrained([2, 3], 'the name lies outside', refused, [names([country('CY')])]),
    constrained([4], 'another name lies within, too', ok, [names([country('GR')])], alsoNamed(country('GR'))),
    constrained(
      [3],
      'another name lies outside',
      refused,
      [names([country('GR')])],
      alsoNamed(country('CY')),
    ),
    constrained([7, 8, 9], 'the name is excluded', refused, [names([], [country('GR')])]),
    constrained([10], 'it is permitted and excluded', refused, [names([country('GR')], [country('GR')])]),
    constrained([11, 18], 'another name is excluded', ok, [names([country('GR')], [country('CY')])]),
    constrained([12, 13], 'two authorities permit different names', refused, [
      names([country('GR')]),
      names([country('CY')]),
    ]),
    constrained([14], 'two authorities permit the name', ok, [
      names([country('GR')]),
      names([country('GR')]),
    ]),
    constrained([15, 16, 17], 'the second authority excludes the name', refused, [
      names([country('GR')]),
      names([], [country('GR')]),
    ]),
    vector([19], 'a self-issued authority needs no permitted name', ok, viaSelfIssued(country('GR'))),
    vector([20], 'but what it issues does', refused, viaSelfIssued(country('DE'))),
    constrained(
      tests(21, 26),
      'addresses of mail are not compared, so one under a constraint is refused',
      refused,
      [emails],
      alsoNamed(text(1, 'someone@tpp.example')),
    ),
    constrained([21, 23, 25], 'a constraint of mail is no matter without an address', ok, [emails]),
    constrained(
      [27, 28],
      'the name is permitted, the address cannot be compared',
      refused,
      [names([country('GR'), text(1, 'tpp.example')])],
      alsoNamed(text(1, 'someone@tpp.example')),
    ),
    constrained([29], 'an address within the subject counts as one', refused, [emails], withEmail),
    constrained([29], 'also if it is excluded', refused, [names([], [text(1, 'tpp.example')])], withEmail),
    constrained([30], 'the host is permitted', ok, [names([text(2, 'tpp.example')])], atHost),
    constrained([31], 'the host is not permitted', refused, [names([text(2, 'bank.example')])], atHost),
    constrained([32], 'another host is excluded', ok, [names([], [text(2, 'bank.example')])], atHost),
    constrained([33], 'the host is excluded', refused, [names([], [text(2, 'tpp.example')])], atHost),
    constrained(
      tests(34, 37),
      'addresses of the web are not compared, so one under a constraint is refused',
      refused,
      [names([text(6, 'tpp.example')])],
      alsoNamed(text(6, 'https://api.tpp.example/')),
    ),
    constrained(
      [38],
      'a host whose name only ends alike',
      refused,
      [names([text(2, 'tpp.example')])],
      alsoNamed(text(2, 'mytpp.example')),
    ),
  ],
};
