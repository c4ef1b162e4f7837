/** The form of an act, as its definition says: name, effect, fields, and always a reason. Nothing for a role that may not. */
import type { ActPage, AnyAct } from '../acts/act.js';
import { verbOf } from '../acts/act.js';
import type { Field } from '../acts/field.js';
import { isAmong } from '../acts/role.js';
import { actText, findText } from '../acts/texts.js';
import { TextField } from '../web/components/form.js';
import { ActForm } from './frame.js';
import { UploadFields } from './upload-fields.js';
import type { Visit } from './visit.js';

/** What is shown of an act; not the types of its input. */
type Shown = Pick<AnyAct, 'name' | 'about' | 'roles' | 'texts' | 'input' | 'page'>;

export const pageOf = ({ name, page }: Pick<AnyAct, 'name' | 'page'>): ActPage => {
  if (!page) throw new Error(`${name} has no form`);
  return page;
};

/** The id of the form's section; the ids of its fields begin with it. */
export const sectionOf = (act: Pick<AnyAct, 'name' | 'page'>, id: string): string =>
  pageOf(act).isAlone || id === '' ? verbOf(act) : `${verbOf(act)}-${id}`;

/** What the errors of a field point to. There is one upload on a page. */
export const fieldId = (section: string, name: string, { kind }: Field): string =>
  kind === 'upload' ? name : `${section}-${name}`;

interface FieldProps {
  readonly visit: Visit;
  readonly act: Shown;
  readonly section: string;
  readonly name: string;
  readonly field: Field;
}

const DerivedField = ({ visit, act, section, name, field }: FieldProps) => {
  const { lang, refusal, timeZone } = visit;
  const find = (ending: string): string | undefined =>
    findText(act.texts, lang, `${act.name}.${name}${ending}`, { timeZone }) ??
    findText(act.texts, lang, `field.${name}${ending}`, { timeZone });
  const label = find('') ?? '';
  if (field.upload)
    return (
      <UploadFields
        visit={visit}
        texts={{ file: label, pasted: find('.pasted') ?? '' }}
        accept={field.upload.accept}
      />
    );
  // Another form of the page may have been refused.
  const isRefused = refusal.errors.some((each) => each.field.startsWith(`${section}-`));
  return (
    <TextField
      field={name}
      id={fieldId(section, name, field)}
      label={label}
      hint={find('.hint')}
      {...(field.kind === 'moment' ? { kind: 'moment' } : field.kind === 'lines' ? { kind: 'text' } : {})}
      value={isRefused ? (refusal.values[name] ?? '') : ''}
      refusal={refusal}
    />
  );
};

export const DerivedForm = ({
  visit,
  act,
  id = '',
  at = id === '' ? 'new' : id,
  about,
}: {
  readonly visit: Visit;
  readonly act: Shown;
  /** Of the thing it is about. */
  readonly id?: string;
  /** What stands in the address of the form, if it is neither that id nor `new`. */
  readonly at?: string;
  /** Follows the name of the act, if a page has several. */
  readonly about?: string;
}) => {
  if (!isAmong(act.roles, visit.operator.role)) return null;
  const { lang } = visit;
  const section = sectionOf(act, id);
  const name = actText(act.texts, lang, act.name);
  const effect = findText(act.texts, lang, `${act.name}.effect`);
  const fields = Object.entries(act.input);
  return (
    <ActForm
      visit={visit}
      path={`/${pageOf(act).things}/${encodeURIComponent(at)}/${verbOf(act)}`}
      id={section}
      heading={about === undefined ? name : `${name}: ${about}`}
      {...(effect === undefined ? {} : { text: effect })}
      submit={name}
      isUpload={fields.some(([, { kind }]) => kind === 'upload')}
    >
      {fields.map(([each, field]) => (
        <DerivedField key={each} visit={visit} act={act} section={section} name={each} field={field} />
      ))}
    </ActForm>
  );
};
