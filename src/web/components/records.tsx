/** A table of records; on a phone each record is a card, which is why every cell knows the name of its column. */
import type { ComponentChildren } from 'preact';

export interface RecordRow {
  readonly key: string;
  /** One for each column; the first names the record. */
  readonly cells: readonly ComponentChildren[];
}

export interface RecordsProps {
  /** Read out before the table; the heading above says it to the eye. */
  readonly caption: string;
  /** How the width is shared among the columns. */
  readonly shape:
    | 'equal'
    | 'pairs'
    | 'problems'
    | 'funds'
    | 'accesses'
    | 'people'
    | 'consents'
    | 'deliveries'
    | 'settings'
    | 'certificates';
  readonly columns: readonly string[];
  readonly rows: readonly RecordRow[];
}

export const Records = ({ caption, shape, columns, rows }: RecordsProps) => (
  <table class={`records ${shape}`}>
    <caption class="unseen">{caption}</caption>
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ key, cells: [name, ...rest] }) => (
        <tr key={key}>
          <th scope="row">{name}</th>
          {rest.map((cell, index) => (
            <td key={columns[index + 1]} data-label={columns[index + 1]}>
              {/* On a phone the cell is a grid, in which a text is one item and other content is not. */}
              {typeof cell === 'string' ? cell : <div>{cell}</div>}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
