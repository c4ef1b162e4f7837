/** The request log of one application: its last calls, why one failed and what to do; filtered, and followed live. */
import type { PageAnswer } from '../../http/pages.js';
import type { RequestLine } from '../../observe/request-log/records.js';
import { problemNamed } from '../../problem/problem.js';
import { Badge, type Meaning } from '../../web/components/badge.js';
import { type Fact, Summary } from '../../web/components/blocks.js';
import { portalPage, timeText } from './frame.js';
import { applicationPath, type DeveloperParts, type OwnApplication, type Visit } from './visit.js';

const ON_PAGE = 40;
const REFRESH_SECONDS = '3';
const classes = ['2', '4', '5'] as const;

interface Filter {
  readonly status: string;
  readonly operation: string;
  readonly id: string;
  readonly isLive: boolean;
  readonly page: number;
}

const filterOf = ({ request: { query } }: Visit): Filter => ({
  status: classes.find((each) => each === query.status) ?? '',
  operation: query.operation ?? '',
  id: (query.id ?? '').trim(),
  isLive: query.live === '1',
  page: /^[1-9]\d?$/.test(query.page ?? '') ? Number(query.page) : 1,
});

const addressOf = (path: string, { status, operation, id, isLive, page }: Filter): string => {
  const query = new URLSearchParams({
    ...(status && { status }),
    ...(operation && { operation }),
    ...(id && { id }),
    ...(isLive && { live: '1' }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
  return query === '' ? path : `${path}?${query}`;
};

const isNamed = ({ requestId }: RequestLine, id: string | undefined): boolean =>
  requestId.toLowerCase() === id?.trim().toLowerCase();

const fits =
  ({ status, operation, id }: Filter) =>
  (call: RequestLine): boolean =>
    (status === '' || String(call.status).startsWith(status)) &&
    (operation === '' || call.operation === operation) &&
    (id === '' || isNamed(call, id));

const meaningOf = (status: number): Meaning =>
  status >= 500 || status === 0 ? 'bad' : status >= 400 ? 'notice' : 'good';

const Call = ({ visit, call }: { readonly visit: Visit; readonly call: RequestLine }) => {
  const { frame, messages } = visit;
  const texts = messages.calls;
  const kind = problemNamed(call.slug);
  const inEnglish = (text: string) => <span lang="en">{text}</span>;
  const facts: Fact[] = [
    ...(kind
      ? [
          {
            name: texts.what,
            value: (
              <>
                <a href={frame.href(`/problems/${call.slug}`)}>{inEnglish(kind.title)}</a>{' '}
                <code>{call.slug}</code>
                <p lang="en">{call.detail ?? kind.when}</p>
              </>
            ),
          },
        ]
      : []),
    ...(call.fields?.length ? [{ name: texts.fields, value: <code>{call.fields.join(', ')}</code> }] : []),
    ...(kind ? [{ name: texts.remedy, value: inEnglish(kind.remedy) }] : []),
    { name: texts.id, value: <code>{call.requestId}</code> },
    {
      name: texts.headers,
      value: (
        <ul class="plain small">
          {Object.entries(call.headers).map(([name, value]) => (
            <li key={name}>
              <code>{`${name}: ${value}`}</code>
            </li>
          ))}
        </ul>
      ),
    },
  ];
  return (
    <li>
      <details class="more portal-call" open={kind !== undefined && isNamed(call, visit.request.query.id)}>
        <summary>
          <Badge meaning={meaningOf(call.status)}>
            {call.status === 0 ? texts.left : String(call.status)}
          </Badge>{' '}
          <span class="portal-what">
            {call.operation === 'none' ? `${call.method} – ${texts.noPath}` : call.operation}
            {kind && <span class="portal-why"> {call.slug}</span>}
          </span>{' '}
          <span class="quiet small">
            {timeText(visit, call.at)} · {call.ms} ms
          </span>
        </summary>
        <div>
          <Summary facts={facts} />
        </div>
      </details>
    </li>
  );
};

const FilterForm = ({
  visit,
  path,
  filter,
  operations,
}: {
  readonly visit: Visit;
  readonly path: string;
  readonly filter: Filter;
  readonly operations: readonly string[];
}) => {
  const texts = visit.messages.calls;
  return (
    <form class="card portal-filter" method="get" action={visit.frame.href(path)} aria-label={texts.filter}>
      <div class="filter-fields">
        <div class="field">
          <label for="status">{texts.status}</label>
          <select id="status" name="status">
            <option value="">{texts.all}</option>
            {classes.map((each) => (
              <option key={each} value={each} selected={each === filter.status}>{`${each}xx`}</option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="operation">{texts.operation}</label>
          <select id="operation" name="operation">
            <option value="">{texts.all}</option>
            {operations.map((each) => (
              <option key={each} value={each} selected={each === filter.operation}>
                {each === 'none' ? texts.noPath : each}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="id">{texts.id}</label>
          <input
            id="id"
            name="id"
            type="text"
            spellcheck={false}
            autocomplete="off"
            maxLength={64}
            value={filter.id}
          />
        </div>
        <button class="button second" type="submit">
          {texts.apply}
        </button>
      </div>
    </form>
  );
};

export const showCalls = async (
  { admin }: DeveloperParts,
  visit: Visit,
  application: OwnApplication,
): Promise<PageAnswer> => {
  const { frame, messages } = visit;
  const texts = messages.calls;
  const { clientId, name } = application;
  const path = applicationPath(clientId, '/log');
  const filter = filterOf(visit);
  const all = await admin.requests(clientId);
  const found = all.filter(fits(filter));
  const first = (filter.page - 1) * ON_PAGE;
  const shown = found.slice(first, first + ON_PAGE);
  const operations = [...new Set(all.map(({ operation }) => operation))].toSorted();
  const link = (change: Partial<Filter>): string => frame.href(addressOf(path, { ...filter, ...change }));
  return portalPage(
    visit,
    {
      title: `${texts.heading}: ${name}`,
      path,
      address: addressOf(path, filter),
      application,
      children: (
        <>
          <p class="lead">{texts.lead}</p>
          <FilterForm visit={visit} path={path} filter={filter} operations={operations} />
          <div class="actions">
            <a class="button" href={link({ isLive: !filter.isLive, page: 1 })}>
              {filter.isLive ? texts.stop : texts.live}
            </a>
            {filter.isLive && <p role="status">{texts.following}</p>}
          </div>
          {shown.length === 0 ? (
            <p class="quiet">{texts.none}</p>
          ) : (
            <ol class="plain portal-calls">
              {shown.map((call) => (
                <Call key={call.position} visit={visit} call={call} />
              ))}
            </ol>
          )}
          <div class="actions">
            {filter.page > 1 && (
              <a class="button second" rel="prev" href={link({ page: filter.page - 1 })}>
                {texts.newer}
              </a>
            )}
            {found.length > first + ON_PAGE && (
              <a class="button second" rel="next" href={link({ page: filter.page + 1 })}>
                {texts.older}
              </a>
            )}
          </div>
          <p class="quiet small">{texts.hidden}</p>
        </>
      ),
    },
    // A header, because it needs no script; the visitor has chosen it and can stop it.
    filter.isLive ? { headers: { Refresh: REFRESH_SECONDS } } : {},
  );
};
