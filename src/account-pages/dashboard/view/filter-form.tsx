/** The filters of a list: a plain form that asks for the same page again. Closed until it is used. */
import type { ComponentChildren } from 'preact';
import { type ConsentKind, consentKinds, consentStatuses } from '../../../consent/record.js';
import type { Application } from '../../../consent/watch.js';
import { undisguised } from '../../../lib/format/undisguised.js';
import { type Filter, isNarrowed } from '../filters.js';
import type { HolderVisit } from '../parts.js';

interface Choice {
  readonly value: string;
  readonly text: string;
}

interface SelectProps {
  readonly name: string;
  readonly label: string;
  readonly any: string;
  readonly chosen: string | undefined;
  readonly choices: readonly Choice[];
}

const Select = ({ name, label, any, chosen, choices }: SelectProps) => (
  <div class="field">
    <label for={`filter-${name}`}>{label}</label>
    <select id={`filter-${name}`} name={name}>
      <option value="">{any}</option>
      {choices.map(({ value, text }) => (
        <option key={value} value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  </div>
);

const DateField = ({
  name,
  label,
  value,
}: Readonly<Record<'name' | 'label', string>> & { value?: string | undefined }) => (
  <div class="field">
    <label for={`filter-${name}`}>{label}</label>
    <input id={`filter-${name}`} name={name} type="date" value={value ?? ''} />
  </div>
);

interface FilterProps {
  readonly visit: HolderVisit;
  readonly path: string;
  readonly filter: Filter;
  readonly applications: readonly Application[];
}

const appChoices = (applications: readonly Application[]): readonly Choice[] =>
  applications.map(({ clientId, applicationName, tppName }) => ({
    value: clientId,
    text: undisguised(`${applicationName} (${tppName})`),
  }));

const FilterForm = ({
  visit,
  path,
  filter,
  children,
}: Omit<FilterProps, 'applications'> & { readonly children: ComponentChildren }) => {
  const { frame, messages } = visit;
  return (
    <details class="more filters" open={isNarrowed(filter)}>
      <summary>{messages.filter.heading}</summary>
      <form method="get" action={frame.href(path)}>
        <div class="filter-fields">{children}</div>
        <div class="actions">
          <button class="button" type="submit">
            {messages.filter.apply}
          </button>
          {isNarrowed(filter) && (
            <a class="button second" href={frame.href(path)}>
              {messages.filter.clear}
            </a>
          )}
        </div>
      </form>
    </details>
  );
};

export const PermissionFilters = ({ visit, path, filter, applications }: FilterProps) => {
  const { filter: texts, statuses, kinds } = visit.messages;
  return (
    <FilterForm {...{ visit, path, filter }}>
      <Select
        name="state"
        label={texts.state}
        any={texts.any}
        chosen={filter.state}
        choices={consentStatuses.map((value) => ({ value, text: statuses[value] }))}
      />
      <Select
        name="kind"
        label={texts.kind}
        any={texts.any}
        chosen={filter.kind}
        choices={consentKinds.map((value: ConsentKind) => ({ value, text: kinds[value] }))}
      />
      <Select
        name="app"
        label={texts.app}
        any={texts.any}
        chosen={filter.app}
        choices={appChoices(applications)}
      />
    </FilterForm>
  );
};

export const UseFilters = ({ visit, path, filter, applications }: FilterProps) => {
  const { filter: texts } = visit.messages;
  return (
    <FilterForm {...{ visit, path, filter }}>
      <DateField name="from" label={texts.from} value={filter.from} />
      <DateField name="to" label={texts.to} value={filter.to} />
      <Select
        name="app"
        label={texts.app}
        any={texts.any}
        chosen={filter.app}
        choices={appChoices(applications)}
      />
      {filter.permission !== undefined && (
        <>
          <input type="hidden" name="permission" value={filter.permission} />
          <p class="quiet">{texts.ofPermission}</p>
        </>
      )}
    </FilterForm>
  );
};
