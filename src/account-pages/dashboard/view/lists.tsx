/** The pages of permissions and payments: the overview by app, one app, the payments, and what a search has found. */
import type { ComponentChildren } from 'preact';
import type { FoundLines, Listed } from '../../../consent/lists.js';
import type { Party } from '../../../consent/parties.js';
import type { PageAnswer } from '../../../http/pages.js';
import type { BankTime } from '../../../lib/clock.js';
import { undisguised } from '../../../lib/format/undisguised.js';
import type { ErrorLine } from '../../../web/components/error-summary.js';
import { dayText, momentText } from '../../approve/format.js';
import { addressWith, type Filter, isNarrowed, placeText } from '../filters.js';
import { appPath, DASHBOARD, type HolderVisit } from '../parts.js';
import { boardPage, Downloads, type Section, sectionPath } from './board.js';
import { ListFilters } from './filter-form.js';
import { numberOf, Pages, rangeText } from './pages.js';
import { Rows, WaitingRows } from './rows.js';

const summaryText = (visit: HolderVisit, { active, since, lastUsedAt }: Party): string => {
  const { board } = visit.messages;
  const { locale } = visit.asking;
  const day = since === null ? undefined : dayText(since, locale, visit.timeZone);
  const used = lastUsedAt === null ? undefined : momentText(lastUsedAt, locale, visit.timeZone);
  const standing = active > 0 ? board.active(active, numberOf(visit, active), day) : board.inactive;
  return [standing, board.used(used)].join(' · ');
};

interface PartyProps {
  readonly visit: HolderVisit;
  readonly bankNow: BankTime;
  readonly party: Party;
  readonly lines: readonly Listed[];
}

const PartyCard = ({ visit, bankNow, party, lines }: PartyProps) => {
  const { frame, messages } = visit;
  const { clientId, permissions, payments } = party;
  const name = undisguised(party.applicationName);
  return (
    <section class="card party" aria-labelledby={`app-${clientId}`}>
      <div>
        <h3 id={`app-${clientId}`}>{name}</h3>
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
  /** Which of them are on this page: how many come before, and how many are shown. */
  readonly skipped: number;
  readonly shown: number;
  readonly active: ReadonlyMap<string, readonly Listed[]>;
  readonly page: number;
}

const PartyPages = ({ visit, parties, skipped, shown, page }: OverviewView) => {
  const { board, pages } = visit.messages;
  if (parties.length <= shown) return null;
  const link = (number: number): string =>
    visit.frame.href(addressWith(DASHBOARD, {}, { page: number > 1 ? String(number) : undefined }));
  return (
    <nav class="pages" aria-label={pages}>
      <p class="quiet">{rangeText(visit, skipped, shown, parties.length)}</p>
      <p class="actions">
        {page > 1 && (
          <a class="button second" rel="prev" href={link(page - 1)}>
            ‹ {board.previous}
          </a>
        )}
        {skipped + shown < parties.length && (
          <a class="button second" rel="next" href={link(page + 1)}>
            {board.next} ›
          </a>
        )}
      </p>
    </nav>
  );
};

export const overviewPage = (view: OverviewView): PageAnswer => {
  const { visit, bankNow, waiting, parties, skipped, shown, active, page } = view;
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
          <ListFilters {...{ visit, path: DASHBOARD, filter: {}, list: 'permissions', parties }} />
        </div>
        {parties.length === 0 && <p class="card quiet">{permissions.empty}</p>}
        {waiting.length > 0 && page === 1 && (
          <section class="stack" aria-labelledby="waiting">
            <h2 id="waiting">{permissions.waiting}</h2>
            <WaitingRows visit={visit} lines={waiting} />
          </section>
        )}
        {parties.length > 0 && (
          <section class="stack" aria-labelledby="apps">
            <h2 id="apps">{permissions.parties}</h2>
            {parties.every((party) => party.active === 0) && <p class="quiet">{permissions.none}</p>}
            {parties.slice(skipped, skipped + shown).map((party) => (
              <PartyCard
                key={party.clientId}
                {...{ visit, bankNow, party }}
                lines={active.get(party.clientId) ?? []}
              />
            ))}
            <PartyPages {...view} />
          </section>
        )}
        <Downloads visit={visit} section="permissions" filter={{}} />
      </div>
    ),
  });
};

export interface LinesView {
  readonly visit: HolderVisit;
  readonly bankNow: BankTime;
  readonly list: 'permissions' | 'payments';
  readonly path: string;
  readonly filter: Filter;
  readonly errors: readonly ErrorLine[];
  readonly parties: readonly Party[];
  readonly found: FoundLines;
  readonly lines: readonly Listed[];
  readonly isMixed: boolean;
}

/** Rows, and either where one is among them or how far back was searched. */
const FoundRows = ({ visit, bankNow, path, filter, found, lines, list, isMixed }: LinesView) => {
  const { board, [list]: texts } = visit.messages;
  const { stoppedAt, isTested } = found;
  return (
    <div class="stack">
      {lines.length > 0 ? (
        <Rows visit={visit} bankNow={bankNow} lines={lines} isMixed={isMixed} />
      ) : (
        !stoppedAt && <p class="card quiet">{isNarrowed(filter) ? texts.emptyFiltered : texts.empty}</p>
      )}
      <Pages visit={visit} path={path} filter={filter} page={found} isCounted={!isTested} />
      {stoppedAt && (
        <p>
          {board.searchedBack(dayText(stoppedAt.at, visit.asking.locale, visit.timeZone))}{' '}
          <a href={visit.frame.href(addressWith(path, filter, { after: placeText(stoppedAt) }))}>
            {board.searchFurther}
          </a>
        </p>
      )}
    </div>
  );
};

interface ListPageProps {
  readonly view: LinesView;
  readonly section: Section;
  readonly title: string;
  readonly head: ComponentChildren;
}

const listPage = ({ view, section, title, head }: ListPageProps): PageAnswer => {
  const { visit, path, filter, errors, parties, list } = view;
  return boardPage({
    visit,
    section,
    title,
    path: addressWith(path, filter),
    errors,
    children: (
      <div class="stack-wide">
        <div class="board-head">
          {head}
          <ListFilters {...{ visit, path, filter, errors, list, parties }} />
        </div>
        {errors.length === 0 && <FoundRows {...view} />}
        <Downloads visit={visit} section={section} filter={filter} />
      </div>
    ),
  });
};

const Back = ({ visit }: { readonly visit: HolderVisit }) => (
  <p class="trail">
    <a href={visit.frame.href(DASHBOARD)}>‹ {visit.messages.back}</a>
  </p>
);

export const paymentsPage = (view: LinesView): PageAnswer => {
  const { title, lead } = view.visit.messages.payments;
  const head = (
    <>
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
    </>
  );
  return listPage({ view, section: 'payments', title, head });
};

/** Permissions of all apps that fit a search or a filter. */
export const resultsPage = (view: LinesView): PageAnswer => {
  const title = view.visit.messages.board.results;
  const head = (
    <>
      <Back visit={view.visit} />
      <h1>{title}</h1>
    </>
  );
  return listPage({ view, section: 'permissions', title, head });
};

export const partyPage = (view: LinesView, party: Party): PageAnswer => {
  const { visit } = view;
  const { board, facts } = visit.messages;
  const name = undisguised(party.applicationName);
  const app = { app: party.clientId };
  const links = [
    [sectionPath.payments, board.seePayments],
    [sectionPath.funds, board.seeFunds],
    [sectionPath.accesses, board.seeAccesses],
  ] as const;
  const head = (
    <>
      <Back visit={visit} />
      <h1>{name}</h1>
      <p class="lead">{undisguised(party.tppName)}</p>
      <p class="quiet">{`${facts.registration}: ${party.registration}`}</p>
      <p>{summaryText(visit, party)}</p>
      <p class="party-links">
        {links.map(([path, text]) => (
          <a key={path} href={visit.frame.href(addressWith(path, app))}>
            {text}
          </a>
        ))}
      </p>
    </>
  );
  return listPage({ view, section: 'permissions', title: board.partyOf(name), head });
};
