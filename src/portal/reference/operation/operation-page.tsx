/** One operation of the reference: what it does, its fields and bodies, and beside them code, answer and refusals. */
import { STATUS_CODES } from 'node:http';
import { likelyProblems } from '../../../http/likely-problems.js';
import { templatePath } from '../../../http/openapi.js';
import type { Field, Operation } from '../../../http/operation.js';
import { problemExample } from '../../../http/problem-schema.js';
import { type ProblemSlug, problems } from '../../../problem/problem.js';
import { MethodBadge } from '../../../web/components/badge.js';
import { CodeBlock, jsonText } from '../../../web/components/code-block.js';
import type { ShellProps } from '../../../web/components/shell.js';
import { Prose } from '../../../web/components/text.js';
import type { Frame } from '../../../web/frame.js';
import { type AreaView, operationPath } from '../../areas.js';
import { docsPage, type NavigationParts } from '../docs-page.js';
import { Console } from './console.js';
import { headerGroups } from './header-groups.js';
import { MemberList } from './member-list.js';
import { memberOfField, membersOf, wholeText } from './members.js';
import { samplesOf } from './samples.js';

interface Props {
  readonly frame: Frame;
  readonly area: AreaView;
  readonly operation: Operation;
}

const Fields = ({ title, fields }: { readonly title: string; readonly fields: readonly Field[] }) =>
  fields.length === 0 ? null : (
    <>
      <h2>{title}</h2>
      <MemberList members={fields.map(memberOfField)} />
    </>
  );

const Headers = ({ operation }: Pick<Props, 'operation'>) => {
  const groups = headerGroups(operation);
  const required = operation.headers.filter((field) => field.required);
  if (operation.headers.length === 0) return null;
  return (
    <>
      <h2>Headers</h2>
      <MemberList members={required.map(memberOfField)} />
      {groups.map(({ title, purpose, fields }) => (
        <details key={title} class="more">
          <summary>
            {fields.length === 1 ? '1 header' : `${fields.length} headers`}, {title}
          </summary>
          <div>
            {purpose !== undefined && <p>{purpose}</p>}
            <MemberList members={fields.map(memberOfField)} />
          </div>
        </details>
      ))}
    </>
  );
};

const Body = ({ title, schema }: { readonly title: string; readonly schema: object }) => {
  const whole = wholeText(schema);
  return (
    <>
      <h2>{title}</h2>
      {whole && (
        <p>
          <Prose text={whole} />
        </p>
      )}
      <MemberList members={membersOf(schema)} />
    </>
  );
};

const Answers = ({ operation }: Pick<Props, 'operation'>) => {
  const { success, others = {}, otherMedia = [] } = operation;
  const media = otherMedia.length > 0 ? ` Also as \`${otherMedia.join('`, `')}\`, if Accept prefers it.` : '';
  const answers = [[success.status, `${success.description}${media}`], ...Object.entries(others)] as const;
  return (
    <>
      <h2>Answer</h2>
      {answers.map(([status, text]) => (
        <p key={status}>
          <strong>
            {status} {STATUS_CODES[Number(status)]}.
          </strong>{' '}
          <Prose text={text} />
        </p>
      ))}
      {success.schema && <Body title="Answer body" schema={success.schema} />}
    </>
  );
};

const Text = ({ frame, area, operation }: Props) => {
  const { summary, method, path, description, params, query, body, isBodyOptional } = operation;
  return (
    <>
      <nav class="trail" aria-label="Area">
        <a href={frame.href(area.path)}>{area.title}</a>
      </nav>
      <h1>{summary}</h1>
      <p class="endpoint">
        <MethodBadge method={method} />
        <code>{templatePath(path)}</code>
      </p>
      <p>
        <Prose text={description} />
      </p>
      {area.demand !== undefined && (
        <p>
          <strong>Credentials.</strong> <Prose text={area.demand} />
        </p>
      )}
      <p class="small quiet">
        Operation id: <code>{operation.id}</code>
      </p>
      <Fields title="Path parameters" fields={params.map((field) => ({ ...field, required: true }))} />
      <Fields title="Query parameters" fields={query} />
      <Headers operation={operation} />
      {body && <Body title={`Request body${isBodyOptional ? ', may be left out' : ''}`} schema={body} />}
      <Answers operation={operation} />
    </>
  );
};

/** One of three languages is shown; a radio button of each chooses, so no script is needed. */
const Samples = ({ frame, area, operation }: Props) => (
  <>
    <fieldset class="samples">
      <legend class="unseen">Language of the example request</legend>
      {samplesOf(operation, frame.baseUrl).map(({ id, name, code }, index) => (
        <>
          <input class="unseen" type="radio" name="sample" id={`in-${id}`} checked={index === 0} />
          <label for={`in-${id}`}>{name}</label>
          <CodeBlock name={`Example request: ${name}`} code={code} />
        </>
      ))}
    </fieldset>
    <p class="small">
      The variables are those of <a href={frame.href(`${area.path}#preparation`)}>the prepared terminal</a>.
    </p>
  </>
);

const SCENARIO = 'Sandbox-Scenario';

const Refusal = ({
  frame,
  operation,
  slug,
}: Pick<Props, 'frame' | 'operation'> & { readonly slug: ProblemSlug }) => {
  const { status, title, remedy } = problems[slug];
  return (
    <details class="more">
      <summary>
        {status} {title}
      </summary>
      <div class="stack">
        <p>
          {remedy} <a href={frame.href(`/problems/${slug}`)}>More about {slug}</a>
        </p>
        <CodeBlock
          name={`${status} ${STATUS_CODES[status]}`}
          code={jsonText(problemExample(slug, frame.baseUrl))}
        />
        {operation.headers.some(({ name }) => name === SCENARIO) && (
          <CodeBlock name="Header that brings it about" code={`${SCENARIO}: ${slug}`} />
        )}
      </div>
    </details>
  );
};

/** Examples speak of a bank that everybody knows; the page of this one. */
const EXAMPLE_BANK = 'https://bank.example';

const Code = (props: Props) => {
  const { frame, operation } = props;
  const { status, example } = operation.success;
  const answer = `${status} ${STATUS_CODES[status]}`;
  return (
    <>
      <h2>Example request</h2>
      <Samples {...props} />
      <Console {...props} />
      <h2>Example answer</h2>
      <CodeBlock
        name={answer}
        code={
          example === undefined
            ? `HTTP/1.1 ${answer}`
            : jsonText(example).replaceAll(EXAMPLE_BANK, frame.baseUrl)
        }
      />
      <h2>Refusals</h2>
      <div class="refusals">
        {likelyProblems(operation).map((slug) => (
          <Refusal key={slug} frame={frame} operation={operation} slug={slug} />
        ))}
      </div>
      {frame.additions?.scenarios !== undefined && (
        <p class="small">
          Each of them can be had on demand, and so can a late core, a lost answer and every status of an
          order: <a href={frame.href(frame.additions.scenarios.path)}>all scenarios</a>.
        </p>
      )}
    </>
  );
};

export const operationPage = (props: Props & NavigationParts): ShellProps => {
  const { frame, area, operation } = props;
  return docsPage(props, {
    title: operation.summary,
    description: `${operation.method} ${templatePath(operation.path)}: ${operation.description}`,
    path: operationPath(area, operation),
    hasConsole: true,
    text: <Text frame={frame} area={area} operation={operation} />,
    code: <Code frame={frame} area={area} operation={operation} />,
  });
};
