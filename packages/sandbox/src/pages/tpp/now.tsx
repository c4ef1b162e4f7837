/** What can be done now: one big button, or the calls of a third party that is allowed to make them. */
import { type Frame, MarkedText } from 'trapeza/pages';
import { actionPath, START, WALKS } from './places.js';
import type { ButtonView, FieldView, GroupView, WalkView } from './view.js';

const TextField = ({ id, field }: { readonly id: string; readonly field: FieldView }) => (
  <div class="field">
    <label for={id}>{field.label}</label>
    {field.hint !== undefined && (
      <p class="hint" id={`${id}-hint`}>
        {field.hint}
      </p>
    )}
    <input
      id={id}
      name={field.name}
      value={field.values[0] ?? ''}
      maxlength={200}
      autocomplete="off"
      aria-describedby={field.hint === undefined ? undefined : `${id}-hint`}
    />
  </div>
);

const ChoiceField = ({ id, field }: { readonly id: string; readonly field: FieldView }) => (
  <fieldset class="field wide">
    <legend>{field.label}</legend>
    <div class="choices">
      {field.choices.map(({ value, label }) => (
        <label class="choice" key={value} for={`${id}-${value}`}>
          <input
            type="checkbox"
            id={`${id}-${value}`}
            name={field.name}
            value={value}
            checked={field.values.includes(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </div>
  </fieldset>
);

const looks = { big: 'button big', first: 'button', other: 'button second' } as const;

interface ActionProps {
  readonly frame: Frame;
  readonly walkId: string;
  readonly button: ButtonView;
  readonly look: keyof typeof looks;
}

const Action = ({ frame, walkId, button, look }: ActionProps) => (
  <form class="action" method="post" action={frame.href(actionPath(walkId, button.id))}>
    {button.words !== undefined && <p>{button.words}</p>}
    {button.fields.length > 0 && (
      <div class="walk-fields">
        {button.fields.map((field) => {
          const id = `${button.id}-${field.name}`;
          return field.choices.length > 0 ? (
            <ChoiceField key={id} id={id} field={field} />
          ) : (
            <TextField key={id} id={id} field={field} />
          );
        })}
      </div>
    )}
    <button type="submit" class={looks[look]}>
      {button.label}
    </button>
  </form>
);

interface GroupProps {
  readonly frame: Frame;
  readonly walkId: string;
  readonly group: GroupView;
}

const Group = ({ frame, walkId, group }: GroupProps) => {
  const isBare = group.buttons.every(({ words, fields }) => words === undefined && fields.length === 0);
  return (
    <section class="group">
      <h3>{group.heading}</h3>
      <p class="quiet">{group.words}</p>
      <div class={isBare ? 'actions' : 'calls'}>
        {group.link && (
          <a class="button second" href={frame.href(group.link.path)}>
            {group.link.label}
          </a>
        )}
        {group.buttons.map((button) => (
          <Action
            key={button.id}
            frame={frame}
            walkId={walkId}
            button={button}
            look={button.id === group.primary ? 'first' : 'other'}
          />
        ))}
      </div>
    </section>
  );
};

const Person = ({ person }: Pick<WalkView, 'person'>) => (
  <p class="person">
    Log in as <strong>{person.username}</strong> with the password <strong>{person.password}</strong> (
    <MarkedText text={person.name} />
    ). The bank’s page shows the one-time code on a demo phone.
  </p>
);

const Again = ({ frame, view }: { readonly frame: Frame; readonly view: WalkView }) => (
  <form class="group actions" method="post" action={frame.href(WALKS)}>
    <input type="hidden" name="flow" value={view.flow} />
    <button type="submit" class="button" name="way" value={view.wayId}>
      Begin again
    </button>
    <a class="button second" href={frame.href(START)}>
      Choose another flow
    </a>
  </form>
);

export const Now = ({ frame, view }: { readonly frame: Frame; readonly view: WalkView }) => {
  const { now } = view;
  return (
    <section class="card now-card" aria-labelledby="now">
      <h2 id="now">{now.heading}</h2>
      <p>{now.words}</p>
      {now.isAtBank && <Person person={view.person} />}
      {now.buttons.map((button) => (
        <Action key={button.id} frame={frame} walkId={view.id} button={button} look="big" />
      ))}
      {now.groups.map((group) => (
        <Group key={group.heading} frame={frame} walkId={view.id} group={group} />
      ))}
      {now.isOver && <Again frame={frame} view={view} />}
      <p class="next">
        <strong>What happens next:</strong> {now.next}
      </p>
    </section>
  );
};
