/** The parts of forms: posted with their token, a field with what is wrong beside it, the button. */
import type { ComponentChildren } from 'preact';
import { formAction } from '../form-token.js';
import { type ErrorLine, errorId, FieldError } from './error-summary.js';

/** A form that was refused: what is wrong, and what was typed. */
export interface Refusal {
  readonly errors: readonly ErrorLine[];
  readonly values: Readonly<Record<string, string | undefined>>;
}

export const noRefusal: Refusal = { errors: [], values: {} };

export const PostForm = ({
  action,
  token,
  hidden = {},
  isUpload = false,
  children,
}: {
  /** With the prefix of the service. */
  readonly action: string;
  readonly token: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly isUpload?: boolean;
  readonly children: ComponentChildren;
}) => (
  <form
    class="stack"
    method="post"
    action={formAction(action, token)}
    enctype={isUpload ? 'multipart/form-data' : undefined}
  >
    {Object.entries(hidden).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    {children}
  </form>
);

export const Submit = ({
  text,
  isSecond = false,
}: {
  readonly text: string;
  readonly isSecond?: boolean;
}) => (
  <div class="actions">
    <button class={isSecond ? 'button second' : 'button'} type="submit">
      {text}
    </button>
  </div>
);

export interface FieldProps {
  readonly field: string;
  /** The id, if the field stands on its page more than once. */
  readonly id?: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: string;
  readonly refusal: Refusal;
  readonly isUrl?: boolean;
  readonly isPassword?: 'current-password' | 'new-password';
  readonly isCode?: boolean;
  /** A date and a time of day, or several lines; one line if absent. */
  readonly kind?: 'moment' | 'text';
}

/** A field for text, with what is wrong beside it and what was typed in it. */
export const TextField = ({
  field,
  id = field,
  label,
  hint,
  value,
  refusal,
  isUrl = false,
  isPassword,
  isCode = false,
  kind,
}: FieldProps) => {
  const isWrong = refusal.errors.some((each) => each.field === id);
  const notes = [...(hint === undefined ? [] : [`${id}-hint`]), ...(isWrong ? [errorId(id)] : [])];
  const shared = {
    id,
    name: field,
    spellcheck: false,
    maxLength: 2048,
    value: isWrong && !isPassword ? (refusal.values[field] ?? value) : value,
    'aria-invalid': isWrong ? 'true' : undefined,
    'aria-describedby': notes.length > 0 ? notes.join(' ') : undefined,
  } as const;
  return (
    <div class={isWrong ? 'field wrong' : 'field'}>
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldError field={id} errors={refusal.errors} />
      {kind === 'text' ? (
        <textarea {...shared} rows={3} />
      ) : (
        <input
          {...shared}
          type={kind === 'moment' ? 'datetime-local' : isPassword ? 'password' : 'text'}
          inputMode={isUrl ? 'url' : isCode ? 'numeric' : 'text'}
          autocomplete={isPassword ?? (isCode ? 'one-time-code' : 'off')}
        />
      )}
    </div>
  );
};

/** The sections of an area; one of them is the present one. */
export const Tabs = ({
  label,
  tabs,
  current,
}: {
  readonly label: string;
  /** Addresses with the prefix of the service. */
  readonly tabs: readonly { readonly href: string; readonly name: string }[];
  readonly current: string;
}) => (
  <nav class="tabs" aria-label={label}>
    <ul>
      {tabs.map(({ href, name }) => (
        <li key={href}>
          <a href={href} aria-current={href === current ? 'page' : undefined}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
