/** One operation of the reference: address, fields, bodies, examples and answers. */
import { STATUS_CODES } from 'node:http';
import { templatePath } from '../../http/openapi.js';
import { errorStatuses, type Field, type Operation } from '../../http/operation.js';
import { MethodBadge } from '../components/badge.js';
import { CodeBlock, jsonText } from '../components/code-block.js';
import { Records } from '../components/records.js';
import { Prose } from '../components/text.js';
import type { Frame } from '../frame.js';
import { curlCommand } from './curl.js';
import { FieldTable, MemberTable } from './tables.js';

interface Props {
  readonly frame: Frame;
  readonly operation: Operation;
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
  const caption = (words: string) => `${words} of ${of.summary}`;
  const required = fields.filter((field) => field.required);
  const optional = fields.filter((field) => !field.required);
  if (optional.length <= FEW || required.length === 0) {
    return (
      <>
        <h4>{title}</h4>
        <FieldTable caption={caption(title)} fields={[...required, ...optional]} />
      </>
    );
  }
  return (
    <>
      <h4>{title}</h4>
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

const Request = ({ frame, operation }: Props) => {
  const { params, query, headers, body, isBodyOptional } = operation;
  return (
    <>
      <Fields
        title="Path parameters"
        of={operation}
        fields={params.map((field) => ({ ...field, required: true }))}
      />
      <Fields title="Query parameters" of={operation} fields={query} />
      <Fields title="Request headers" of={operation} fields={headers} />
      {body && (
        <>
          <h4>Request body{isBodyOptional ? ', may be left out' : ''}</h4>
          <MemberTable caption={`Request body of ${operation.summary}`} schema={body} />
        </>
      )}
      <CodeBlock name="Example request" code={curlCommand(operation, frame.baseUrl)} />
    </>
  );
};

const Answers = ({ frame, operation }: Props) => {
  const { success, others = {}, summary } = operation;
  const good = [{ status: String(success.status), words: success.description }].concat(
    Object.entries(others).map(([status, words]) => ({ status, words })),
  );
  return (
    <>
      <h4>Answers</h4>
      <Records
        caption={`Answers of ${summary}`}
        shape="pairs"
        columns={['Status', 'Meaning']}
        rows={good.map(({ status, words }) => ({
          key: status,
          cells: [`${status} ${STATUS_CODES[Number(status)] ?? ''}`, words],
        }))}
      />
      {success.schema && (
        <>
          <h4>Answer body</h4>
          <MemberTable caption={`Answer body of ${summary}`} schema={success.schema} />
        </>
      )}
      {success.example !== undefined && <CodeBlock name="Example answer" code={jsonText(success.example)} />}
      <h4>Errors</h4>
      <ul class="statuses">
        {errorStatuses.map((status) => (
          <li key={status}>
            <a href={frame.href(`/problems#status-${status}`)} title={STATUS_CODES[status]}>
              {status}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
};

export const OperationSection = ({ frame, operation }: Props) => (
  <section class="operation" id={operation.id} aria-labelledby={`${operation.id}-title`}>
    <h3 id={`${operation.id}-title`}>{operation.summary}</h3>
    <p class="endpoint">
      <MethodBadge method={operation.method} />
      <code>{templatePath(operation.path)}</code>
    </p>
    <p>
      <Prose text={operation.description} />
    </p>
    <Request frame={frame} operation={operation} />
    <Answers frame={frame} operation={operation} />
  </section>
);
