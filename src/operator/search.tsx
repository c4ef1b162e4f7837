/** The first page: one field that finds anything, and what waits for people. */
import type { Hit } from '../admin/search.js';
import type { PageAnswer } from '../http/pages.js';
import { Submit, TextField } from '../web/components/form.js';
import { Records } from '../web/components/records.js';
import { consolePage, hrefOf } from './frame.js';
import type { ConsoleParts, Visit } from './visit.js';

const paths: Readonly<Record<Hit['kind'], string>> = {
  tpp: '/parties',
  call: '/parties',
  consent: '/consents',
  payment: '/consents',
  person: '/people',
};

const Hits = ({ visit, hits }: { readonly visit: Visit; readonly hits: readonly Hit[] }) => {
  const texts = visit.messages.search;
  if (hits.length === 0) return <p>{texts.none}</p>;
  return (
    <Records
      caption={texts.found}
      shape="pairs"
      columns={[texts.kind, texts.name]}
      rows={hits.map(({ kind, id, text }, index) => ({
        key: `${kind}-${id}-${index}`,
        cells: [
          texts.kinds[kind] ?? kind,
          <a href={hrefOf(visit, `${paths[kind]}/${encodeURIComponent(id)}`)}>{text}</a>,
        ],
      }))}
    />
  );
};

export const showSearch = async ({ admin }: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const texts = visit.messages.search;
  const wanted = visit.request.query.q ?? '';
  const hits = await admin.search(wanted);
  const unresolved = (await admin.openPayments()).filter(({ unresolvedAt }) => unresolvedAt !== null).length;
  const backlog = (await admin.pendingNotifications()).length;
  return consolePage(visit, {
    title: texts.heading,
    path: '',
    children: (
      <>
        <form class="stack" method="get" action={hrefOf(visit)}>
          <TextField field="q" label={texts.label} hint={texts.hint} value={wanted} refusal={visit.refusal} />
          <Submit text={texts.submit} />
        </form>
        {wanted.trim() !== '' && <Hits visit={visit} hits={hits} />}
        <ul>
          <li>
            <a href={hrefOf(visit, '/payments')}>{texts.decisions(unresolved)}</a>
          </li>
          <li>
            <a href={hrefOf(visit, '/events')}>{texts.backlog(backlog)}</a>
          </li>
        </ul>
      </>
    ),
  });
};
