/** A block of code with its name. Long lines wrap, so that nothing has to be scrolled sideways on a phone. */
import { MarkedText } from './text.js';

export const CodeBlock = ({ name, code }: { readonly name: string; readonly code: string }) => (
  <figure class="code-block">
    <figcaption>{name}</figcaption>
    <pre>
      <code>
        <MarkedText text={code} />
      </code>
    </pre>
  </figure>
);

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2);
