/** Who asked for funds and who read data: tables that become cards on a phone. */
import type { AccessLine, FundsLine } from '../../../consent/uses.js';
import { undisguised } from '../../../lib/format/undisguised.js';
import { instantText } from '../../../lib/instant.js';
import { Badge } from '../../../web/components/badge.js';
import { Records } from '../../../web/components/records.js';
import { amountText, momentText } from '../../approve/format.js';
import type { HolderVisit } from '../parts.js';
import { numberText } from '../permission-summary.js';

export const When = ({ at, visit }: { readonly at: number; readonly visit: HolderVisit }) => (
  <time dateTime={instantText(at)}>{momentText(at, visit.asking.locale, visit.timeZone)}</time>
);

const Who = ({ line }: { readonly line: Pick<FundsLine, 'applicationName' | 'tppName'> }) => (
  <>
    <span class="block">{undisguised(line.applicationName)}</span>
    <span class="quiet small block">{undisguised(line.tppName)}</span>
  </>
);

const Account = ({ number, absent }: { readonly number: string | null; readonly absent: string }) =>
  number === null ? <span class="quiet">{absent}</span> : <span class="number">{numberText(number)}</span>;

export const FundsTable = ({
  visit,
  lines,
}: {
  readonly visit: HolderVisit;
  readonly lines: readonly FundsLine[];
}) => {
  const { messages, asking } = visit;
  return (
    <Records
      caption={messages.funds.caption}
      shape="funds"
      columns={[
        messages.when,
        messages.who,
        messages.payee,
        messages.amount,
        messages.account,
        messages.answer,
      ]}
      rows={lines.map((line) => ({
        key: line.id,
        cells: [
          <When key="when" at={line.at} visit={visit} />,
          <Who key="who" line={line} />,
          line.payee ? undisguised(line.payee) : <span class="quiet">{messages.noPayee}</span>,
          <strong key="amount" class="money">
            {amountText({ amount: Number(line.amount), currency: line.currency }, asking.locale)}
          </strong>,
          <Account key="account" number={line.account} absent="–" />,
          line.available === 1 ? (
            <Badge meaning="good">{messages.available}</Badge>
          ) : (
            <Badge meaning="bad">{messages.notAvailable}</Badge>
          ),
        ],
      }))}
    />
  );
};

export const AccessTable = ({
  visit,
  lines,
}: {
  readonly visit: HolderVisit;
  readonly lines: readonly AccessLine[];
}) => {
  const { messages } = visit;
  return (
    <Records
      caption={messages.accesses.caption}
      shape="accesses"
      columns={[messages.when, messages.columns.app, messages.what, messages.account, messages.presence]}
      rows={lines.map((line) => ({
        key: line.id,
        cells: [
          <When key="when" at={line.at} visit={visit} />,
          <Who key="who" line={line} />,
          messages.data[line.kind],
          <Account key="account" number={line.account} absent={messages.allAccounts} />,
          line.attended === 1 ? messages.present : messages.absent,
        ],
      }))}
    />
  );
};
