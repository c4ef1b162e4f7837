/** The published ATM list, and the preview of another one: what would be added, changed and removed, and what is refused. */
import type { Difference } from '../atms/difference.js';
import { ImportError, type ImportResult } from '../atms/import/result.js';
import { type PageAnswer, seeOther } from '../http/pages.js';
import { Callout, Summary } from '../web/components/blocks.js';
import { FieldError } from '../web/components/error-summary.js';
import { Submit, TextField } from '../web/components/form.js';
import { Records } from '../web/components/records.js';
import { FORM_TOKEN } from '../web/form-token.js';
import { ActForm, consolePage, hrefOf, messagePage } from './frame.js';
import { mayDo } from './roles.js';
import { UploadFields } from './upload-fields.js';
import { type ConsoleParts, countText, refused, timeText, type Visit } from './visit.js';

/** A longer list is imported by the command line. */
export const MOST_UPLOADED = 4 * 1024 * 1024;
/** A page stays small. */
const MOST = 20;

const UploadForm = ({ visit }: { readonly visit: Visit }) => {
  const { atms: texts } = visit.messages;
  const { refusal } = visit;
  return (
    <section class="card" aria-labelledby="upload">
      <h2 id="upload">{texts.upload}</h2>
      <p>{texts.uploadText}</p>
      <form class="stack" method="post" enctype="multipart/form-data" action={hrefOf(visit, '/atms')}>
        <input type="hidden" name={FORM_TOKEN} value={visit.formToken} />
        <UploadFields visit={visit} texts={texts} accept=".json,.geojson,.csv" />
        <TextField
          field="country"
          label={texts.country}
          hint={texts.countryHint}
          value={refusal.values.country ?? ''}
          refusal={refusal}
        />
        <Submit text={texts.preview} />
      </form>
    </section>
  );
};

export const showAtms = async ({ admin }: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const texts = visit.messages.atms;
  const published = await admin.publishedAtms();
  return consolePage(visit, {
    title: texts.heading,
    path: '/atms',
    children: (
      <>
        {published ? (
          <Summary
            facts={[
              { name: texts.count, value: countText(visit, published.count) },
              { name: texts.since, value: timeText(visit, published.lastModifiedMs) },
              { name: 'ETag', value: <code class="small">{published.etag}</code> },
            ]}
          />
        ) : (
          <p>{texts.none}</p>
        )}
        {mayDo(visit.operator.role, 'atms/publish') && <UploadForm visit={visit} />}
      </>
    ),
  });
};

/** Keeps what was sent, publishes nothing. */
export const uploadAtms = async (parts: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const { atms: texts, notAllowed } = visit.messages;
  if (!mayDo(visit.operator.role, 'atms/publish')) return messagePage(visit, 403, notAllowed);
  const { form, files } = visit.request;
  const country = form.country?.trim().toUpperCase() ?? '';
  if (!/^([A-Z]{2})?$/.test(country)) return showAtms(parts, refused(visit, 'country', texts.countryWrong));
  const pasted = form.pasted?.trim() ?? '';
  const bytes = files?.file?.byteLength ? files.file : Buffer.from(pasted);
  if (bytes.byteLength === 0) return showAtms(parts, refused(visit, 'file', texts.empty));
  try {
    const id = await parts.admin.draftAtms(bytes, country || undefined, `operator:${visit.operator.name}`);
    return seeOther(hrefOf(visit, `/atms/${id}`));
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return showAtms(parts, refused(visit, 'file', `${texts.unreadable} ${error.message}`));
  }
};

const Refused = ({ visit, result }: { readonly visit: Visit; readonly result: ImportResult }) => {
  const texts = visit.messages.atms;
  if (result.refused.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="refused">
      <h2 id="refused">{texts.some(texts.refused, result.refused.length, MOST)}</h2>
      <Records
        caption={texts.refused}
        shape="pairs"
        columns={[texts.record, texts.why]}
        rows={result.refused.slice(0, MOST).map(({ record, id, faults }) => ({
          key: String(record),
          cells: [
            id === null ? countText(visit, record) : `${countText(visit, record)} (${id})`,
            // The faults are described in English.
            <span lang="en">{faults.map(({ field, reason }) => `${field} ${reason}`).join('; ')}</span>,
          ],
        }))}
      />
    </section>
  );
};

const Changes = ({ visit, difference }: { readonly visit: Visit; readonly difference: Difference }) => {
  const texts = visit.messages.atms;
  const { added, changed, removed } = difference;
  const lists: readonly (readonly [string, string, readonly string[]])[] = [
    ['added', texts.added, added],
    ['changed', texts.changed, changed.map(({ id, members }) => `${id}: ${members.join(', ')}`)],
    ['removed', texts.removed, removed],
  ];
  return (
    <>
      {lists
        .filter(([, , lines]) => lines.length > 0)
        .map(([id, name, lines]) => (
          <section key={id} class="stack" aria-labelledby={id}>
            <h2 id={id}>{texts.some(name, lines.length, MOST)}</h2>
            <ul>
              {lines.slice(0, MOST).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </section>
        ))}
    </>
  );
};

const PublishForm = ({ visit, result }: { readonly visit: Visit; readonly result: ImportResult }) => {
  const texts = visit.messages.atms;
  const { id = '' } = visit.request.params;
  if (result.accepted.length === 0 || !mayDo(visit.operator.role, 'atms/publish')) return null;
  return (
    <ActForm
      visit={visit}
      path={`/atms/${id}/publish`}
      id="publish"
      heading={texts.publish}
      text={texts.publishText(countText(visit, result.accepted.length))}
      submit={texts.publish}
    >
      {result.refused.length > 0 && (
        <div>
          <FieldError field="allow" errors={visit.refusal.errors} />
          <label class="choice" for="allow">
            <input id="allow" name="allow" type="checkbox" value="yes" />
            <span>{texts.allow(countText(visit, result.refused.length))}</span>
          </label>
        </div>
      )}
    </ActForm>
  );
};

export const showDraft = async ({ admin }: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const { atms: texts, absent } = visit.messages;
  const id = visit.request.params.id ?? '';
  const draft = await admin.atmDraft(id);
  if (!draft) return messagePage(visit, 404, absent);
  const { result, difference, isFresh } = draft;
  return consolePage(visit, {
    title: texts.previewHeading,
    path: `/atms/${id}`,
    children: (
      <>
        <Summary
          facts={[
            { name: texts.read, value: countText(visit, result.read) },
            { name: texts.accepted, value: countText(visit, result.accepted.length) },
            { name: texts.repaired, value: countText(visit, result.repaired.length) },
            { name: texts.refused, value: countText(visit, result.refused.length) },
            { name: texts.added, value: countText(visit, difference.added.length) },
            { name: texts.changed, value: countText(visit, difference.changed.length) },
            { name: texts.removed, value: countText(visit, difference.removed.length) },
            { name: texts.unchanged, value: countText(visit, difference.unchanged) },
          ]}
        />
        <Refused visit={visit} result={result} />
        <Changes visit={visit} difference={difference} />
        {isFresh ? (
          <PublishForm visit={visit} result={result} />
        ) : (
          <Callout meaning="notice" heading={texts.staleHeading}>
            <p>{texts.stale}</p>
          </Callout>
        )}
        <p>
          <a href={hrefOf(visit, '/atms')}>{texts.back}</a>
        </p>
      </>
    ),
  });
};
