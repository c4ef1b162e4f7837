/** A consent with its history, and its end on behalf of the customer; all consents of a person. */
import { actText } from '../acts/texts.js';
import { endConsent } from '../admin/acts.js';
import { isOpen } from '../admin/consents.js';
import type { ConsentStatus } from '../consent/record.js';
import { ActForm, consolePage, hrefOf, messagePage } from '../console/frame.js';
import { countText, timeText, type Visit } from '../console/visit.js';
import type { PageAnswer } from '../http/pages.js';
import { Badge } from '../web/components/badge.js';
import { Summary } from '../web/components/blocks.js';
import { Records } from '../web/components/records.js';
import { withReason } from './openings.js';
import type { ConsoleParts } from './parts.js';
import { mayDo } from './roles.js';

const meaningOf = (status: ConsentStatus) => {
  if (status === 'Valid') return 'good';
  return status === 'Received' ? 'notice' : 'quiet';
};

const Status = ({ visit, status }: { readonly visit: Visit; readonly status: ConsentStatus }) => (
  <Badge meaning={meaningOf(status)}>{visit.messages.consents.statuses[status]}</Badge>
);

const renderConsent = async ({ admin }: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const { consents: texts, absent } = visit.messages;
  const id = visit.request.params.id ?? '';
  const found = await admin.consent(id);
  if (!found) return messagePage(visit, 404, absent);
  const { psuId, asked, status, use, history, notes } = found;
  const party = <a href={hrefOf(visit, `/parties/${asked.tppId}`)}>{asked.tppName}</a>;
  const person = <a href={hrefOf(visit, `/people/${encodeURIComponent(psuId)}`)}>{psuId}</a>;
  return consolePage(visit, {
    title: texts.heading,
    path: `/consents/${id}`,
    children: (
      <>
        <Summary
          facts={[
            { name: 'Id', value: <code>{id}</code> },
            { name: texts.kind, value: texts.kinds[asked.kind] },
            { name: texts.status, value: <Status visit={visit} status={status} /> },
            { name: texts.party, value: party },
            { name: texts.application, value: asked.applicationName },
            { name: texts.person, value: person },
            { name: texts.created, value: timeText(visit, asked.createdAt) },
            { name: texts.expires, value: asked.expiresAt === null ? '–' : timeText(visit, asked.expiresAt) },
            { name: texts.uses, value: countText(visit, use?.count ?? 0) },
          ]}
        />
        <section class="stack" aria-labelledby="history">
          <h2 id="history">{texts.history}</h2>
          <Records
            caption={texts.history}
            shape="equal"
            columns={[texts.at, texts.change, texts.by]}
            rows={history.map(({ at, to, by, reason }, index) => ({
              key: String(index),
              cells: [
                timeText(visit, at),
                reason === null ? texts.statuses[to] : `${texts.statuses[to]} (${reason})`,
                texts.actors[by] ?? by,
              ],
            }))}
          />
        </section>
        {notes.length > 0 && (
          <section class="stack" aria-labelledby="notes">
            <h2 id="notes">{texts.notes}</h2>
            <Summary facts={notes.map(({ at, note }) => ({ name: timeText(visit, at), value: note }))} />
          </section>
        )}
        {isOpen({ status }) && mayDo(visit.operator.role, 'consents/end') && (
          <ActForm
            visit={visit}
            path={`/consents/${id}/end`}
            id="end"
            heading={actText(endConsent.texts, visit.lang, endConsent.name)}
            text={texts.endText}
            submit={actText(endConsent.texts, visit.lang, endConsent.name)}
          />
        )}
      </>
    ),
  });
};

/** A page stays small: the newest ones. */
const MOST = 200;

const renderPerson = async ({ admin }: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const texts = visit.messages.consents;
  const psuId = visit.request.params.id ?? '';
  const rows = await admin.consents({ psuId });
  return consolePage(visit, {
    title: texts.ofPerson,
    path: `/people/${encodeURIComponent(psuId)}`,
    children:
      rows.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <Records
          caption={texts.ofPerson}
          shape="equal"
          columns={[texts.created, texts.kind, texts.party, texts.status]}
          rows={rows.slice(0, MOST).map(({ id, createdAt, kind, tppName, status }) => ({
            key: id,
            cells: [
              <a href={hrefOf(visit, `/consents/${id}`)}>{timeText(visit, createdAt)}</a>,
              texts.kinds[kind],
              tppName,
              <Status visit={visit} status={status} />,
            ],
          }))}
        />
      ),
  });
};

export const showConsent = withReason('consents', renderConsent);
export const showPerson = withReason('people', renderPerson);
