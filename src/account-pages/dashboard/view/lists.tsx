/** The lists of permissions and payments: of one app, the payments, and what a search has found. */
import type { ComponentChildren } from 'preact';
import type { Block } from '../../../consent/blocks.js';
import type { Listed } from '../../../consent/listed.js';
import type { FoundLines } from '../../../consent/lists.js';
import type { Party, PartyStanding } from '../../../consent/parties.js';
import type { PageAnswer } from '../../../http/pages.js';
import type { BankTime } from '../../../lib/clock.js';
import { undisguised } from '../../../lib/format/undisguised.js';
import type { ErrorLine } from '../../../web/components/error-summary.js';
import { dayText } from '../../approve/format.js';
import { addressWith, type Filter, isNarrowed, placeText } from '../filters.js';
import { blockPath, type HolderVisit } from '../parts.js';
import { BlockedNote } from './blocks.js';
import { Back, boardPage, Downloads, type Section, sectionPath } from './board.js';
import { ListFilters } from './filter-form.js';
import { blockOf, summaryText } from './overview.js';
import { Pages } from './pages.js';
import { Rows } from './rows.js';

export interface LinesView {
  readonly visit: HolderVisit;
  readonly bankNow: BankTime;
  readonly list: 'permissions' | 'payments';
  readonly path: string;
  readonly filter: Filter;
  /** Of one app only, which its filter or its address names. */
  readonly clientId: string | undefined;
  readonly errors: readonly ErrorLine[];
  readonly parties: readonly Party[];
  readonly found: FoundLines;
  readonly lines: readonly Listed[];
}

/** Rows, and either where one is among them or how far back was searched. */
const FoundRows = ({ visit, bankNow, path, filter, clientId, found, lines, list }: LinesView) => {
  const { board, [list]: texts } = visit.messages;
  const { stoppedAt, isTested } = found;
  return (
    <div class="stack">
      {lines.length > 0 ? (
        <Rows visit={visit} bankNow={bankNow} lines={lines} isMixed={clientId === undefined} />
      ) : (
        !stoppedAt && <p class="card quiet">{isNarrowed(filter) ? texts.emptyFiltered : texts.empty}</p>
      )}
      <Pages visit={visit} path={path} filter={filter} page={found} isCounted={!isTested} />
      {stoppedAt && (
        <p>
          {lines.length === 0 && `${board.nothingYet} `}
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
  const { visit, path, filter, clientId, errors, parties, list } = view;
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
        <Downloads visit={visit} section={section} filter={{ ...filter, app: clientId }} />
      </div>
    ),
  });
};

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

interface PartyBlockProps {
  readonly visit: HolderVisit;
  readonly party: Party;
  readonly blocks: readonly Block[];
}

const PartyBlock = ({ visit, party, blocks }: PartyBlockProps) => {
  const { blocks: texts } = visit.messages;
  const block = blockOf(party, blocks);
  if (block) return <BlockedNote visit={visit} blocks={[block]} />;
  return (
    <p class="actions">
      <a class="button second" href={visit.frame.href(blockPath(party.tppId, '/add'))}>
        {texts.block(undisguised(party.tppName))}
      </a>
    </p>
  );
};

export const partyPage = (view: LinesView, party: PartyStanding, blocks: readonly Block[]): PageAnswer => {
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
          <a key={path} href={visit.frame.href(addressWith(path, app))} aria-label={`${text}, ${name}`}>
            {text}
          </a>
        ))}
      </p>
      <PartyBlock {...{ visit, party, blocks }} />
    </>
  );
  return listPage({ view, section: 'permissions', title: board.partyOf(name), head });
};
