/** All permissions of a person: the active ones first, then what waits for a decision, then the past. */
import { canWithdraw } from '../../../consent/decide.js';
import type { Application } from '../../../consent/watch.js';
import type { PageAnswer } from '../../../http/pages.js';
import { undisguised } from '../../../lib/format/undisguised.js';
import { Badge } from '../../../web/components/badge.js';
import { Records } from '../../../web/components/records.js';
import { dayText, momentText } from '../../approve/format.js';
import { orderText } from '../../approve/view/order-text.js';
import { addressWith, type Filter, isNarrowed } from '../filters.js';
import { type Group, groups } from '../messages/messages.js';
import { DASHBOARD, type HolderVisit, permissionPath, type ShownPermission } from '../parts.js';
import { accountLines, decideBy, groupOf, meanings, statusText, summaryOf } from '../permission-summary.js';
import { boardPage, Downloads } from './board.js';
import { PermissionFilters } from './filter-form.js';
import { Pages } from './uses.js';

interface OfPermission {
  readonly visit: HolderVisit;
  readonly record: ShownPermission;
}

const orderOf = (visit: HolderVisit, { asked, order }: ShownPermission) =>
  order && orderText(asked, order, visit.asking, visit.timeZone);

/** A submitted payment says what has become of it, which its consent cannot. */
export const StatusBadge = ({ visit, record }: OfPermission) => {
  const { status } = record;
  const { meaning, badge } = orderOf(visit, record) ?? {
    meaning: meanings[status],
    badge: statusText(record, visit.messages),
  };
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

const cardFacts = (visit: HolderVisit, record: ShownPermission) => {
  const { facts, times } = visit.messages;
  const { asked, status, use } = record;
  const day = (at: number) => dayText(at, visit.asking.locale, visit.timeZone);
  const isOpen = status === 'Received';
  return [
    asked.approvedAt === null
      ? { name: facts.askedAt, value: day(asked.createdAt) }
      : { name: facts.approvedAt, value: day(asked.approvedAt) },
    { name: isOpen ? facts.decideBy : facts.until, value: untilText(visit, record) },
    ...(isOpen
      ? []
      : [
          { name: facts.lastUsed, value: lastUsedText(visit, record) },
          ...(use ? [{ name: facts.uses, value: times(use.count) }] : []),
        ]),
  ];
};

const CardActions = ({ visit, record: { asked, status } }: OfPermission) => {
  const { frame, messages } = visit;
  return (
    <div class="actions">
      {status === 'Received' && (
        <a class="button" href={frame.href(`/authorise/${asked.id}`)}>
          {messages.decide}
        </a>
      )}
      <a
        class="button second"
        href={frame.href(permissionPath(asked.id))}
        aria-label={messages.details(undisguised(asked.applicationName))}
      >
        {messages.detailsShort}
      </a>
      {canWithdraw(asked, status) && (
        <a class="button second" href={frame.href(permissionPath(asked.id, '/withdraw'))}>
          {messages.withdraw}
        </a>
      )}
    </div>
  );
};

const PermissionCard = ({ visit, record }: OfPermission) => {
  const { asked, status } = record;
  const order = orderOf(visit, record);
  return (
    <li class="card permission">
      <div class="permission-head">
        <div>
          <h3>{undisguised(asked.applicationName)}</h3>
          <p class="quiet small">{undisguised(asked.tppName)}</p>
        </div>
        <StatusBadge visit={visit} record={record} />
      </div>
      <p class="permission-kind">{visit.messages.kinds[asked.kind]}</p>
      <ul class="sentences">
        {summaryOf(asked, status, visit).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {order && <li>{order.text}</li>}
      </ul>
      <p class="permission-accounts">
        <span class="quiet small block">{visit.messages.facts.accounts}</span>
        <Accounts visit={visit} record={record} />
      </p>
      <dl class="permission-facts">
        {cardFacts(visit, record).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <CardActions visit={visit} record={record} />
    </li>
  );
};

const PastTable = ({
  visit,
  records,
}: {
  readonly visit: HolderVisit;
  readonly records: readonly ShownPermission[];
}) => {
  const { messages, frame, asking, timeZone } = visit;
  const { facts } = messages;
  return (
    <Records
      caption={messages.permissions.caption}
      shape="past"
      columns={[
        messages.columns.app,
        facts.covers,
        facts.accounts,
        facts.askedAt,
        facts.lastUsed,
        facts.status,
      ]}
      rows={records.map((record) => {
        const { asked, status } = record;
        return {
          key: asked.id,
          cells: [
            <>
              <a href={frame.href(permissionPath(asked.id))}>{undisguised(asked.applicationName)}</a>
              <span class="quiet small block">{undisguised(asked.tppName)}</span>
            </>,
            asked.kind === 'PaymentInitiation'
              ? (orderOf(visit, record)?.text ?? summaryOf(asked, status, visit).join(' '))
              : messages.kinds[asked.kind],
            <Accounts key="accounts" visit={visit} record={record} />,
            dayText(asked.createdAt, asking.locale, timeZone),
            lastUsedText(visit, record),
            <StatusBadge key="status" visit={visit} record={record} />,
          ],
        };
      })}
    />
  );
};

const GroupSection = ({
  visit,
  group,
  records,
}: {
  readonly visit: HolderVisit;
  readonly group: Group;
  readonly records: readonly ShownPermission[];
}) => (
  <section class="stack" aria-labelledby={group}>
    <h2 id={group}>{visit.messages.permissions.groups[group]}</h2>
    {records.length === 0 && <p class="quiet">{visit.messages.permissions.none[group]}</p>}
    {records.length > 0 &&
      (group === 'past' ? (
        <PastTable visit={visit} records={records} />
      ) : (
        <ul class="card-grid pairs permissions">
          {records.map((record) => (
            <PermissionCard key={record.asked.id} visit={visit} record={record} />
          ))}
        </ul>
      ))}
  </section>
);

export interface PermissionsView {
  readonly visit: HolderVisit;
  readonly filter: Filter;
  readonly applications: readonly Application[];
  readonly records: readonly ShownPermission[];
  readonly isLater: boolean;
  readonly next: string | undefined;
}

const groupsOf = ({ records, filter, isLater }: PermissionsView): readonly Group[] => {
  const isWhole = !isNarrowed(filter) && !isLater && records.length > 0;
  const has = (group: Group): boolean => records.some(({ status }) => groupOf(status) === group);
  // That nothing is active is worth saying; that nothing waits is not.
  return groups.filter((group) => has(group) || (isWhole && group === 'active'));
};

export const permissionsPage = (view: PermissionsView): PageAnswer => {
  const { visit, filter, applications, records, isLater, next } = view;
  const { permissions } = visit.messages;
  return boardPage({
    visit,
    section: 'permissions',
    title: permissions.title,
    path: addressWith(DASHBOARD, filter),
    children: (
      <div class="stack-wide">
        <div class="board-head">
          <h1>{permissions.title}</h1>
          <p class="lead">{permissions.lead}</p>
          <PermissionFilters visit={visit} path={DASHBOARD} filter={filter} applications={applications} />
        </div>
        {records.length === 0 && (
          <p class="card quiet">{isNarrowed(filter) ? permissions.emptyFiltered : permissions.empty}</p>
        )}
        {groupsOf(view).map((group) => (
          <GroupSection
            key={group}
            visit={visit}
            group={group}
            records={records.filter(({ status }) => groupOf(status) === group)}
          />
        ))}
        <Pages visit={visit} path={DASHBOARD} filter={filter} isLater={isLater} next={next} />
        <Downloads visit={visit} section="permissions" filter={filter} />
      </div>
    ),
  });
};
