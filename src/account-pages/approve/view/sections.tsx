/** The parts of the approval page that are only read: who asks, what exactly, and what it does not allow. */
import type { AskedConsent } from '../../../consent/asked.js';
import { undisguised } from '../../../lib/format/undisguised.js';
import { Badge } from '../../../web/components/badge.js';
import { type Fact, Summary } from '../../../web/components/blocks.js';
import { accountAccessOf, fundsOf } from '../asked-for.js';
import { dateText } from '../format.js';
import type { ApprovalMessages } from '../messages/messages.js';

export interface SectionProps {
  readonly asked: AskedConsent;
  readonly messages: ApprovalMessages;
}

/** The words of the third party, never more than a quotation. */
export const Purpose = ({ purpose }: { readonly purpose: string }) => (
  <q dir="auto">{undisguised(purpose)}</q>
);

export const Who = ({ asked, messages: { who } }: SectionProps) => (
  <section class="card who" aria-labelledby="who">
    <div class="who-head">
      <h2 id="who">{who.heading}</h2>
      <Badge meaning="good">{who.registered}</Badge>
    </div>
    <Summary
      facts={[
        { name: who.app, value: <strong>{asked.applicationName}</strong> },
        { name: who.provider, value: asked.tppName },
        { name: who.registration, value: asked.tppRegistration },
        ...(asked.purpose === null || asked.block !== null
          ? []
          : [{ name: who.purpose, value: <Purpose purpose={asked.purpose} /> }]),
      ]}
    />
  </section>
);

export const Sentences = ({ sentences }: { readonly sentences: readonly string[] }) => (
  <ul class="sentences">
    {sentences.map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
);

export const AccessAsked = ({
  asked,
  messages: { what, locale },
  heading = what.heading,
}: SectionProps & { readonly heading?: string }) => {
  const { permissions, from, to, timesPerDay } = accountAccessOf(asked);
  const seesTransactions = permissions.some((each) => each.startsWith('Transactions'));
  const day = (date: string | undefined) => (date === undefined ? undefined : dateText(date, locale));
  return (
    <section class="stack" aria-labelledby="what">
      <h2 id="what">{heading}</h2>
      <Sentences
        sentences={[
          ...permissions.map((permission) => what.permissions[permission]),
          ...(seesTransactions && (from ?? to) !== undefined ? [what.transactions(day(from), day(to))] : []),
          timesPerDay === undefined ? what.once : what.recurring(timesPerDay),
        ]}
      />
    </section>
  );
};

export const FundsAsked = ({ asked, messages: { what } }: SectionProps) => {
  const { cardNote, registrationNote } = fundsOf(asked);
  const notes: readonly Fact[] = [
    ...(cardNote === undefined ? [] : [{ name: what.cardNote, value: cardNote }]),
    ...(registrationNote === undefined ? [] : [{ name: what.registrationNote, value: registrationNote }]),
  ];
  return (
    <section class="stack" aria-labelledby="what">
      <h2 id="what">{what.heading}</h2>
      <Sentences
        sentences={[...what.funds, ...(asked.cardLastFour === null ? [] : [what.card(asked.cardLastFour)])]}
      />
      {notes.length > 0 && <Summary facts={notes} />}
    </section>
  );
};

export const NotAllowed = ({ asked, messages: { not } }: SectionProps) => (
  <section class="stack" aria-labelledby="not">
    <h2 id="not">{not.heading}</h2>
    <ul class="plain crossed">
      {not.points[asked.kind].map((point) => (
        <li key={point}>{point}</li>
      ))}
    </ul>
  </section>
);
