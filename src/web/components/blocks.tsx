/** Summary list and callout. */
import type { ComponentChildren } from 'preact';
import type { Meaning } from './badge.js';

export interface Fact {
  readonly name: string;
  readonly value: ComponentChildren;
}

export const Summary = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl class="summary">
    {facts.map(({ name, value }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

export interface CalloutProps {
  readonly meaning: Meaning;
  readonly heading: string;
  readonly children: ComponentChildren;
}

export const Callout = ({ meaning, heading, children }: CalloutProps) => (
  <section class={`callout ${meaning}`}>
    <h2>{heading}</h2>
    {children}
  </section>
);
