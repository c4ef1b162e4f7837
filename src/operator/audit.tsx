/** The audit log, newest first, by who, what or about what. */
import type { AuditRow } from '../audit/audit-log.js';
import { consolePage, hrefOf } from '../console/frame.js';
import { timeText, type Visit } from '../console/visit.js';
import type { PageAnswer } from '../http/pages.js';
import { Submit, TextField } from '../web/components/form.js';
import { Records } from '../web/components/records.js';
import type { ConsoleParts } from './parts.js';

const MOST = 50;

const Rows = ({ visit, rows }: { readonly visit: Visit; readonly rows: readonly AuditRow[] }) => {
  const texts = visit.messages.audit;
  if (rows.length === 0) return <p>{texts.none}</p>;
  return (
    <Records
      caption={texts.heading}
      shape="equal"
      columns={[texts.at, texts.actor, texts.act, texts.subject, texts.why, texts.details]}
      rows={rows.map((row) => ({
        key: String(row.position),
        cells: [
          timeText(visit, row.at),
          row.actor,
          row.act,
          <code class="small">{row.subject}</code>,
          row.reason ?? '',
          row.details === '{}' ? '' : <code class="small">{row.details}</code>,
        ],
      }))}
    />
  );
};

export const showAudit = async ({ admin }: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const texts = visit.messages.audit;
  const { actor = '', act = '', subject = '', before = '' } = visit.request.query;
  const position = /^\d{1,15}$/.test(before) ? Number(before) : undefined;
  const wanted = { actor: actor.trim(), act: act.trim(), subject: subject.trim() };
  const rows = await admin.audit({ ...wanted, before: position }, MOST);
  const last = rows.at(-1)?.position;
  const query = new URLSearchParams({ ...wanted, before: String(last) });
  const { refusal } = visit;
  return consolePage(visit, {
    title: texts.heading,
    path: '/audit',
    children: (
      <>
        <p class="lead">{texts.lead}</p>
        <form class="stack" method="get" action={hrefOf(visit, '/audit')}>
          <TextField field="act" label={texts.act} hint={texts.actHint} value={act} refusal={refusal} />
          <TextField
            field="subject"
            label={texts.subject}
            hint={texts.subjectHint}
            value={subject}
            refusal={refusal}
          />
          <TextField field="actor" label={texts.actor} value={actor} refusal={refusal} />
          <Submit text={texts.filter} isSecond />
        </form>
        <Rows visit={visit} rows={rows} />
        {rows.length === MOST && (
          <p>
            <a href={`${hrefOf(visit, '/audit')}?${query}`} rel="next">
              {texts.older}
            </a>
          </p>
        )}
      </>
    ),
  });
};
