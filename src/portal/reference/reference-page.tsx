/** The first page of the documentation: what holds for all calls, and the way to every operation. */
import type { ShellProps } from '../../web/components/shell.js';
import { OperationList } from './area-page.js';
import { Basics } from './basics.js';
import { installClient } from './client.js';
import { BRUNO, POSTMAN } from './collections.js';
import { docsPage, type NavigationParts } from './docs-page.js';

export const referencePage = (props: NavigationParts & { readonly timeZone: string }): ShellProps => {
  const { frame, areas, timeZone } = props;
  return docsPage(props, {
    title: 'Reference',
    description: 'What holds for every call, and the way to every operation of the interface.',
    path: '/docs',
    text: (
      <>
        <h1>Reference</h1>
        <p class="lead">
          Every operation with its fields, rules, examples and answers. For your tools, the same as{' '}
          <a href={frame.href('/openapi.json')}>an OpenAPI document</a>; every page also as Markdown, listed
          in <a href={frame.href('/llms.txt')}>llms.txt</a>.
        </p>
        <p>
          From JavaScript and TypeScript: <code>{installClient(frame.baseUrl)}</code> installs a client with
          all types. It comes from this service and needs no other package.
        </p>
        {frame.additions && (
          <p>
            To call from a tool: import the collection for{' '}
            <a href={frame.href(POSTMAN)} download>
              Postman
            </a>{' '}
            or unpack the one for{' '}
            <a href={frame.href(BRUNO)} download>
              Bruno
            </a>{' '}
            and run it from top to bottom. It gets demo credentials and a token first, and hands the ids on
            from call to call.
          </p>
        )}
        <Basics frame={frame} areas={areas} timeZone={timeZone} />
        <h2 id="operations">Operations</h2>
        {areas.map((area) => (
          <section
            key={area.id}
            class="stack"
            id={`area-${area.id}`}
            aria-labelledby={`area-${area.id}-title`}
          >
            <h3 id={`area-${area.id}-title`}>
              <a href={frame.href(area.path)}>{area.title}</a>
            </h3>
            <p class="quiet">
              {area.audience}. {area.purpose}
            </p>
            <OperationList frame={frame} area={area} />
          </section>
        ))}
      </>
    ),
  });
};
