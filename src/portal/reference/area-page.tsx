/** The reference of one area, rendered from its operations themselves: what is described is what is served. */
import type { PageAnswer } from '../../http/pages.js';
import { CodeBlock } from '../../web/components/code-block.js';
import { htmlPage } from '../../web/components/shell.js';
import { Prose } from '../../web/components/text.js';
import type { Frame } from '../../web/frame.js';
import type { AreaView } from '../areas.js';
import { CommonHeaders, Errors } from './common.js';
import { headerGroupsOf } from './common-headers.js';
import { emptyPreparation } from './curl.js';
import { AreaNavigation, Contents } from './navigation.js';
import { OperationSection } from './operation.js';

interface Props {
  readonly frame: Frame;
  readonly areas: readonly AreaView[];
  readonly area: AreaView;
}

const Head = ({ frame, areas, area }: Props) => (
  <div class="page-head">
    <AreaNavigation frame={frame} areas={areas} path={area.path} />
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
  </div>
);

/** The requests of the page can be pasted one after the other. */
const Preparation = ({ frame, area }: Pick<Props, 'frame' | 'area'>) => {
  const commands = frame.additions?.preparation?.(frame.baseUrl, area.id) ?? emptyPreparation;
  return (
    <section class="stack" id="preparation" aria-labelledby="preparation-title">
      <h2 id="preparation-title">Prepare your terminal</h2>
      <p>Paste this first. The example requests below then work one after the other.</p>
      <CodeBlock name="Terminal" code={commands} />
    </section>
  );
};

export const areaPage = (props: Props): PageAnswer => {
  const { frame, area } = props;
  const groups = headerGroupsOf(area.operations);
  return htmlPage({
    frame,
    title: `${area.title}: reference`,
    description: `${area.audience}. ${area.purpose}`,
    path: area.path,
    children: (
      <>
        <Head {...props} />
        <div class="reference">
          <Contents
            entries={[
              { id: 'preparation', title: 'Prepare your terminal' },
              ...area.operations.map(({ id, summary }) => ({ id, title: summary })),
              ...(groups.length > 0 ? [{ id: 'headers', title: 'Common headers' }] : []),
              { id: 'errors', title: 'Errors' },
            ]}
          />
          <div>
            <Preparation frame={frame} area={area} />
            {area.operations.map((operation) => (
              <OperationSection key={operation.id} frame={frame} operation={operation} groups={groups} />
            ))}
            {groups.length > 0 && <CommonHeaders groups={groups} />}
            <Errors frame={frame} />
          </div>
        </div>
      </>
    ),
  });
};
