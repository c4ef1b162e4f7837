/** Who asked for funds (PSD2 Art. 65(5)) and who read data: the two lists of uses. */
import {
  accessesOf,
  applicationsOf,
  fundsAnswersOf,
  type Place,
  type ReadUses,
} from '../../consent/watch.js';
import type { PageAnswer } from '../../http/pages.js';
import { addressWith, isNarrowed, placeOf, placeText, storedFilter, useFilterOf } from './filters.js';
import type { DashboardParts, HolderVisit } from './parts.js';
import { boardPage, Downloads, type Section, sectionPath } from './view/board.js';
import { UseFilters } from './view/filter-form.js';
import { AccessTable, FundsTable, Pages } from './view/uses.js';

const PER_PAGE = 25;

interface ListOfUses<Line> {
  readonly section: Exclude<Section, 'permissions'>;
  readonly read: ReadUses<Line>;
  readonly Table: (props: { readonly visit: HolderVisit; readonly lines: readonly Line[] }) => object;
}

const showUses = async <Line extends Place>(
  { db, timeZone }: DashboardParts,
  visit: HolderVisit,
  { section, read, Table }: ListOfUses<Line>,
): Promise<PageAnswer> => {
  const { query } = visit.request;
  const texts = visit.messages[section];
  const filter = useFilterOf(query);
  const after = placeOf(query);
  const path = sectionPath[section];
  const [lines, applications] = await Promise.all([
    // One more than is shown tells whether there is a next page.
    read(db, visit.holder.id, storedFilter(filter, timeZone), after, PER_PAGE + 1),
    applicationsOf(db, visit.holder.id),
  ]);
  const shown = lines.slice(0, PER_PAGE);
  const last = lines.length > PER_PAGE ? shown.at(-1) : undefined;
  return boardPage({
    visit,
    section,
    title: texts.title,
    path: addressWith(path, filter),
    children: (
      <div class="stack-wide">
        <div class="board-head">
          <h1>{texts.title}</h1>
          <p class="lead">{texts.lead}</p>
          <UseFilters visit={visit} path={path} filter={filter} applications={applications} />
        </div>
        {shown.length > 0 ? (
          <div class="stack">
            {Table({ visit, lines: shown })}
            <Pages
              visit={visit}
              path={path}
              filter={filter}
              isLater={after !== undefined}
              next={last && placeText(last)}
            />
          </div>
        ) : (
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
