/** A status as a word in a coloured frame; the colour only repeats what the word and the sign say. */
import type { ComponentChildren } from 'preact';

export type Meaning = 'good' | 'bad' | 'notice' | 'accent' | 'quiet';

const signs: Readonly<Record<Meaning, string>> = { good: '✓', bad: '✕', notice: '!', accent: '', quiet: '' };

export const Badge = ({
  meaning,
  children,
}: {
  readonly meaning: Meaning;
  readonly children: ComponentChildren;
}) => (
  <span class={`badge ${meaning}`}>
    {signs[meaning] && <span aria-hidden="true">{signs[meaning]}</span>}
    {children}
  </span>
);

/** Whether the very same request may be sent again. */
export const RetryBadge = ({ retryable }: { readonly retryable: boolean }) =>
  retryable ? <Badge meaning="good">Yes, unchanged</Badge> : <Badge meaning="quiet">No</Badge>;

export const MethodBadge = ({ method }: { readonly method: string }) => (
  <Badge meaning="accent">{method}</Badge>
);
