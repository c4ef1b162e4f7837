/** The first page of the reference: what holds for all calls, and the way to every operation. */
import { templatePath } from '../../http/openapi.js';
import type { PageAnswer } from '../../http/pages.js';
import { MethodBadge } from '../../web/components/badge.js';
import { Records } from '../../web/components/records.js';
import { htmlPage } from '../../web/components/shell.js';
import type { Frame } from '../../web/frame.js';
import { type AreaView, operationPath } from '../areas.js';
import { Basics } from './basics.js';
import { AreaNavigation, Contents } from './navigation.js';

interface Props {
  readonly frame: Frame;
  readonly areas: readonly AreaView[];
  readonly timeZone: string;
}

/** The names keep the ids under which this page once described the operations: old links still lead on. */
const AreaOperations = ({ frame, area }: { readonly frame: Frame; readonly area: AreaView }) => (
  <section class="stack" id={`area-${area.id}`} aria-labelledby={`area-${area.id}-title`}>
    <h3 id={`area-${area.id}-title`}>
      <a href={frame.href(area.path)}>{area.title}</a>
    </h3>
    <p class="quiet">
      {area.audience}. {area.purpose}
    </p>
    <Records
      caption={`Operations of ${area.title}`}
      shape="pairs"
      columns={['Operation', 'Call']}
      rows={area.operations.map((operation) => ({
        key: operation.id,
        cells: [
          <a key="name" id={operation.id} href={frame.href(operationPath(area, operation))}>
            {operation.summary}
          </a>,
          <span key="call" class="endpoint">
            <MethodBadge method={operation.method} />
            <code>{templatePath(operation.path)}</code>
          </span>,
        ],
      }))}
    />
  </section>
);

export const referencePage = ({ frame, areas, timeZone }: Props): PageAnswer =>
  htmlPage({
    frame,
    title: 'Reference',
    description: 'What holds for every call, and the way to every operation of the interface.',
    path: '/docs',
    children: (
      <>
        <div class="page-head">
          <AreaNavigation frame={frame} areas={areas} path="/docs" />
          <h1>Reference</h1>
          <p class="lead">
            Every operation with its fields, rules, examples and answers. For your tools, the same as{' '}
            <a href={frame.href('/openapi.json')}>an OpenAPI document</a>.
          </p>
        </div>
        <div class="reference">
          <Contents
            entries={[
              { id: 'basics', title: 'Before you call' },
              { id: 'credentials', title: 'Credentials' },
              { id: 'operations', title: 'Operations' },
            ]}
          />
          <div class="stack-wide">
            <Basics frame={frame} areas={areas} timeZone={timeZone} />
            <section class="operations" id="operations" aria-labelledby="operations-title">
              <h2 id="operations-title">Operations</h2>
              {areas.map((area) => (
                <AreaOperations key={area.id} frame={frame} area={area} />
              ))}
            </section>
          </div>
        </div>
      </>
    ),
  });
