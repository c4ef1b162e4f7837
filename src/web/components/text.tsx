/** Text with its small marks: code between backticks, Greek words in their own language. */
import type { VNode } from 'preact';

const GREEK_WORDS = /(\p{Script=Greek}+(?:\s+\p{Script=Greek}+)*)/u;

/** A screen reader that speaks English would spell Greek out letter by letter. */
const greekMarked = (text: string): (string | VNode)[] =>
  text.split(GREEK_WORDS).map((part, index) =>
    index % 2 === 1 ? (
      <span key={`${index}-${part}`} lang="el">
        {part}
      </span>
    ) : (
      part
    ),
  );

export const MarkedText = ({ text }: { readonly text: string }) => <>{greekMarked(text)}</>;

export const Prose = ({ text }: { readonly text: string }) => (
  <>
    {text
      .split('`')
      .map((part, index) =>
        index % 2 === 1 ? (
          <code key={`${index}-${part}`}>{part}</code>
        ) : (
          <MarkedText key={`${index}-${part}`} text={part} />
        ),
      )}
  </>
);
