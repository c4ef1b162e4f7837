/** The published ATM list, and the preview of another one: what would be added, changed and removed, and what is refused. */
import { actText } from '../acts/texts.js';
import { publishAtms } from '../atms/acts.js';
import type { Difference } from '../atms/difference.js';
import type { Review } from '../atms/review.js';
import { ActForm, consolePage, hrefOf, messagePage } from '../console/frame.js';
import { UploadFields } from '../console/upload-fields.js';
import { countText, refused, timeText, type Visit } from '../console/visit.js';
import { type PageAnswer, seeOther } from '../http/pages.js';
import { Callout, Summary } from '../web/components/blocks.js';
import { FieldError } from '../web/components/error-summary.js';
import { PostForm, Submit, TextField } from '../web/components/form.js';
import { Records } from '../web/components/records.js';
import type { ConsoleParts } from './parts.js';
import { mayDo } from './roles.js';
import { uploadedIn } from './uploads.js';

/** A page stays small. */
const MOST = 20;

const UploadForm = ({ visit }: { readonly visit: Visit }) => {
  const { atms: texts } = visit.messages;
  const { refusal } = visit;
  return (
    <section class="card" aria-labelledby="upload">
      <h2 id="upload">{texts.upload}</h2>
      <p>{texts.uploadText}</p>
      <PostForm action={hrefOf(visit, '/atms')} token={visit.formToken} isUpload>
        <UploadFields visit={visit} texts={texts} accept=".json,.geojson,.csv" />
        <TextField
          field="country"
          label={texts.country}
          hint={texts.countryHint}
          value={refusal.values.country ?? ''}
          refusal={refusal}
        />
        <Submit text={texts.preview} />
      </PostForm>
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
  const { atms: texts } = visit.messages;
  const { form } = visit.request;
  const country = form.country?.trim().toUpperCase() ?? '';
  if (!/^([A-Z]{2})?$/.test(country)) return showAtms(parts, refused(visit, 'country', texts.countryWrong));
  const read = uploadedIn(visit.request, 'atms');
  if (!read) return showAtms(parts, refused(visit, 'file', texts.empty));
  if ('fault' in read) return showAtms(parts, refused(visit, 'file', `${texts.unreadable} ${read.fault}`));
  const id = await parts.admin.draftAtms(read.feed, country || undefined, `operator:${visit.operator.name}`);
  return seeOther(hrefOf(visit, `/atms/${id}`));
};

const Refused = ({ visit, review }: { readonly visit: Visit; readonly review: Review }) => {
  const texts = visit.messages.atms;
  if (review.refused === 0) return null;
  return (
    <section class="stack" aria-labelledby="refused">
      <h2 id="refused">{texts.some(texts.refused, review.refused, MOST)}</h2>
      <Records
        caption={texts.refused}
        shape="pairs"
        columns={[texts.record, texts.why]}
        rows={review.refusals.slice(0, MOST).map(({ record, id, faults }) => ({
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

const PublishForm = ({ visit, review }: { readonly visit: Visit; readonly review: Review }) => {
  const texts = visit.messages.atms;
  const { id = '' } = visit.request.params;
  if (review.accepted === 0 || !mayDo(visit.operator.role, 'atms/publish')) return null;
  const name = actText(publishAtms.texts, visit.lang, publishAtms.name);
  return (
    <ActForm
      visit={visit}
      path={`/atms/${id}/publish`}
      id="publish"
      heading={name}
      text={texts.publishText(countText(visit, review.accepted))}
      submit={name}
    >
      {review.refused > 0 && (
        <div>
          <FieldError field="allow" errors={visit.refusal.errors} />
          <label class="choice" for="allow">
            <input id="allow" name="allow" type="checkbox" value="yes" />
            <span>{texts.allow(countText(visit, review.refused))}</span>
          </label>
        </div>
      )}
    </ActForm>
  );
};

export const showDraft = async ({ admin, uploads }: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const { atms: texts, absent } = visit.messages;
  const id = visit.request.params.id ?? '';
  const draft = await admin.atmDraft(id);
  if (!draft) return messagePage(visit, 404, absent);
  const review = await uploads.run('draft', draft);
  const { difference } = review;
  return consolePage(visit, {
    title: texts.previewHeading,
    path: `/atms/${id}`,
    children: (
      <>
        <Summary
          facts={[
            { name: texts.read, value: countText(visit, review.read) },
            { name: texts.accepted, value: countText(visit, review.accepted) },
            { name: texts.repaired, value: countText(visit, review.repaired) },
            { name: texts.refused, value: countText(visit, review.refused) },
            { name: texts.added, value: countText(visit, difference.added.length) },
            { name: texts.changed, value: countText(visit, difference.changed.length) },
            { name: texts.removed, value: countText(visit, difference.removed.length) },
            { name: texts.unchanged, value: countText(visit, difference.unchanged) },
          ]}
        />
        <Refused visit={visit} review={review} />
        <Changes visit={visit} difference={difference} />
        {draft.isFresh ? (
          <PublishForm visit={visit} review={review} />
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
