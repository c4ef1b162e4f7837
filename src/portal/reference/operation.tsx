/** One operation of the reference: address, fields, bodies, examples and answers. */
import { STATUS_CODES } from 'node:http';
import { templatePath } from '../../http/openapi.js';
import type { Field, Operation } from '../../http/operation.js';
import { MethodBadge } from '../../web/components/badge.js';
import { CodeBlock, jsonText } from '../../web/components/code-block.js';
import { Records } from '../../web/components/records.js';
import { Prose } from '../../web/components/text.js';
import type { Frame } from '../../web/frame.js';
import { type HeaderGroup, headersOf } from './common-headers.js';
import { curlCommand } from './curl.js';
import { FieldTable, MemberTable } from './tables.js';

interface Props {
  readonly frame: Frame;
  readonly operation: Operation;
  /** The headers that the page describes once. */
  readonly groups: readonly HeaderGroup[];
}

/** So many optional fields would bury the required ones. */
const FEW = 3;

const Fields = ({
  title,
  of,
  fields,
}: {
  readonly title: string;
  readonly of: Operation;
  readonly fields: readonly Field[];
}) => {
  if (fields.length === 0) return null;
  const caption = (text: string) => `${text} of ${of.summary}`;
  const required = fields.filter((field) => field.required);
  const optional = fields.filter((field) => !field.required);
  if (optional.length <= FEW || required.length === 0) {
    return (
      <>
        <h3>{title}</h3>
        <FieldTable caption={caption(title)} fields={[...required, ...optional]} />
      </>
    );
  }
  return (
    <>
      <h3>{title}</h3>
      <FieldTable caption={caption(title)} fields={required} />
      <details class="more">
        <summary>
          {optional.length} optional {title.toLowerCase()}
        </summary>
        <FieldTable caption={caption(`Optional ${title.toLowerCase()}`)} fields={optional} />
      </details>
    </>
  );
};

const Headers = ({ operation, groups }: Omit<Props, 'frame'>) => {
  const { groups: common, own } = headersOf(operation, groups);
  return (
    <>
      <Fields title="Request headers" of={operation} fields={own} />
      {common.length > 0 && (
        <>
          {own.length === 0 && <h3>Request headers</h3>}
          <p class="common-links">
            <span class="quiet">{own.length > 0 ? 'And the common headers:' : 'The common headers:'}</span>
            {common.map(({ id, title }) => (
              <a key={id} href={`#${id}`}>
                {title}
              </a>
            ))}
          </p>
        </>
      )}
    </>
  );
};

const Request = ({ frame, operation, groups }: Props) => {
  const { params, query, body, isBodyOptional } = operation;
  return (
    <>
      <Fields
        title="Path parameters"
        of={operation}
        fields={params.map((field) => ({ ...field, required: true }))}
      />
      <Fields title="Query parameters" of={operation} fields={query} />
      <Headers operation={operation} groups={groups} />
      {body && (
        <>
          <h3>Request body{isBodyOptional ? ', may be left out' : ''}</h3>
          <MemberTable caption={`Request body of ${operation.summary}`} schema={body} />
        </>
      )}
      <CodeBlock name="Example request" code={curlCommand(operation, frame.baseUrl)} />
    </>
  );
};

const Answers = ({ operation }: Pick<Props, 'operation'>) => {
  const { success, others = {}, summary } = operation;
  const good = [{ status: String(success.status), text: success.description }].concat(
    Object.entries(others).map(([status, text]) => ({ status, text })),
  );
  return (
    <>
      <h3>Answers</h3>
      <Records
        caption={`Answers of ${summary}`}
        shape="pairs"
        columns={['Status', 'Meaning']}
        rows={good.map(({ status, text }) => ({
          key: status,
          cells: [`${status} ${STATUS_CODES[Number(status)] ?? ''}`, text],
        }))}
      />
      {success.schema && (
        <>
          <h3>Answer body</h3>
          <MemberTable caption={`Answer body of ${summary}`} schema={success.schema} />
        </>
      )}
      {success.example !== undefined && <CodeBlock name="Example answer" code={jsonText(success.example)} />}
    </>
  );
};

export const OperationSection = ({ frame, operation, groups }: Props) => (
  <section class="operation" id={operation.id} aria-labelledby={`${operation.id}-title`}>
    <h2 id={`${operation.id}-title`}>{operation.summary}</h2>
    <p class="endpoint">
      <MethodBadge method={operation.method} />
      <code>{templatePath(operation.path)}</code>
    </p>
    <p>
      <Prose text={operation.description} />
    </p>
    <Request frame={frame} operation={operation} groups={groups} />
    <Answers operation={operation} />
  </section>
);
