/** The parts of a permission that its page and the question about its withdrawal share. */
import { Badge } from '../../../web/components/badge.js';
import { dayText, momentText } from '../../approve/format.js';
import { orderText } from '../../approve/view/order-text.js';
import type { HolderVisit, ShownPermission } from '../parts.js';
import { accountLines, decideBy, meanings, statusText } from '../permission-summary.js';

interface OfPermission {
  readonly visit: HolderVisit;
  readonly record: ShownPermission;
}

/** A submitted payment says what has become of it, which its consent cannot. */
export const StatusBadge = ({ visit, record }: OfPermission) => {
  const { asked, status, order } = record;
  const { meaning, badge } = order
    ? orderText(asked, order, visit.asking, visit.timeZone)
    : { meaning: meanings[status], badge: statusText(record, visit.messages) };
  return <Badge meaning={meaning}>{badge}</Badge>;
};

export const Accounts = ({ visit, record }: OfPermission) => {
  const lines = accountLines(record.asked);
  if (lines.length === 0) return <span class="quiet">{visit.messages.facts.noAccounts}</span>;
  return (
    <>
      {lines.map((line) => (
        <span key={line} class="number block">
          {line}
        </span>
      ))}
    </>
  );
};

export const lastUsedText = (visit: HolderVisit, { use }: ShownPermission): string =>
  use ? momentText(use.lastAt, visit.asking.locale, visit.timeZone) : visit.messages.facts.neverUsed;

/** The last day of a permission; a payment's approval and a request are a matter of hours. */
export const untilText = (visit: HolderVisit, { asked, status }: ShownPermission): string => {
  const { asking, timeZone, messages } = visit;
  if (status === 'Received') return momentText(decideBy(asked), asking.locale, timeZone);
  if (asked.expiresAt === null) return messages.facts.openEnd;
  return asked.kind === 'PaymentInitiation'
    ? momentText(asked.expiresAt, asking.locale, timeZone)
    : dayText(asked.expiresAt - 1, asking.locale, timeZone);
};
