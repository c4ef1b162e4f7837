/** Permissions and payments as rows: what it is, for which account, since and until when. Everything else is on its own page. */
import type { ComponentChildren } from 'preact';
import { canWithdraw } from '../../../consent/decide.js';
import { statusAt } from '../../../consent/lifecycle.js';
import type { Listed } from '../../../consent/listed.js';
import type { BankTime } from '../../../lib/clock.js';
import { undisguised } from '../../../lib/format/undisguised.js';
import type { OrderStatus } from '../../../payment/record.js';
import { Badge, type Meaning } from '../../../web/components/badge.js';
import { paymentOf } from '../../approve/asked-for.js';
import { amountText, dayText, momentText } from '../../approve/format.js';
import { type OrderText, orderText } from '../../approve/view/order-text.js';
import { Purpose } from '../../approve/view/sections.js';
import { type HolderVisit, permissionPath } from '../parts.js';
import { decideBy, meanings, paymentStateOf, statusText, unsentReason } from '../permission-summary.js';

export interface RowsProps {
  readonly visit: HolderVisit;
  readonly bankNow: BankTime;
  readonly lines: readonly Listed[];
  /** Of several apps: each row names its own. */
  readonly isMixed?: boolean;
}

type OfLine = Omit<RowsProps, 'lines'> & { readonly line: Listed };

/** `…0101`: enough to tell one's own accounts apart. */
const endOf = (number: string): string => `…${number.slice(-4)}`;

const accountText = ({ visit, line }: OfLine): string | undefined => {
  if (line.account === null) return undefined;
  const more = line.otherAccounts > 0 ? ` ${visit.messages.board.moreAccounts(line.otherAccounts)}` : '';
  return `${endOf(line.account)}${more}`;
};

const appText = ({ isMixed, line }: OfLine): string | undefined =>
  isMixed ? undisguised(`${line.applicationName} (${line.tppName})`) : undefined;

const whatText = ({ visit, line }: OfLine): string => {
  const payment = paymentOf(line);
  if (!payment) return visit.messages.kinds[line.kind];
  return visit.messages.board.payment(amountText(payment.amount, visit.asking.locale), payment.payee);
};

interface RowProps {
  readonly of: OfLine;
  readonly facts: readonly (string | undefined)[];
  readonly badge: { readonly meaning: Meaning; readonly text: string };
  readonly children?: ComponentChildren;
}

const Row = ({ of, facts, badge, children }: RowProps) => {
  const { visit, line } = of;
  // The rows of one app have links of one name, unless each tells its account, time and status too.
  const own = [
    line.applicationName,
    accountText(of),
    momentText(line.createdAt, visit.asking.locale, visit.timeZone),
    badge.text,
  ];
  const rest = <span class="unseen">{`, ${undisguised(own.filter(Boolean).join(', '))}`}</span>;
  return (
    <li class="row">
      <div class="row-what">
        <a href={visit.frame.href(permissionPath(line.id))}>
          {whatText(of)}
          {rest}
        </a>
        <p class="quiet small">{facts.filter(Boolean).join(' · ')}</p>
        {line.purpose && (
          <p class="small">
            <Purpose purpose={line.purpose} />
          </p>
        )}
        {children}
      </div>
      <div class="row-end">
        <Badge meaning={badge.meaning}>{badge.text}</Badge>
        {canWithdraw(line, statusAt(line, of.bankNow)) && (
          <a href={visit.frame.href(permissionPath(line.id, '/withdraw'))}>
            {visit.messages.withdraw}
            {rest}
          </a>
        )}
      </div>
    </li>
  );
};

const termTexts = ({ visit, line }: OfLine): readonly string[] => {
  const { board, facts } = visit.messages;
  const day = (at: number) => dayText(at, visit.asking.locale, visit.timeZone);
  if (line.approvedAt === null) return [board.asked(day(line.createdAt))];
  const until = line.expiresAt === null ? facts.openEnd.toLowerCase() : board.until(day(line.expiresAt - 1));
  return [board.since(day(line.approvedAt)), until];
};

const PermissionRow = (of: OfLine) => {
  const status = statusAt(of.line, of.bankNow);
  const badge = {
    meaning: meanings[status],
    text: statusText({ asked: of.line, status }, of.visit.messages),
  };
  return <Row of={of} facts={[appText(of), accountText(of), ...termTexts(of)]} badge={badge} />;
};

/** A payment in one sentence, and in a word or two. */
const paymentText = ({ visit, line, bankNow }: OfLine): Pick<OrderText, 'line' | 'badge' | 'meaning'> => {
  const { order } = line;
  const { board } = visit.messages;
  const moment = (at: number) => momentText(at, visit.asking.locale, visit.timeZone);
  if (order)
    return orderText(line, { ...order, status: order.status as OrderStatus }, visit.asking, visit.timeZone);
  const status = statusAt(line, bankNow);
  const state = paymentStateOf(status, undefined);
  const badge = { badge: board.paid[state], meaning: meanings[status] };
  if (state === 'waiting') return { ...badge, line: `${board.decideBy(moment(decideBy(line)))}.` };
  if (state === 'approved')
    return { ...badge, line: board.approved(moment(line.expiresAt ?? line.createdAt)) };
  return { ...badge, line: board.unsent[unsentReason(line, bankNow)] };
};

const PaymentRow = (of: OfLine) => {
  const { line, badge, meaning } = paymentText(of);
  return (
    <Row of={of} facts={[appText(of), accountText(of)]} badge={{ meaning, text: badge }}>
      <p class="small">{line}</p>
    </Row>
  );
};

export const Rows = ({ lines, ...rest }: RowsProps) => (
  <ul class="rows plain">
    {lines.map((line) =>
      line.kind === 'PaymentInitiation' ? (
        <PaymentRow key={line.id} {...rest} line={line} />
      ) : (
        <PermissionRow key={line.id} {...rest} line={line} />
      ),
    )}
  </ul>
);

/** What waits for a decision, with the way to it. */
export const WaitingRows = ({ visit, lines }: Pick<RowsProps, 'visit' | 'lines'>) => (
  <ul class="rows plain">
    {lines.map((line) => {
      const { messages, asking, timeZone, frame } = visit;
      const of = { visit, line, bankNow: 0, isMixed: true };
      const isRenewal = line.status === 'Valid' && line.renewalAt !== null;
      const until = isRenewal
        ? decideBy({ createdAt: line.renewalAt ?? 0, expiresAt: line.expiresAt })
        : decideBy(line);
      const deadline = messages.board.decideBy(momentText(until, asking.locale, timeZone));
      return (
        <li key={line.id} class="row">
          <div class="row-what">
            <strong>{isRenewal ? messages.board.renewal : whatText(of)}</strong>
            <p class="quiet small">{[appText(of), deadline].join(' · ')}</p>
            {line.purpose && (
              <p class="small">
                <Purpose purpose={line.purpose} />
              </p>
            )}
          </div>
          <a class="button" href={frame.href(`/authorise/${line.id}`)}>
            {messages.decide}
            <span class="unseen">{`: ${[whatText(of), undisguised(line.applicationName), deadline].join(', ')}`}</span>
          </a>
        </li>
      );
    })}
  </ul>
);
