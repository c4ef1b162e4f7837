/** Calls and errors of the last minutes, by third party and by problem. */

import { consolePage, hrefOf } from '../console/frame.js';
import { countText, shareText, timeText, type Visit } from '../console/visit.js';
import type { PageAnswer } from '../http/pages.js';
import { type CallCount, LIVE_MINUTES } from '../observe/live-calls.js';
import { Records } from '../web/components/records.js';
import type { ConsoleParts } from './parts.js';

/** The busiest of them. */
const MOST = 50;

interface Sum {
  readonly key: string;
  readonly status: number;
  all: number;
  refused: number;
  failed: number;
}

/** 0: the client left before the answer. */
const hasFailed = ({ status }: CallCount): boolean => status >= 500 || status === 0;

const sumsBy = (counts: readonly CallCount[], keyOf: (count: CallCount) => string): readonly Sum[] => {
  const sums = new Map<string, Sum>();
  for (const each of counts) {
    const key = keyOf(each);
    const sum = sums.get(key) ?? { key, status: each.status, all: 0, refused: 0, failed: 0 };
    sum.all += each.count;
    if (hasFailed(each)) sum.failed += each.count;
    else if (each.problem !== '') sum.refused += each.count;
    sums.set(key, sum);
  }
  return [...sums.values()].toSorted((a, b) => b.all - a.all).slice(0, MOST);
};

const ByParty = async ({ admin }: ConsoleParts, visit: Visit, counts: readonly CallCount[]) => {
  const texts = visit.messages.calls;
  const owners = new Map(
    (await admin.applications()).map(({ clientId, tppId }) => [clientId as string, tppId]),
  );
  const names = new Map((await admin.tpps()).map(({ id, name }) => [id, name]));
  const sums = sumsBy(counts, ({ clientId }) => owners.get(clientId) ?? '');
  return (
    <Records
      caption={texts.byParty}
      shape="equal"
      columns={[texts.party, texts.all, texts.refused, texts.failed, texts.rate]}
      rows={sums.map(({ key, all, refused, failed }) => ({
        key,
        cells: [
          key === '' ? texts.unknown : <a href={hrefOf(visit, `/parties/${key}`)}>{names.get(key)}</a>,
          countText(visit, all),
          countText(visit, refused),
          countText(visit, failed),
          shareText(visit, refused + failed, all),
        ],
      }))}
    />
  );
};

const ByProblem = ({ visit, counts }: { readonly visit: Visit; readonly counts: readonly CallCount[] }) => {
  const texts = visit.messages.calls;
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const sums = sumsBy(
    counts.filter(({ problem }) => problem !== ''),
    ({ problem }) => problem,
  );
  if (sums.length === 0) return <p>{texts.noProblem}</p>;
  return (
    <Records
      caption={texts.byProblem}
      shape="equal"
      columns={[texts.problem, texts.status, texts.count, texts.share]}
      rows={sums.map((each) => ({
        key: each.key,
        cells: [
          each.key,
          each.status === 0 ? texts.left : String(each.status),
          countText(visit, each.all),
          shareText(visit, each.all, all),
        ],
      }))}
    />
  );
};

export const showCalls = async (parts: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const texts = visit.messages.calls;
  const counts = await parts.calls();
  return consolePage(visit, {
    title: texts.heading(LIVE_MINUTES),
    path: '/calls',
    children: (
      <>
        <p class="lead">{texts.lead(timeText(visit, parts.clock.now()))}</p>
        {counts.length === 0 ? (
          <p>{texts.none}</p>
        ) : (
          <>
            <section class="stack" aria-labelledby="by-party">
              <h2 id="by-party">{texts.byParty}</h2>
              {await ByParty(parts, visit, counts)}
            </section>
            <section class="stack" aria-labelledby="by-problem">
              <h2 id="by-problem">{texts.byProblem}</h2>
              <ByProblem visit={visit} counts={counts} />
            </section>
          </>
        )}
      </>
    ),
  });
};
