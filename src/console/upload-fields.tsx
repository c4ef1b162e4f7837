/** A file, or its text. */
import { FieldError } from '../web/components/error-summary.js';
import type { Visit } from './visit.js';

/** A page stays small. */
const LONGEST = 20_000;

const pastedIn = ({ refusal: { values } }: Visit): string => {
  const { pasted = '' } = values;
  return pasted.length > LONGEST ? '' : pasted;
};

export const UploadFields = ({
  visit,
  texts,
  accept,
}: {
  readonly visit: Visit;
  readonly texts: { readonly file: string; readonly pasted: string };
  readonly accept: string;
}) => (
  <>
    <div class="field">
      <label for="file">{texts.file}</label>
      <FieldError field="file" errors={visit.refusal.errors} />
      <input id="file" name="file" type="file" accept={accept} />
    </div>
    <div class="field">
      <label for="pasted">{texts.pasted}</label>
      <textarea id="pasted" name="pasted" rows={6} spellcheck={false}>
        {pastedIn(visit)}
      </textarea>
    </div>
  </>
);
