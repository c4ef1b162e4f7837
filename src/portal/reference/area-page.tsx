/** An area of the interface: what it is for, its operations, and what their samples expect in the shell. */
import { templatePath } from '../../http/openapi.js';
import { MethodBadge } from '../../web/components/badge.js';
import { CodeBlock } from '../../web/components/code-block.js';
import type { ShellProps } from '../../web/components/shell.js';
import { Prose } from '../../web/components/text.js';
import type { Frame } from '../../web/frame.js';
import { type AreaView, operationPath } from '../areas.js';
import { docsPage, type NavigationParts } from './docs-page.js';
import { emptyPreparation } from './operation/samples.js';

interface Props {
  readonly frame: Frame;
  readonly area: AreaView;
}

const firstSentence = (text: string): string => /^.*?[.](?=\s|$)/.exec(text)?.[0] ?? text;

/** The ids are those under which this page once described the operations: old links still lead on. */
export const OperationList = ({ frame, area }: Props) => (
  <ul class="operation-list plain">
    {area.operations.map((operation) => (
      <li key={operation.id} id={operation.id}>
        <a href={frame.href(operationPath(area, operation))}>{operation.summary}</a>
        <p class="endpoint">
          <MethodBadge method={operation.method} />
          <code>{templatePath(operation.path)}</code>
        </p>
        <p class="quiet">
          <Prose text={firstSentence(operation.description)} />
        </p>
      </li>
    ))}
  </ul>
);

const Preparation = ({ frame, area }: Props) => (
  <section class="stack" id="preparation" aria-labelledby="preparation-title">
    <h2 id="preparation-title">Prepare your terminal</h2>
    <p>
      Paste this first. The example requests of these operations then work one after the other, in the order
      above.
    </p>
    <CodeBlock
      name="Terminal"
      code={frame.additions?.preparation?.(frame.baseUrl, area.id) ?? emptyPreparation}
    />
  </section>
);

export const areaPage = (props: Props & NavigationParts): ShellProps => {
  const { frame, area } = props;
  return docsPage(props, {
    title: area.title,
    description: `${area.audience}. ${area.purpose}`,
    path: area.path,
    text: (
      <>
        <h1>{area.title}</h1>
        <p class="lead">
          {area.audience}. {area.purpose}
        </p>
        {area.demand !== undefined && (
          <p>
            <strong>Credentials.</strong> <Prose text={area.demand} />{' '}
            <a href={frame.href('/docs#credentials')}>More about credentials</a>
          </p>
        )}
        <h2 id="operations">Operations</h2>
        <OperationList frame={frame} area={area} />
        <Preparation frame={frame} area={area} />
      </>
    ),
  });
};
