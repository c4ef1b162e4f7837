/** The one-time code: the field, and in the sandbox a little phone that shows what a real bank would send elsewhere. */
import type { AskedConsent } from '../../../consent/decide.js';
import { type ErrorLine, errorId, FieldError } from '../../components/error-summary.js';
import { paymentOf } from '../asked-for.js';
import { type Entered, fields } from '../choice.js';
import { amountText, codeText, inFours, rateText } from '../format.js';
import type { ApprovalWords } from '../words/words.js';

interface CodeProps {
  readonly asked: AskedConsent;
  readonly words: ApprovalWords;
  readonly entered: Entered;
  readonly errors: readonly ErrorLine[];
  /** Only in the sandbox. */
  readonly demoCode: string | undefined;
}

const DemoPhone = ({
  asked,
  words,
  demoCode,
}: Omit<CodeProps, 'demoCode'> & { readonly demoCode: string }) => {
  const { code, payment: terms, locale } = words;
  const payment = paymentOf(asked);
  return (
    <aside class="phone" aria-labelledby="phone">
      <h3 id="phone">{code.phone}</h3>
      <div class="message">
        <p class="quiet small">{code.from}</p>
        <p>
          {code.sent} <strong class="demo-code">{codeText(demoCode)}</strong>
        </p>
        {payment && (
          <p>
            {code.sentFor} <strong class="block">{amountText(payment.amount, locale)}</strong>
            {payment.conversion && (
              <span class="block">
                {rateText(
                  payment.amount.currency,
                  payment.conversion.pay.currency,
                  payment.conversion.rate,
                  locale,
                )}
              </span>
            )}
            <span class="block">
              {terms.payee} <strong>{payment.payee}</strong>
            </span>
            <span class="number">{inFours(payment.payeeAccount)}</span>
          </p>
        )}
      </div>
      <p class="small">{code.phoneNote}</p>
    </aside>
  );
};

export const CodeSection = (props: CodeProps) => {
  const { words, entered, errors, demoCode } = props;
  const { code } = words;
  const isWrong = errors.some(({ field }) => field === fields.code);
  return (
    <section class="stack" aria-labelledby="code-heading">
      <h2 id="code-heading">{code.heading}</h2>
      <div class={demoCode === undefined ? 'code-entry' : 'code-entry with-phone'}>
        {demoCode !== undefined && <DemoPhone {...props} demoCode={demoCode} />}
        <div class={isWrong ? 'field wrong' : 'field'}>
          <label for={fields.code}>{code.label}</label>
          <p class="hint" id="code-hint">
            {code.hint}
          </p>
          <FieldError field={fields.code} errors={errors} />
          <input
            id={fields.code}
            name={fields.code}
            type="text"
            inputMode="numeric"
            autocomplete="one-time-code"
            maxLength={16}
            spellcheck={false}
            value={entered.code}
            aria-invalid={isWrong ? 'true' : undefined}
            aria-describedby={isWrong ? `code-hint ${errorId(fields.code)}` : 'code-hint'}
          />
        </div>
      </div>
    </section>
  );
};
