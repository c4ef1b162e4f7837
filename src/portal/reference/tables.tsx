/** Tables of the reference: request fields and the members of a body. */
import type { Field } from '../../http/operation.js';
import { Records } from '../../web/components/records.js';
import { MarkedText, Prose } from '../../web/components/text.js';
import { type Member, membersOf, rulesOf, typeText, valuesOf, wholeText } from './members.js';

const MANY_VALUES = 8;

const Values = ({ values }: { readonly values: readonly string[] }) => {
  const list = <MarkedText text={values.join(', ')} />;
  if (values.length <= MANY_VALUES) return <p class="small quiet">One of {list}</p>;
  return (
    <details class="values small quiet">
      <summary>One of {values.length} values</summary>
      <p>{list}</p>
    </details>
  );
};

type Meaning = Pick<Member, 'description' | 'rules' | 'values' | 'pattern'>;

const MeaningCell = ({ description, rules, values, pattern }: Meaning) => (
  <>
    {description !== undefined && (
      <p>
        <Prose text={description} />
      </p>
    )}
    {rules.length > 0 && <p class="small quiet">Rule: {rules.join('; ')}</p>}
    {pattern !== undefined && (
      <p class="small quiet">
        Pattern: <code>{pattern}</code>
      </p>
    )}
    {values.length > 0 && <Values values={values} />}
  </>
);

const columns = ['Name', 'Type', 'Required', 'Meaning'] as const;

export const FieldTable = ({
  caption,
  fields,
}: {
  readonly caption: string;
  readonly fields: readonly Field[];
}) => (
  <Records
    caption={caption}
    shape="fields"
    columns={columns}
    rows={fields.map(({ name, schema, required, description }) => ({
      key: name,
      cells: [
        <code key="name">{name}</code>,
        typeText(schema),
        required ? 'Yes' : 'No',
        <MeaningCell
          key="meaning"
          description={description}
          rules={rulesOf(schema)}
          values={valuesOf(schema)}
          pattern={undefined}
        />,
      ],
    }))}
  />
);

export const MemberTable = ({ caption, schema }: { readonly caption: string; readonly schema: object }) => {
  const whole = wholeText(schema);
  return (
    <>
      {whole && (
        <p>
          <Prose text={whole} />
        </p>
      )}
      <Records
        caption={caption}
        shape="fields"
        columns={columns}
        rows={membersOf(schema).map((member) => ({
          key: `${member.holder}${member.name}`,
          cells: [
            <code key="name">
              {member.holder && (
                <>
                  <span class="holder">{member.holder}</span>
                  <wbr />
                </>
              )}
              {member.name}
            </code>,
            member.type,
            member.isRequired ? 'Yes' : 'No',
            <MeaningCell key="meaning" {...member} />,
          ],
        }))}
      />
    </>
  );
};
