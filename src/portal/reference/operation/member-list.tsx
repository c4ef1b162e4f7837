/** Fields of a request and members of a body. What lies deeper than the first level is folded. */
import { MarkedText, Prose } from '../../../web/components/text.js';
import type { Member } from './members.js';

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

const MemberItem = ({ member }: { readonly member: Member }) => {
  const { name, type, isRequired, description, rules, pattern, values, members } = member;
  return (
    <li>
      <p class="member-name">
        <code>{name}</code> <span class="quiet small">{type}</span>{' '}
        {isRequired && <strong class="small">required</strong>}
      </p>
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
      {members.length > 0 && (
        <details class="more">
          <summary>
            {members.length === 1 ? '1 member' : `${members.length} members`} of {name}
          </summary>
          <MemberList members={members} />
        </details>
      )}
    </li>
  );
};

export const MemberList = ({ members }: { readonly members: readonly Member[] }) => (
  <ul class="members">
    {members.map((member) => (
      <MemberItem key={member.name} member={member} />
    ))}
  </ul>
);
