/** The one-time code of an approval; a payment's is sent with amount and payee beside it. */

import type { AskedConsent } from '../../../consent/decide.js';
import { inFours } from '../../../model/account-reference.js';
import type { ErrorLine } from '../../components/error-summary.js';
import { OneTimeCode } from '../../components/one-time-code.js';
import { paymentOf } from '../asked-for.js';
import { type Entered, fields } from '../choice.js';
import { amountText, rateText } from '../format.js';
import type { ApprovalWords } from '../words/words.js';

interface CodeProps {
  readonly asked: AskedConsent;
  readonly words: ApprovalWords;
  readonly entered: Entered;
  readonly errors: readonly ErrorLine[];
  /** Only in the sandbox. */
  readonly demoCode: string | undefined;
}

export const CodeSection = ({ asked, words, entered, errors, demoCode }: CodeProps) => {
  const { code, payment: terms, locale } = words;
  const payment = paymentOf(asked);
  return (
    <OneTimeCode words={code} field={fields.code} value={entered.code} errors={errors} demoCode={demoCode}>
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
    </OneTimeCode>
  );
};
