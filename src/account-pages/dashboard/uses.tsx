/** Who asked for funds (PSD2 Art. 65(5)) and who read data: the two lists of uses. */
import type { Place } from '../../consent/page.js';
import { partiesOf } from '../../consent/parties.js';
import { accessesOf, fundsAnswersOf, type ReadUses } from '../../consent/uses.js';
import type { PageAnswer } from '../../http/pages.js';
import { addressWith, isInverted, isNarrowed, spotOf, storedFilter, useFilterOf } from './filters.js';
import type { DashboardParts, HolderVisit } from './parts.js';
import { boardPage, Downloads, type Section, sectionPath } from './view/board.js';
import { UseFilters } from './view/filter-form.js';
import { Pages } from './view/pages.js';
import { AccessTable, FundsTable } from './view/uses.js';

const PER_PAGE = 25;

interface ListOfUses<Line> {
  readonly section: Extract<Section, 'funds' | 'accesses'>;
  readonly read: ReadUses<Line>;
  readonly Table: (props: { readonly visit: HolderVisit; readonly lines: readonly Line[] }) => object;
}

const showUses = async <Line extends Place>(
  { db, timeZone, bankTime }: DashboardParts,
  visit: HolderVisit,
  { section, read, Table }: ListOfUses<Line>,
): Promise<PageAnswer> => {
  const { query } = visit.request;
  const texts = visit.messages[section];
  const filter = useFilterOf(query);
  const path = sectionPath[section];
  const errors = isInverted(filter) ? [{ field: 'filter-to', text: visit.messages.board.inverted }] : [];
  const psuId = visit.holder.id;
  const [found, parties] = await Promise.all([
    read(db, psuId, storedFilter(filter, timeZone), spotOf(query), PER_PAGE),
    partiesOf(db, psuId, await bankTime()),
  ]);
  return boardPage({
    visit,
    section,
    title: texts.title,
    path: addressWith(path, filter),
    errors,
    children: (
      <div class="stack-wide">
        <div class="board-head">
          <h1>{texts.title}</h1>
          <p class="lead">{texts.lead}</p>
          <UseFilters {...{ visit, path, filter, errors, parties }} />
        </div>
        {found.rows.length > 0 && (
          <div class="stack">
            {Table({ visit, lines: found.rows })}
            <Pages visit={visit} path={path} filter={filter} page={found} />
          </div>
        )}
        {found.rows.length === 0 && errors.length === 0 && (
          <p class="card quiet">{isNarrowed(filter) ? texts.emptyFiltered : texts.empty}</p>
        )}
        <Downloads visit={visit} section={section} filter={filter} />
      </div>
    ),
  });
};

export const listFunds = (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> =>
  showUses(parts, visit, { section: 'funds', read: fundsAnswersOf, Table: FundsTable });

export const listAccesses = (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> =>
  showUses(parts, visit, { section: 'accesses', read: accessesOf, Table: AccessTable });
