/** The one-time code: the field, and in the sandbox a little phone that shows the code a real bank would send. */
import type { ComponentChildren } from 'preact';
import { type ErrorLine, errorId, FieldError } from './error-summary.js';

export interface CodeMessages {
  readonly heading: string;
  readonly label: string;
  readonly hint: string;
  readonly phone: string;
  readonly phoneNote: string;
  readonly from: (sender: string) => string;
  readonly sent: string;
}

export interface CodeProps {
  readonly messages: CodeMessages;
  /** Who the message comes from, as the phone shows it. */
  readonly sender: string;
  /** Where the code went. */
  readonly sent: string;
  /** The name and id of the field. */
  readonly field: string;
  readonly value: string;
  readonly errors: readonly ErrorLine[];
  /** Only in the sandbox. */
  readonly demoCode: string | undefined;
  /** It was sent just now: the page goes on at the field. */
  readonly isNew?: boolean | undefined;
  /** What the message on the phone says beside the code. */
  readonly children?: ComponentChildren;
}

/** `123456` as `123 456`: easier to read over and to type. */
const codeText = (code: string): string => code.replace(/^(\d{3})(\d{3})$/, '$1 $2');

const DemoPhone = ({ messages, sender, demoCode, children }: CodeProps & { readonly demoCode: string }) => (
  <section class="phone" aria-labelledby="phone">
    <h3 id="phone">{messages.phone}</h3>
    <div class="message">
      <p class="quiet small">{sender}</p>
      <p>
        {messages.sent} <strong class="demo-code">{codeText(demoCode)}</strong>
      </p>
      {children}
    </div>
    <p class="small">{messages.phoneNote}</p>
  </section>
);

export const OneTimeCode = (props: CodeProps) => {
  const { messages, sender, sent, field, value, errors, demoCode, isNew } = props;
  const isWrong = errors.some((each) => each.field === field);
  return (
    <section class="stack" aria-labelledby="code-heading">
      <h2 id="code-heading">{messages.heading}</h2>
      <div class={demoCode === undefined ? 'code-entry' : 'code-entry with-phone'}>
        {demoCode !== undefined && <DemoPhone {...props} demoCode={demoCode} />}
        <div class={isWrong ? 'field wrong' : 'field'}>
          <label for={field}>{messages.label}</label>
          <p class="hint" id="code-hint">
            {sent} {messages.from(sender)} {messages.hint}
          </p>
          <FieldError field={field} errors={errors} />
          <input
            id={field}
            name={field}
            type="text"
            inputMode="numeric"
            autocomplete="one-time-code"
            maxLength={16}
            spellcheck={false}
            value={value}
            autofocus={isNew}
            aria-invalid={isWrong ? 'true' : undefined}
            aria-describedby={isWrong ? `code-hint ${errorId(field)}` : 'code-hint'}
          />
        </div>
      </div>
    </section>
  );
};
