/** What the bank publishes about its interface: `/statistics` with its files. */
import { everybody } from '../../http/audience.js';
import type { Page, PageRequest } from '../../http/pages.js';
import { type Clock, MINUTE } from '../../lib/clock.js';
import { Problem } from '../../problem/problem.js';
import { publishedQuarters, publishedText, quarterAt, readQuarter } from '../../statistics/quarters.js';
import { csvOf, englishHeads, greekHeads } from '../../statistics/table.js';
import type { Queries } from '../../store/db.js';
import type { Frame } from '../../web/frame.js';
import { inLanguage, languageOf } from '../../web/language.js';
import { kept } from './kept.js';
import { PATH, statisticsPage } from './page.js';

export interface StatisticsPageParts {
  readonly frame: () => Frame;
  readonly db: Queries;
  readonly clock: Clock;
  readonly timeZone: string;
}

const KEPT_MS = 10 * MINUTE;
const QUARTER_LENGTH = 6;
const heads = { el: greekHeads, en: englishHeads };

export const createStatisticsPages = ({
  frame,
  db,
  clock,
  timeZone,
}: StatisticsPageParts): readonly Page[] => {
  /** Days that are over hardly change, and anybody may ask for them. */
  const quarterNamed = kept(clock, KEPT_MS, (key) =>
    readQuarter(db, key.slice(0, QUARTER_LENGTH), clock.now(), timeZone),
  );
  /** The running one and those that were published: others are not for everybody. */
  const wanted = async ({ query }: PageRequest) => {
    const published = await publishedQuarters(db);
    const quarters = [...new Set([quarterAt(clock.now(), timeZone), ...published])];
    const name = query.quarter ?? quarters[0] ?? '';
    const quarter = quarters.includes(name)
      ? await quarterNamed(`${name} ${published.includes(name)}`)
      : undefined;
    return { quarters, name, quarter };
  };
  const found = async (request: PageRequest) => {
    const { quarter, name } = await wanted(request);
    if (!quarter) throw new Problem('route-not-found', { detail: 'There is no such quarter.' });
    return { quarter, name };
  };
  return [
    {
      method: 'GET',
      path: PATH,
      audience: everybody,
      render: async (request) => {
        const lang = languageOf(request);
        const { quarters, quarter } = await wanted(request);
        const view = { frame: frame(), lang, timeZone, heads: heads[lang], quarters, quarter };
        return inLanguage(request, statisticsPage(view));
      },
    },
    {
      method: 'GET',
      path: `${PATH}.csv`,
      audience: everybody,
      render: async (request) => {
        const lang = languageOf(request);
        const { quarter, name } = await found(request);
        const headers = { 'Content-Disposition': `attachment; filename="statistics-${name}.csv"` };
        const body = csvOf(quarter, lang === 'el' ? 'el-GR' : 'en-GB', heads[lang]);
        return inLanguage(request, { status: 200, type: 'text/csv', body, headers });
      },
    },
    {
      method: 'GET',
      path: `${PATH}.json`,
      audience: everybody,
      render: async (request) => {
        const { quarter, name } = await found(request);
        // The very bytes whose hash was published.
        const body = (await publishedText(db, name))?.figures ?? JSON.stringify(quarter);
        return { status: 200, type: 'application/json', body };
      },
    },
  ];
};
