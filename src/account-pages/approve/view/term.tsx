/** The last day: shown, or for funds confirmations chosen by the account holder. */
import type { AskedConsent } from '../../../consent/asked.js';
import { choosesTerm } from '../../../consent/decide.js';
import { type ErrorLine, errorId, FieldError } from '../../../web/components/error-summary.js';
import { accountAccessOf, paymentOf } from '../asked-for.js';
import { type Calendar, type Entered, fields } from '../choice.js';
import { dateText, lastDay } from '../format.js';
import type { ApprovalMessages } from '../messages/messages.js';

interface TermProps {
  readonly asked: AskedConsent;
  readonly messages: ApprovalMessages;
  readonly entered: Entered;
  readonly errors: readonly ErrorLine[];
  readonly calendar: Calendar;
}

const shownTerm = ({ asked, messages: { term, locale }, calendar: { timeZone } }: TermProps): string => {
  const payment = paymentOf(asked);
  if (payment) return payment.notes.cutOff == null ? `${term.payment} ${term.paymentWithin}` : term.payment;
  const untilDay =
    asked.kind === 'AccountAccess' && accountAccessOf(asked).timesPerDay === undefined
      ? term.onceUntil
      : term.until;
  const until =
    asked.expiresAt === null ? term.open : untilDay(dateText(lastDay(asked.expiresAt, timeZone), locale));
  return `${until} ${term.withdraw}`;
};

const DateChoice = ({ messages: { term }, entered, errors, calendar }: TermProps) => {
  const isWrong = errors.some(({ field }) => field === fields.date);
  return (
    <div class="term-date">
      <label class="choice" for={fields.term}>
        <input
          type="radio"
          id={fields.term}
          name={fields.term}
          value="date"
          checked={entered.term === 'date'}
        />
        <span>{term.untilDate}</span>
      </label>
      <div class={isWrong ? 'field inset wrong' : 'field inset'}>
        <label for={fields.date}>{term.date}</label>
        <p class="hint" id="date-hint">
          {term.dateHint}
        </p>
        <FieldError field={fields.date} errors={errors} />
        <input
          id={fields.date}
          name={fields.date}
          type="date"
          min={calendar.today}
          max={calendar.latest}
          value={entered.date}
          aria-invalid={isWrong ? 'true' : undefined}
          aria-describedby={isWrong ? `date-hint ${errorId(fields.date)}` : 'date-hint'}
        />
      </div>
    </div>
  );
};

const ChosenTerm = (props: TermProps) => {
  const { asked, messages, entered, errors, calendar } = props;
  const { term, locale } = messages;
  const proposal =
    asked.expiresAt === null
      ? term.notProposed
      : term.proposed(dateText(lastDay(asked.expiresAt, calendar.timeZone), locale));
  const isWrong = errors.some(({ field }) => field === fields.term);
  return (
    <fieldset
      class={isWrong ? 'wrong' : undefined}
      aria-describedby={isWrong ? `term-hint ${errorId(fields.term)}` : 'term-hint'}
    >
      <legend>
        <h2>{term.heading}</h2>
      </legend>
      <p class="hint" id="term-hint">
        {proposal} {term.withdraw}
      </p>
      <FieldError field={fields.term} errors={errors} />
      <DateChoice {...props} />
      <label class="choice" for="term-open">
        <input
          type="radio"
          id="term-open"
          name={fields.term}
          value="open"
          checked={entered.term === 'open'}
        />
        <span>{term.openEnded}</span>
      </label>
    </fieldset>
  );
};

export const Term = (props: TermProps) =>
  choosesTerm(props.asked) ? (
    <ChosenTerm {...props} />
  ) : (
    <section class="stack" aria-labelledby="term-heading">
      <h2 id="term-heading">{props.messages.term.heading}</h2>
      <p>{shownTerm(props)}</p>
    </section>
  );
