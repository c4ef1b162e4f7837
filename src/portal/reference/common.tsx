/** What the operations of an area share, once on its page: headers and errors. */
import { STATUS_CODES } from 'node:http';
import { errorStatuses } from '../../http/operation.js';
import { slugsOf } from '../../http/problem-schema.js';
import { problems } from '../../problem/problem.js';
import { Records } from '../../web/components/records.js';
import type { Frame } from '../../web/frame.js';
import type { HeaderGroup } from './common-headers.js';
import { FieldTable } from './tables.js';

const Group = ({ group }: { readonly group: HeaderGroup }) => {
  const { id, title, purpose, fields } = group;
  const table = <FieldTable caption={`Headers: ${title}`} fields={fields} />;
  return (
    <>
      <h3 id={id}>{title}</h3>
      <p>{purpose}</p>
      {fields.some(({ required }) => required) ? (
        table
      ) : (
        <details class="more">
          <summary>{fields.length} optional headers</summary>
          {table}
        </details>
      )}
    </>
  );
};

export const CommonHeaders = ({ groups }: { readonly groups: readonly HeaderGroup[] }) => (
  <section class="common stack" id="headers" aria-labelledby="headers-title">
    <h2 id="headers-title">Common headers</h2>
    {groups.map((group) => (
      <Group key={group.id} group={group} />
    ))}
  </section>
);

export const Errors = ({ frame }: { readonly frame: Frame }) => (
  <section class="common stack" id="errors" aria-labelledby="errors-title">
    <h2 id="errors-title">Errors</h2>
    <p>Every call may be answered with one of these. A status leads to its problems and what to do.</p>
    <Records
      caption="Errors by status"
      shape="pairs"
      columns={['Status', 'Problems']}
      rows={errorStatuses.map((status) => ({
        key: String(status),
        cells: [
          <a key="status" href={frame.href(`/problems#status-${status}`)}>
            {status} {STATUS_CODES[status]}
          </a>,
          slugsOf(status)
            .map((slug) => problems[slug].title)
            .join(', '),
        ],
      }))}
    />
  </section>
);
