/** A case: one thing that a bank with this interface does, the clause that demands it, and how to try it. Cases are data. */
import type { Bank } from './bank/bank.js';

export const sources = ['interface', 'law', 'rfc', 'complaint', 'profile'] as const;

/**
 * `interface`: the interface document says it. `law`: PSD2, RTS 2018/389 or a guideline. `rfc`: a standard of the Internet. `complaint`: a
 * third party has complained about a bank in public. `profile`: the document leaves it open, and it is tried as published in
 * docs/spec-gaps.md of Trapeza.
 */
export type Source = (typeof sources)[number];

export interface Clause {
  readonly source: Source;
  readonly text: string;
}

const clauseOf =
  (source: Source, prefix: string) =>
  (text: string): Clause => ({ source, text: `${prefix}${text}` });

export const document = clauseOf('interface', 'Interface document, ');
export const law = clauseOf('law', '');
export const rfc = clauseOf('rfc', 'RFC ');
export const complaint = clauseOf('complaint', 'openbankingspace/tpp-issues');
export const profile = clauseOf('profile', 'docs/spec-gaps.md, ');

export const areas = {
  funds: 'Confirm funds',
  atms: 'Get ATMs',
  status: 'Get consent status',
  payment: 'Get payment information',
  consents: 'Life of a consent',
  repeats: 'Repeated requests',
  accounts: 'Account information',
  paging: 'Transactions and pages',
  orders: 'Payment orders',
  oauth: 'OAuth',
  signatures: 'Signatures',
  events: 'Events and notifications',
} as const;
export type Area = keyof typeof areas;

export interface Case {
  readonly id: string;
  readonly title: string;
  readonly area: Area;
  readonly clause: Clause;
  readonly run: (bank: Bank) => Promise<void>;
}

/** A case without its area: its name there, its title, its clause, and how to try it. */
export type Sketch = readonly [name: string, title: string, clause: Clause, run: Case['run']];

export const casesOf = (area: Area, sketches: readonly Sketch[]): readonly Case[] =>
  sketches.map(([name, title, clause, run]) => ({ id: `${area}-${name}`, title, area, clause, run }));
