/** The account picker: cards with name, number in groups of four, and balance. Several by checkboxes, one by radio buttons. */
import { MANY_ACCOUNTS } from '../../../bank/bank.js';
import { inFours } from '../../../model/account-reference.js';
import { Callout } from '../../../web/components/blocks.js';
import { type ErrorLine, errorId, FieldError } from '../../../web/components/error-summary.js';
import { type Entered, fields } from '../choice.js';
import { minorText } from '../format.js';
import { type AccountCard, canApprove, type Offer } from '../offer.js';
import { refusalTexts } from './approval-form.js';
import type { SectionProps } from './sections.js';

interface PickerProps extends SectionProps {
  readonly offer: Offer;
  readonly entered: Entered;
  readonly errors: readonly ErrorLine[];
}

interface CardProps extends Pick<PickerProps, 'messages' | 'entered' | 'offer'> {
  readonly card: AccountCard;
  readonly index: number;
}

/** The first one has the id that the error summary leads to. */
export const firstAccountId = fields.accounts;
const idOf = (index: number): string => (index === 0 ? firstAccountId : `${firstAccountId}-${index}`);

const PickerCard = ({ card, index, messages, entered, offer }: CardProps) => {
  const { accounts, locale } = messages;
  const isUsable = card.fault === undefined;
  const signatures = card.parts[0]?.signaturesNeeded ?? 1;
  return (
    <label class="pick" for={idOf(index)}>
      <input
        type={offer.isSingle ? 'radio' : 'checkbox'}
        id={idOf(index)}
        name={fields.accounts}
        value={card.value}
        checked={isUsable && entered.accounts.includes(card.value)}
        disabled={!isUsable}
      />
      <span class="pick-name">{card.name}</span>
      <span class="pick-balance">
        {card.parts.map(({ id, balanceMinor, currency }) => (
          <span key={id} class="block">
            {balanceMinor !== null && <span class="unseen">{accounts.balance} </span>}
            {balanceMinor === null ? currency : minorText(balanceMinor, currency, locale)}
          </span>
        ))}
      </span>
      <span class="pick-number number">{inFours(card.number)}</span>
      {card.fault && (
        <span class="pick-fault">
          {typeof card.fault === 'string'
            ? accounts.faults[card.fault]
            : refusalTexts(card.fault, messages).join(' ')}
        </span>
      )}
      {card.warning && <span class="pick-fault">{accounts.faults[card.warning]}</span>}
      {isUsable && offer.isPayment && signatures > 1 && (
        <span class="pick-number">{messages.payment.terms.signatures(signatures - 1)}</span>
      )}
    </label>
  );
};

const Impossible = ({ offer, messages }: Pick<PickerProps, 'offer' | 'messages'>) => {
  const { accounts } = messages;
  if (offer.hasForeign)
    return (
      <Callout meaning="bad" heading={accounts.foreignHeading}>
        <p>{accounts.foreign}</p>
      </Callout>
    );
  if (offer.refusal)
    return (
      <Callout meaning="bad" heading={accounts.noneHeading}>
        {refusalTexts(offer.refusal, messages).map((text) => (
          <p key={text}>{text}</p>
        ))}
        <p>{messages.payment.terms.refused}</p>
      </Callout>
    );
  return canApprove(offer) ? null : (
    <Callout meaning="bad" heading={accounts.noneHeading}>
      <p>{accounts.none}</p>
    </Callout>
  );
};

export const AccountPicker = ({ asked, messages, offer, entered, errors }: PickerProps) => {
  const { accounts } = messages;
  const isOpen = canApprove(offer);
  const hint = offer.isNamed ? accounts.named[asked.kind] : accounts.pick[asked.kind];
  const isWrong = errors.some(({ field }) => field === firstAccountId);
  return (
    <>
      <Impossible offer={offer} messages={messages} />
      {offer.cards.length > 0 && (
        <fieldset
          class={isWrong ? 'wrong' : undefined}
          aria-describedby={
            isWrong ? `account-hint ${errorId(firstAccountId)}` : isOpen ? 'account-hint' : undefined
          }
        >
          <legend>
            <h2>{accounts.heading[asked.kind]}</h2>
          </legend>
          {isOpen && (
            <p class="hint" id="account-hint">
              {hint}
              {offer.isCut && ` ${accounts.cut(MANY_ACCOUNTS)}`}
            </p>
          )}
          <FieldError field={firstAccountId} errors={errors} />
          <div class="picks">
            {offer.cards.map((card, index) => (
              <PickerCard key={card.value} {...{ card, index, messages, entered, offer }} />
            ))}
          </div>
        </fieldset>
      )}
    </>
  );
};
