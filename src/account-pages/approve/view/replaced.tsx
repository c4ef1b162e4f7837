/** Which earlier permissions of the same app an approval ends: surely, or if one of their accounts is ticked. */
import { Fragment } from 'preact';
import { statusAt } from '../../../consent/lifecycle.js';
import { type OlderAccess, overlaps } from '../../../consent/supersede.js';
import type { BankTime } from '../../../lib/clock.js';
import { inFours } from '../../../model/account-reference.js';
import { Callout } from '../../../web/components/blocks.js';
import { dayText } from '../format.js';
import { type AccountCard, consentAccountsOf, type Offer } from '../offer.js';
import type { HolderVisit } from '../parts.js';
import type { SectionProps } from './sections.js';

interface ReplacedProps extends Pick<SectionProps, 'asked'> {
  readonly visit: HolderVisit;
  readonly offer: Offer;
  readonly bankNow: BankTime;
}

/** Whatever is picked, one of its accounts is among it. */
const isSure = (older: OlderAccess, cards: readonly AccountCard[]): boolean =>
  cards.every((card) => overlaps(older, consentAccountsOf([card])));

const numbersOf = ({ accounts }: OlderAccess): readonly string[] => [
  ...new Set(accounts.map(({ iban, bban, msisdn }) => iban ?? bban ?? msisdn ?? '')),
];

interface ListProps extends Omit<ReplacedProps, 'bankNow'> {
  readonly older: readonly OlderAccess[];
  readonly certainty: 'sure' | 'maybe';
}

const Ends = ({ visit, asked, offer, older, certainty }: ListProps) => {
  const { replaced, locale } = visit.messages;
  if (older.length === 0) return null;
  const nameOf = (number: string) => offer.cards.find((card) => card.number === number)?.name;
  return (
    <Callout meaning="notice" heading={replaced[certainty].heading}>
      <p>{replaced[certainty].text(asked.applicationName, older.length)}</p>
      <ul class="sentences">
        {older.map((each) => (
          <li key={each.id}>
            {replaced.since(dayText(each.approvedAt ?? each.createdAt, locale, visit.timeZone))}
            {numbersOf(each).map((number) => (
              <Fragment key={number}>
                <span class="block">{nameOf(number)}</span>
                <span class="block number">{inFours(number)}</span>
              </Fragment>
            ))}
          </li>
        ))}
      </ul>
    </Callout>
  );
};

export const Replaced = ({ bankNow, ...props }: ReplacedProps) => {
  const cards = props.offer.cards.filter(({ fault }) => fault === undefined);
  // One that no card touches stays, whatever is picked.
  const older = props.asked.older.filter(
    (each) => statusAt(each, bankNow) === 'Valid' && overlaps(each, consentAccountsOf(cards)),
  );
  return (
    <>
      <Ends {...props} older={older.filter((each) => isSure(each, cards))} certainty="sure" />
      <Ends {...props} older={older.filter((each) => !isSure(each, cards))} certainty="maybe" />
    </>
  );
};
