/** How the applications of a third party get in: their quotas, redirect addresses and secrets, each changed with a reason. */

import type { Admin } from '../admin/admin.js';
import { ActForm, consolePage, hrefOf } from '../console/frame.js';
import type { Visit } from '../console/visit.js';
import type { PageAnswer } from '../http/pages.js';
import { redirectUrisColumn } from '../tpp/columns.js';
import type { ApplicationRow, KeyRow } from '../tpp/listing.js';
import { MOST_OVERLAP_HOURS } from '../tpp/own-changes.js';
import { RegistryError } from '../tpp/registry.js';
import { CodeBlock } from '../web/components/code-block.js';
import { TextField } from '../web/components/form.js';
import { mayDo } from './roles.js';

type Outcome = string | readonly [string, string] | PageAnswer;

/** Quotas may be left as they are. */
const quotaIn = (text: string): number | null | undefined => {
  if (text === '') return undefined;
  if (text === '-') return null;
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Number.NaN;
};

const formOf = ({ request: { form } }: Visit, field: string): string => form[field]?.trim() ?? '';

/** The id is that of the third party: what is changed must be its own. */
export const setQuota = async (admin: Admin, visit: Visit, id: string): Promise<Outcome> => {
  const { access: texts } = visit.messages;
  const [perMinute, perDay] = [quotaIn(formOf(visit, 'perMinute')), quotaIn(formOf(visit, 'perDay'))];
  if (Number.isNaN(perMinute)) return ['perMinute', texts.quotaWrong];
  if (Number.isNaN(perDay)) return ['perDay', texts.quotaWrong];
  const subscriptionId = formOf(visit, 'subscription');
  const isOwn = (await admin.keys(id)).some((key) => key.subscriptionId === subscriptionId);
  if (!isOwn) return 'gone';
  await admin.setQuota(subscriptionId, { perMinute, perDay });
  return 'changed';
};

const isOf = async (admin: Admin, id: string, clientId: string): Promise<boolean> =>
  (await admin.applications(id)).some((each) => each.clientId === clientId);

export const setRedirects = async (admin: Admin, visit: Visit, id: string): Promise<Outcome> => {
  const clientId = formOf(visit, 'application');
  const uris = formOf(visit, 'redirects').split(/\s+/).filter(Boolean);
  if (!(await isOf(admin, id, clientId))) return 'gone';
  if (uris.length === 0) return ['redirects', visit.messages.access.redirectsWrong];
  try {
    await admin.setRedirectUris(clientId, { uris });
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    return ['redirects', visit.messages.access.redirectsWrong];
  }
  return 'changed';
};

/** The new secret stands on this one answer and is nowhere else. */
export const rollSecret = async (admin: Admin, visit: Visit, id: string): Promise<Outcome> => {
  const { access: texts } = visit.messages;
  const clientId = formOf(visit, 'application');
  const hours = Number(formOf(visit, 'overlap') || '0');
  if (!Number.isInteger(hours) || hours < 0 || hours > MOST_OVERLAP_HOURS)
    return ['overlap', texts.overlapWrong];
  if (!(await isOf(admin, id, clientId))) return 'gone';
  const secret = await admin.rollSecret(clientId, { overlapHours: hours });
  return consolePage(visit, {
    title: texts.secretMade,
    path: `/parties/${id}`,
    children: (
      <div class="stack">
        <p>{texts.secretOnce}</p>
        <CodeBlock name={clientId} code={secret} />
        <p>
          <a href={hrefOf(visit, `/parties/${id}`)}>{visit.messages.back}</a>
        </p>
      </div>
    ),
  });
};

const Choice = ({
  field,
  form,
  label,
  options,
}: {
  readonly field: string;
  /** Of the section: the field stands on its page more than once. */
  readonly form: string;
  readonly label: string;
  readonly options: readonly (readonly [string, string])[];
}) => (
  <div class="field">
    <label for={`${form}-${field}`}>{label}</label>
    <select id={`${form}-${field}`} name={field}>
      {options.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  </div>
);

export interface AccessRows {
  readonly applications: readonly ApplicationRow[];
  readonly keys: readonly KeyRow[];
}

const QuotaForm = ({
  visit,
  id,
  rows,
}: {
  readonly visit: Visit;
  readonly id: string;
  readonly rows: AccessRows;
}) => {
  const { access: texts } = visit.messages;
  const names = new Map(rows.applications.map(({ clientId, name }) => [clientId, name]));
  const subscriptions = new Map(
    rows.keys.map(({ subscriptionId, clientId, products }) => [
      subscriptionId,
      `${names.get(clientId) ?? clientId}: ${products} (${subscriptionId.slice(0, 8)})`,
    ]),
  );
  if (subscriptions.size === 0) return null;
  const field = (name: 'perMinute' | 'perDay') => (
    <TextField
      field={name}
      label={texts[name]}
      hint={texts.quotaHint}
      value={visit.refusal.values[name] ?? ''}
      refusal={visit.refusal}
    />
  );
  return (
    <ActForm
      visit={visit}
      path={`/parties/${id}/quota`}
      id="quota"
      heading={texts.quota}
      text={texts.quotaText}
      submit={texts.quotaSave}
    >
      <Choice field="subscription" form="quota" label={texts.subscription} options={[...subscriptions]} />
      {field('perMinute')}
      {field('perDay')}
    </ActForm>
  );
};

export const AccessForms = ({
  visit,
  id,
  rows,
}: {
  readonly visit: Visit;
  readonly id: string;
  readonly rows: AccessRows;
}) => {
  const { access: texts } = visit.messages;
  if (!mayDo(visit.operator.role, 'parties/quota')) return null;
  const options = rows.applications.map(({ clientId, name }) => [clientId, name] as const);
  const [first, ...others] = rows.applications;
  if (!first) return null;
  // With several, those of one must not be sent for another by mistake.
  const known = others.length > 0 ? [] : redirectUrisColumn.read(first.redirectUris);
  return (
    <>
      <QuotaForm visit={visit} id={id} rows={rows} />
      <ActForm
        visit={visit}
        path={`/parties/${id}/redirects`}
        id="redirect-addresses"
        heading={texts.redirects}
        submit={texts.redirectsSave}
      >
        <Choice field="application" form="redirects" label={texts.application} options={options} />
        <TextField
          field="redirects"
          label={texts.addresses}
          hint={texts.addressesHint}
          value={visit.refusal.values.redirects ?? known.join('\n')}
          refusal={visit.refusal}
          kind="text"
        />
      </ActForm>
      <ActForm
        visit={visit}
        path={`/parties/${id}/secret`}
        id="secret"
        heading={texts.secret}
        text={texts.secretText}
        submit={texts.secretSave}
      >
        <Choice field="application" form="secret" label={texts.application} options={options} />
        <TextField
          field="overlap"
          label={texts.overlap}
          hint={texts.overlapHint}
          value={visit.refusal.values.overlap ?? '0'}
          refusal={visit.refusal}
        />
      </ActForm>
    </>
  );
};
