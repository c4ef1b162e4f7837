/** What is wrong with a form, at its top, each line leading to its field. It has the focus as soon as the page is there, and needs no script for that. */
export interface ErrorLine {
  /** The id of the field. */
  readonly field: string;
  readonly text: string;
}

export const errorId = (field: string): string => `${field}-error`;

/** For a field that has no text of its own beside it. */
export const summaryId = (field: string): string => `${field}-summary`;

export const ErrorSummary = ({
  heading,
  errors,
}: {
  readonly heading: string;
  readonly errors: readonly ErrorLine[];
}) =>
  errors.length === 0 ? null : (
    <section
      class="callout bad error-summary"
      role="alert"
      aria-labelledby="error-heading"
      tabIndex={-1}
      autofocus
    >
      <h2 id="error-heading">{heading}</h2>
      <ul class="plain">
        {errors.map(({ field, text }) => (
          <li key={field}>
            <a id={summaryId(field)} href={`#${field}`}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );

/** The same text beside the field, for who has scrolled past the summary. */
export const FieldError = ({
  field,
  errors,
}: {
  readonly field: string;
  readonly errors: readonly ErrorLine[];
}) => {
  const error = errors.find((each) => each.field === field);
  return error ? (
    <p class="field-error" id={errorId(field)}>
      <span aria-hidden="true">✕ </span>
      {error.text}
    </p>
  ) : null;
};
