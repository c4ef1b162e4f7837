/** The overview: what waits for a decision, and each app with what it may do now. */
import type { Block } from '../../../consent/blocks.js';
import type { Listed } from '../../../consent/listed.js';
import type { Party, PartyStanding } from '../../../consent/parties.js';
import type { PageAnswer } from '../../../http/pages.js';
import type { BankTime } from '../../../lib/clock.js';
import { undisguised } from '../../../lib/format/undisguised.js';
import { Badge } from '../../../web/components/badge.js';
import { dayText, momentText } from '../../approve/format.js';
import { addressWith } from '../filters.js';
import { appPath, BLOCKS, DASHBOARD, type HolderVisit } from '../parts.js';
import { BlockedNote } from './blocks.js';
import { boardPage, Downloads, sectionPath } from './board.js';
import { ListFilters } from './filter-form.js';
import { numberOf, rangeText } from './pages.js';
import { Rows, WaitingRows } from './rows.js';

export const summaryText = (visit: HolderVisit, { active, since, lastUsedAt }: PartyStanding): string => {
  const { board } = visit.messages;
  const { locale } = visit.asking;
  const day = since === null ? undefined : dayText(since, locale, visit.timeZone);
  const used = lastUsedAt === null ? undefined : momentText(lastUsedAt, locale, visit.timeZone);
  if (active === 0) return board.inactive;
  return [board.active(active, numberOf(visit, active), day), board.used(used)].join(' · ');
};

/** By its name, or because all are. */
export const blockOf = ({ tppId }: Party, blocks: readonly Block[]): Block | undefined =>
  blocks.find(({ tpp }) => tpp === undefined || tpp.id === tppId);

interface PartyProps {
  readonly visit: HolderVisit;
  readonly bankNow: BankTime;
  readonly party: PartyStanding;
  readonly lines: readonly Listed[];
  readonly block: Block | undefined;
}

const PartyCard = ({ visit, bankNow, party, lines, block }: PartyProps) => {
  const { frame, messages } = visit;
  const { clientId, permissions, payments } = party;
  const name = undisguised(party.applicationName);
  return (
    <section class="card party" aria-labelledby={`app-${clientId}`}>
      <div>
        <h3 id={`app-${clientId}`}>{name}</h3>
        {block && <Badge meaning="bad">{messages.blocks.badge}</Badge>}
        <p class="quiet small">{undisguised(party.tppName)}</p>
        <p>{summaryText(visit, party)}</p>
      </div>
      {lines.length > 0 && <Rows visit={visit} bankNow={bankNow} lines={lines} />}
      <p class="party-links">
        {permissions > 0 && (
          <a href={frame.href(appPath(clientId))}>
            {messages.board.permissionsOf(permissions, numberOf(visit, permissions))}
            <span class="unseen">{`, ${name}`}</span>
          </a>
        )}
        {payments > 0 && (
          <a href={frame.href(addressWith(sectionPath.payments, { app: clientId }))}>
            {messages.board.paymentsOf(payments, numberOf(visit, payments))}
            <span class="unseen">{`, ${name}`}</span>
          </a>
        )}
      </p>
    </section>
  );
};

export interface OverviewView {
  readonly visit: HolderVisit;
  readonly bankNow: BankTime;
  readonly waiting: readonly Listed[];
  readonly parties: readonly Party[];
  /** How many of them come before those that this page shows. */
  readonly skipped: number;
  readonly shown: readonly PartyStanding[];
  readonly active: ReadonlyMap<string, readonly Listed[]>;
  readonly blocks: readonly Block[];
  readonly page: number;
}

const PartyPages = ({ visit, parties, skipped, shown, page }: OverviewView) => {
  const { board, pages } = visit.messages;
  if (parties.length <= shown.length) return null;
  const link = (number: number): string =>
    visit.frame.href(addressWith(DASHBOARD, {}, { page: number > 1 ? String(number) : undefined }));
  return (
    <nav class="pages" aria-label={pages}>
      <p class="quiet">{rangeText(visit, skipped, shown.length, parties.length)}</p>
      <p class="actions">
        {page > 1 && (
          <a class="button second" rel="prev" href={link(page - 1)}>
            ‹ {board.previous}
          </a>
        )}
        {skipped + shown.length < parties.length && (
          <a class="button second" rel="next" href={link(page + 1)}>
            {board.next} ›
          </a>
        )}
      </p>
    </nav>
  );
};

const Blocks = ({ visit }: { readonly visit: HolderVisit }) => {
  const { title, lead, manage } = visit.messages.blocks;
  return (
    <section class="downloads" aria-labelledby="blocks">
      <h2 id="blocks">{title}</h2>
      <p class="quiet small">{lead}</p>
      <p class="actions">
        <a class="button second" href={visit.frame.href(BLOCKS)}>
          {manage}
        </a>
      </p>
    </section>
  );
};

const Parties = (view: OverviewView) => {
  const { visit, bankNow, parties, shown, active, blocks } = view;
  const { permissions } = visit.messages;
  return (
    <section class="stack" aria-labelledby="apps">
      <h2 id="apps">{permissions.parties}</h2>
      {!parties.some(({ isActive }) => isActive) && <p class="quiet">{permissions.none}</p>}
      {shown.map((party) => (
        <PartyCard
          key={party.clientId}
          {...{ visit, bankNow, party }}
          lines={active.get(party.clientId) ?? []}
          block={blockOf(party, blocks)}
        />
      ))}
      <PartyPages {...view} />
    </section>
  );
};

export const overviewPage = (view: OverviewView): PageAnswer => {
  const { visit, waiting, parties, blocks, page } = view;
  const { permissions } = visit.messages;
  const path = addressWith(DASHBOARD, {}, { page: page > 1 ? String(page) : undefined });
  return boardPage({
    visit,
    section: 'permissions',
    title: permissions.title,
    path,
    children: (
      <div class="stack-wide">
        <div class="board-head">
          <h1>{permissions.title}</h1>
          <p class="lead">{permissions.lead}</p>
          <BlockedNote visit={visit} blocks={blocks} />
          <ListFilters {...{ visit, path: DASHBOARD, filter: {}, list: 'permissions', parties }} />
        </div>
        {parties.length === 0 && <p class="card quiet">{permissions.empty}</p>}
        {waiting.length > 0 && page === 1 && (
          <section class="stack" aria-labelledby="waiting">
            <h2 id="waiting">{permissions.waiting}</h2>
            <WaitingRows visit={visit} lines={waiting} />
          </section>
        )}
        {parties.length > 0 && <Parties {...view} />}
        <Blocks visit={visit} />
        <Downloads visit={visit} section="permissions" filter={{}} />
      </div>
    ),
  });
};
