/** Third parties: certificates and their ends, policies, keys, quotas, calls; suspension with the notices that PSD2 Art. 68 asks for. */

import { DerivedForm } from '../console/derived-form.js';
import { ActForm, consolePage, hrefOf, messagePage } from '../console/frame.js';
import { countText, timeText, type Visit } from '../console/visit.js';
import type { PageAnswer } from '../http/pages.js';
import { resumeTpp, suspendTpp } from '../tpp/acts.js';
import type { ApplicationRow, TppRow } from '../tpp/listing.js';
import { Badge } from '../web/components/badge.js';
import { Summary } from '../web/components/blocks.js';
import { CodeBlock } from '../web/components/code-block.js';
import { TextField } from '../web/components/form.js';
import { Records } from '../web/components/records.js';
import type { ConsoleParts } from './parts.js';
import { AccessForms } from './party-access.js';
import { mayDo } from './roles.js';

const Status = ({ visit, status }: { readonly visit: Visit; readonly status: string }) => (
  <Badge meaning={status === 'active' ? 'good' : 'bad'}>
    {visit.messages.parties.statuses[status] ?? status}
  </Badge>
);

export const showParties = async ({ admin }: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const texts = visit.messages.parties;
  const rows = await admin.tpps();
  return consolePage(visit, {
    title: texts.heading,
    path: '/parties',
    children:
      rows.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <Records
          caption={texts.heading}
          shape="equal"
          columns={[texts.name, texts.registration, texts.roles, texts.status]}
          rows={rows.slice(0, MOST).map(({ id, name, registration, roles, status }) => ({
            key: id,
            cells: [
              <a href={hrefOf(visit, `/parties/${id}`)}>{name}</a>,
              registration,
              roles,
              <Status visit={visit} status={status} />,
            ],
          }))}
        />
      ),
  });
};

/** A page stays small; the search finds the others. */
const MOST = 200;

const Certificates = async ({ admin }: ConsoleParts, visit: Visit, id: string) => {
  const texts = visit.messages.parties;
  const rows = await admin.certificates(id);
  return (
    <section class="stack" aria-labelledby="certificates">
      <h2 id="certificates">{texts.certificates}</h2>
      {rows.length === 0 ? (
        <p>{texts.noCertificates}</p>
      ) : (
        <Records
          caption={texts.certificates}
          shape="equal"
          columns={[texts.ends, texts.use, texts.status, texts.fingerprint]}
          rows={rows.map(({ fingerprint, use, notAfter, blockedAt }) => ({
            key: fingerprint,
            cells: [
              notAfter === null ? '' : timeText(visit, notAfter),
              use ?? '',
              blockedAt === null ? '' : <Badge meaning="bad">{texts.blocked}</Badge>,
              <code class="small">{fingerprint}</code>,
            ],
          }))}
        />
      )}
    </section>
  );
};

const problemsOf = async (
  { admin }: ConsoleParts,
  applications: readonly ApplicationRow[],
): Promise<readonly (readonly [string, number])[]> => {
  const counts = new Map<string, number>();
  for (const { clientId } of applications)
    for (const { slug } of await admin.requests(clientId))
      if (slug !== undefined) counts.set(slug, (counts.get(slug) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).slice(0, 20);
};

const Applications = async (parts: ConsoleParts, visit: Visit, rows: readonly ApplicationRow[]) => {
  const texts = visit.messages.parties;
  const shown = rows.slice(0, 20);
  const lines = await Promise.all(
    shown.map(async ({ clientId, name, status, binding }) => {
      const days = await parts.admin.usage(clientId);
      const sum = (member: 'calls' | 'refused' | 'limited' | 'failed'): string =>
        countText(
          visit,
          days.reduce((total, day) => total + day[member], 0),
        );
      const [quota] = await parts.admin.quotas(clientId);
      const limit =
        quota && (quota.perMinute ?? quota.perDay) !== null
          ? `${quota.perMinute ?? '–'}, ${quota.perDay ?? '–'}`
          : texts.quotaDefault;
      const events = <a href={hrefOf(visit, `/events/${encodeURIComponent(clientId)}`)}>{name}</a>;
      return {
        key: clientId,
        facts: [events, <Status visit={visit} status={status} />, texts.bindings[binding] ?? binding, limit],
        cells: [name, sum('calls'), sum('refused'), sum('limited'), sum('failed')],
      };
    }),
  );
  const problems = await problemsOf(parts, shown);
  return (
    <section class="stack" aria-labelledby="applications">
      <h2 id="applications">{texts.applications}</h2>
      <Records
        caption={texts.applications}
        shape="equal"
        columns={[texts.name, texts.status, texts.binding, texts.quota]}
        rows={lines.map(({ key, facts }) => ({ key, cells: facts }))}
      />
      <h3>{texts.calls}</h3>
      <Records
        caption={texts.calls}
        shape="equal"
        columns={[texts.name, texts.all, texts.refused, texts.limited, texts.failed]}
        rows={lines}
      />
      <h3>{texts.problems}</h3>
      {problems.length === 0 ? (
        <p>{texts.noProblems}</p>
      ) : (
        <Records
          caption={texts.problems}
          shape="pairs"
          columns={[texts.problem, texts.count]}
          rows={problems.map(([slug, count]) => ({ key: slug, cells: [slug, countText(visit, count)] }))}
        />
      )}
    </section>
  );
};

const Keys = async ({ admin }: ConsoleParts, visit: Visit, id: string) => {
  const texts = visit.messages.parties;
  const rows = await admin.keys(id);
  return (
    <section class="stack" aria-labelledby="keys">
      <h2 id="keys">{texts.keys}</h2>
      {rows.length === 0 ? (
        <p>{texts.noKeys}</p>
      ) : (
        <Records
          caption={texts.keys}
          shape="equal"
          columns={[texts.slot, texts.product, texts.status]}
          rows={rows.slice(0, MOST).map((row) => ({
            key: row.id,
            cells: [row.slot, row.products, <Status visit={visit} status={row.status} />],
          }))}
        />
      )}
    </section>
  );
};

const Notices = ({
  visit,
  tpp,
  now,
}: {
  readonly visit: Visit;
  readonly tpp: TppRow;
  readonly now: number;
}) => {
  const { parties: texts, notices } = visit.messages;
  const { name, registration, suspensionReason } = tpp;
  const reason = suspensionReason ?? '…';
  const since = timeText(visit, now);
  return (
    <section class="stack" aria-labelledby="notices">
      <h2 id="notices">{texts.notices}</h2>
      <CodeBlock name={texts.toHolder} code={notices.holder(name, reason, since)} />
      <CodeBlock name={texts.toAuthority} code={notices.authority(name, registration, reason, since)} />
    </section>
  );
};

const UnattendedForm = ({ visit, tpp }: { readonly visit: Visit; readonly tpp: TppRow }) => {
  const texts = visit.messages.parties;
  if (!mayDo(visit.operator.role, 'parties/unattended')) return null;
  return (
    <ActForm
      visit={visit}
      path={`/parties/${tpp.id}/unattended`}
      id="unattended-reads"
      heading={texts.unattended}
      text={texts.unattendedText}
      submit={texts.unattendedSave}
    >
      <TextField
        field="unattended"
        label={texts.unattendedField}
        hint={texts.unattendedHint}
        value={visit.refusal.values.unattended ?? String(tpp.unattendedPerDay ?? '')}
        refusal={visit.refusal}
      />
    </ActForm>
  );
};

export const showParty = async (parts: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const { parties: texts, absent } = visit.messages;
  const id = visit.request.params.id ?? '';
  const [tpp] = await parts.admin.tpps(id);
  if (!tpp) return messagePage(visit, 404, absent);
  const applications = await parts.admin.applications(tpp.id);
  const isSuspended = tpp.status !== 'active';
  const until = tpp.suspendedUntil === null ? texts.forever : timeText(visit, tpp.suspendedUntil);
  return consolePage(visit, {
    title: tpp.name,
    path: `/parties/${tpp.id}`,
    children: (
      <>
        <Summary
          facts={[
            { name: texts.registration, value: tpp.registration },
            { name: texts.roles, value: tpp.roles },
            { name: texts.status, value: <Status visit={visit} status={tpp.status} /> },
            { name: texts.policy, value: tpp.signaturePolicy ?? texts.policyDefault },
            { name: texts.unattended, value: String(tpp.unattendedPerDay ?? texts.policyDefault) },
            ...(isSuspended
              ? [
                  { name: texts.until, value: until },
                  { name: texts.why, value: tpp.suspensionReason ?? '' },
                ]
              : []),
          ]}
        />
        {isSuspended && <Notices visit={visit} tpp={tpp} now={await suspendedAt(parts, tpp)} />}
        {await Certificates(parts, visit, tpp.id)}
        {await Applications(parts, visit, applications)}
        {await Keys(parts, visit, tpp.id)}
        <AccessForms
          visit={visit}
          id={tpp.id}
          rows={{ applications, keys: await parts.admin.keys(tpp.id) }}
        />
        <UnattendedForm visit={visit} tpp={tpp} />
        <DerivedForm visit={visit} act={isSuspended ? resumeTpp : suspendTpp} id={tpp.id} />
      </>
    ),
  });
};

/** As the audit log says. */
const suspendedAt = async ({ admin, clock }: ConsoleParts, { id }: TppRow): Promise<number> => {
  const [row] = await admin.audit({ act: 'tpp.suspend', subject: `tpp:${id}` }, 1);
  return row?.at ?? clock.now();
};
