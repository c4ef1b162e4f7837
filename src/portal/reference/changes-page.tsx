/** The change history and the promise about future changes (RTS Art. 30(4): three months ahead). */
import { templatePath } from '../../http/openapi.js';
import { CHANGE_RULE } from '../../http/openapi-contract.js';
import { Badge, MethodBadge } from '../../web/components/badge.js';
import { Summary } from '../../web/components/blocks.js';
import type { ShellProps } from '../../web/components/shell.js';
import { Prose } from '../../web/components/text.js';
import type { Frame } from '../../web/frame.js';
import { type AreaView, operationPath } from '../areas.js';
import { docsPage, type NavigationParts } from './docs-page.js';

interface Props {
  readonly frame: Frame;
  readonly areas: readonly AreaView[];
}

const VersionOne = ({ frame, areas }: Props) => (
  <section class="card" aria-labelledby="v1">
    <p class="badges">
      <Badge meaning="good">Current</Badge>
    </p>
    <h2 id="v1">Version 1</h2>
    <p>Announced: the first version of the interface. It has these operations.</p>
    <ul class="area-calls">
      {areas
        .filter(({ demand }) => demand !== undefined)
        .flatMap((area) =>
          area.operations.map((operation) => (
            <li key={operation.id}>
              <a href={frame.href(operationPath(area, operation))}>
                <MethodBadge method={operation.method} />
                <span class="name">{operation.summary}</span>
                <code class="quiet">{templatePath(operation.path)}</code>
              </a>
            </li>
          )),
        )}
    </ul>
  </section>
);

const Policy = () => (
  <section class="stack" aria-labelledby="policy">
    <h2 id="policy">How changes are made</h2>
    <Summary
      facts={[
        {
          name: 'Announcement',
          value:
            'On this page, at least three months before the change takes effect. Only an emergency may shorten this, and then the reason is given here.',
        },
        {
          name: 'Within a version',
          value: (
            <>
              New operations, problems, optional headers and parameters, corrected descriptions.{' '}
              <Prose text={CHANGE_RULE} />
            </>
          ),
        },
        {
          name: 'A new version',
          value:
            'Everything else: members removed or renamed, members added to what is closed, stricter rules, other meanings. It gets its own path segment, such as v2, beside the old one, which is then deprecated.',
        },
        {
          name: 'Deprecation',
          value: (
            <>
              Until it is removed, a deprecated operation works as before. Its answers carry the headers{' '}
              <code>Deprecation</code> and <code>Sunset</code> with the dates.
            </>
          ),
        },
        { name: 'Unknown versions', value: 'A path with a version that is not served is answered with 404.' },
      ]}
    />
  </section>
);

export const changesPage = (props: NavigationParts): ShellProps =>
  docsPage(props, {
    title: 'Changes',
    description: 'The versions of the interface and how changes are announced.',
    path: '/docs/changes',
    text: (
      <>
        <h1>Changes</h1>
        <p class="lead">What has changed, what will change, and how long ahead you will know.</p>
        <section class="stack" aria-labelledby="planned">
          <h2 id="planned">Announced for the future</h2>
          <p>Nothing at present.</p>
        </section>
        <VersionOne frame={props.frame} areas={props.areas} />
        <Policy />
      </>
    ),
  });
