/** The filters of a list: a plain form that asks for the same page again. Closed until it is used. */
import type { ComponentChildren } from 'preact';
import { consentStatuses } from '../../../consent/record.js';
import type { Application } from '../../../consent/watch.js';
import { undisguised } from '../../../lib/format/undisguised.js';
import { type ErrorLine, errorId, FieldError } from '../../../web/components/error-summary.js';
import { type Filter, isNarrowed } from '../filters.js';
import { paymentStates } from '../messages/messages.js';
import type { HolderVisit } from '../parts.js';

/** Payments have a list of their own. */
const permissionKinds = ['AccountAccess', 'ConfirmationOfFunds'] as const;

interface Choice {
  readonly value: string;
  readonly text: string;
}

interface SelectProps {
  readonly visit: HolderVisit;
  readonly filter: Filter;
  readonly name: 'state' | 'kind' | 'paid' | 'app';
  readonly choices: readonly Choice[];
}

const Select = ({ visit, filter, name, choices }: SelectProps) => {
  const { filter: texts } = visit.messages;
  return (
    <div class="field">
      <label for={`filter-${name}`}>{texts[name === 'paid' ? 'state' : name]}</label>
      <select id={`filter-${name}`} name={name}>
        <option value="">{texts.any}</option>
        {choices.map(({ value, text }) => (
          <option key={value} value={value} selected={value === filter[name]}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
};

const choicesOf = <T extends string>(
  values: readonly T[],
  texts: Readonly<Record<T, string>>,
): readonly Choice[] => values.map((value) => ({ value, text: texts[value] }));

interface DateProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly errors: readonly ErrorLine[];
}

const DateField = ({ name, label, value, errors }: DateProps) => {
  const id = `filter-${name}`;
  const isWrong = errors.some(({ field }) => field === id);
  return (
    <div class={isWrong ? 'field wrong' : 'field'}>
      <label for={id}>{label}</label>
      <FieldError field={id} errors={errors} />
      <input
        id={id}
        name={name}
        type="date"
        value={value ?? ''}
        aria-invalid={isWrong ? 'true' : undefined}
        aria-describedby={isWrong ? errorId(id) : undefined}
      />
    </div>
  );
};

export interface FilterProps {
  readonly visit: HolderVisit;
  readonly path: string;
  readonly filter: Filter;
  readonly errors?: readonly ErrorLine[];
  readonly parties: readonly Application[];
}

const appChoices = (applications: readonly Application[]): readonly Choice[] =>
  applications.map(({ clientId, applicationName, tppName }) => ({
    value: clientId,
    text: undisguised(`${applicationName} (${tppName})`),
  }));

const Buttons = ({ visit, path, filter }: Pick<FilterProps, 'visit' | 'path' | 'filter'>) => (
  <div class="actions">
    <button class="button" type="submit">
      {visit.messages.filter.apply}
    </button>
    {isNarrowed(filter) && (
      <a class="button second" href={visit.frame.href(path)}>
        {visit.messages.filter.clear}
      </a>
    )}
  </div>
);

const FilterForm = ({
  visit,
  path,
  filter,
  children,
}: Omit<FilterProps, 'parties' | 'errors'> & { readonly children: ComponentChildren }) => {
  const { frame, messages } = visit;
  return (
    <details class="more filters" open={isNarrowed(filter)}>
      <summary>{messages.filter.heading}</summary>
      <form method="get" action={frame.href(path)}>
        <div class="filter-fields">{children}</div>
        <Buttons visit={visit} path={path} filter={filter} />
      </form>
    </details>
  );
};

type ListFilterProps = FilterProps & { readonly list: 'permissions' | 'payments' };

const SearchField = ({ visit, filter, list }: ListFilterProps) => {
  const { board } = visit.messages;
  return (
    <div class="field search">
      <label for="search">{board.search}</label>
      <p class="hint" id="search-hint">
        {board.searchHints[list]}
      </p>
      <div class="search-line">
        <input
          id="search"
          name="q"
          type="search"
          value={filter.q ?? ''}
          maxLength={100}
          aria-describedby="search-hint"
        />
        <button class="button" type="submit">
          {board.searchFor}
        </button>
      </div>
    </div>
  );
};

const PermissionChoices = ({ visit, filter }: ListFilterProps) => {
  const { statuses, kinds } = visit.messages;
  return (
    <>
      <Select {...{ visit, filter }} name="state" choices={choicesOf(consentStatuses, statuses)} />
      <Select {...{ visit, filter }} name="kind" choices={choicesOf(permissionKinds, kinds)} />
    </>
  );
};

const PaymentChoices = ({ visit, filter, errors = [], parties }: ListFilterProps) => {
  const { filter: texts, board } = visit.messages;
  return (
    <>
      <Select {...{ visit, filter }} name="paid" choices={choicesOf(paymentStates, board.paid)} />
      <Select {...{ visit, filter }} name="app" choices={appChoices(parties)} />
      <DateField name="from" label={texts.from} value={filter.from} errors={errors} />
      <DateField name="to" label={texts.to} value={filter.to} errors={errors} />
    </>
  );
};

/** Search and filters of permissions and payments: one form, so that both count together. */
export const ListFilters = (props: ListFilterProps) => {
  const { visit, path, filter, list } = props;
  const { q: _q, ...chosen } = filter;
  const Choices = list === 'payments' ? PaymentChoices : PermissionChoices;
  return (
    <form class="list-filters" method="get" action={visit.frame.href(path)}>
      <SearchField {...props} />
      <details class="more filters" open={isNarrowed(chosen)}>
        <summary>{visit.messages.filter.heading}</summary>
        <div class="filter-body">
          <div class="filter-fields">
            <Choices {...props} />
          </div>
          <Buttons visit={visit} path={path} filter={filter} />
        </div>
      </details>
    </form>
  );
};

export const UseFilters = ({ visit, path, filter, errors = [], parties }: FilterProps) => {
  const { filter: texts } = visit.messages;
  return (
    <FilterForm {...{ visit, path, filter }}>
      <DateField name="from" label={texts.from} value={filter.from} errors={errors} />
      <DateField name="to" label={texts.to} value={filter.to} errors={errors} />
      <Select {...{ visit, filter }} name="app" choices={appChoices(parties)} />
      {filter.permission !== undefined && (
        <>
          <input type="hidden" name="permission" value={filter.permission} />
          <p class="quiet">{texts.ofPermission}</p>
        </>
      )}
    </FilterForm>
  );
};
