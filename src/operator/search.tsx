/** The first page: one field that finds anything, and what waits for people. */
import type { Hit } from '../admin/search.js';
import { consolePage, hrefOf } from '../console/frame.js';
import { maySee } from '../console/pages.js';
import type { Visit } from '../console/visit.js';
import type { PageAnswer } from '../http/pages.js';
import { Submit, TextField } from '../web/components/form.js';
import { Records } from '../web/components/records.js';
import { noteReads } from './openings.js';
import type { ConsoleParts } from './parts.js';

const paths = {
  tpp: '/parties',
  call: '/parties',
  consent: '/consents',
  payment: '/consents',
  person: '/people',
} as const satisfies Readonly<Record<Hit['kind'], string>>;

/** A payment is found as its consent. */
const subjectOf = ({ kind, id }: Hit): string => `${kind === 'person' ? 'person' : 'consent'}:${id}`;

interface HitsProps {
  readonly visit: Visit;
  readonly hits: readonly Hit[];
  readonly keepsCalls: boolean;
}

const Hits = ({ visit, hits, keepsCalls }: HitsProps) => {
  const texts = visit.messages.search;
  if (hits.length === 0)
    return (
      <p>
        {texts.none} {keepsCalls ? texts.callsKept : texts.callsNotKept}
      </p>
    );
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

export const showSearch = async (parts: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const { admin } = parts;
  const { role } = visit.operator;
  const texts = visit.messages.search;
  const wanted = visit.request.query.q ?? '';
  const hits = (await admin.search(wanted)).filter(({ kind }) => maySee(role, `${paths[kind]}/:id`));
  const ofPersons = hits.filter(({ kind }) => paths[kind] !== '/parties');
  await noteReads(parts, visit, 'search.found', [...new Set(ofPersons.map(subjectOf))]);
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
        {wanted.trim() !== '' && <Hits visit={visit} hits={hits} keepsCalls={parts.keepsCalls} />}
        <ul>
          {maySee(role, '/payments') && (
            <li>
              <a href={hrefOf(visit, '/payments')}>{texts.decisions(unresolved)}</a>
            </li>
          )}
          {maySee(role, '/events') && (
            <li>
              <a href={hrefOf(visit, '/events')}>{texts.backlog(backlog)}</a>
            </li>
          )}
        </ul>
      </>
    ),
  });
};
