/** The reference, rendered from the operations themselves: what is described is what is served. */
import type { PageAnswer } from '../../http/pages.js';
import type { AreaView } from '../areas.js';
import { htmlPage } from '../components/shell.js';
import type { Frame } from '../frame.js';
import { Basics } from './basics.js';
import { OperationSection } from './operation.js';

interface Props {
  readonly frame: Frame;
  readonly areas: readonly AreaView[];
}

const Contents = ({ areas }: Pick<Props, 'areas'>) => (
  <nav class="contents" aria-label="On this page">
    <p>On this page</p>
    <ul>
      <li>
        <a href="#basics">Before you call</a>
      </li>
      {areas.map(({ id, title, operations }) => (
        <li key={id}>
          <a href={`#area-${id}`}>{title}</a>
          <ul>
            {operations.map((operation) => (
              <li key={operation.id}>
                <a href={`#${operation.id}`}>{operation.summary}</a>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  </nav>
);

export const referencePage = ({ frame, areas }: Props): PageAnswer =>
  htmlPage({
    frame,
    title: 'Reference',
    description: 'Every operation of the interface, with its fields, rules, examples and answers.',
    path: '/docs',
    children: (
      <>
        <div class="page-head">
          <h1>Reference</h1>
          <p class="lead">
            Every operation with its fields, rules, examples and answers. For your tools, the same as{' '}
            <a href={frame.href('/openapi.json')}>an OpenAPI document</a>.
          </p>
        </div>
        <div class="reference">
          <Contents areas={areas} />
          <div class="stack-wide">
            <Basics frame={frame} areas={areas} />
            {areas.map(({ id, title, audience, purpose, operations }) => (
              <section key={id} class="area" id={`area-${id}`} aria-labelledby={`area-${id}-title`}>
                <div class="area-head">
                  <h2 id={`area-${id}-title`}>{title}</h2>
                  <p class="quiet">
                    {audience}. {purpose}
                  </p>
                </div>
                {operations.map((operation) => (
                  <OperationSection key={operation.id} frame={frame} operation={operation} />
                ))}
              </section>
            ))}
          </div>
        </div>
      </>
    ),
  });
