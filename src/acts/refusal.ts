/** Why an act was not done. Nothing was changed, and there is no row in the audit log. */
import type { Values } from '../lib/format/template.js';
import { actText, type Texts, type Tongue } from './texts.js';

type Code<Key extends string> = Key extends `refusal.${infer Name}` ? Name : never;

export interface RefusalDetails {
  /** The field it is about; of the act as a whole if absent. */
  readonly field?: string;
  readonly values?: Values;
  /** Of a file, in English: all of them for a command, a few on a page. */
  readonly faults?: readonly string[];
}

const MOST_FAULTS = 5;

/** Its message is English, for the command line and embedders; pages have it in their language, beside the field. */
export class Refusal<Key extends string = string> extends Error {
  readonly field: string | undefined;
  readonly #in: (lang: Tongue) => string;

  constructor(texts: Texts<Key>, code: Code<Key>, { field, values, faults }: RefusalDetails = {}) {
    const reply = (lang: Tongue): string => actText(texts, lang, `refusal.${code}`, values);
    super(faults ? faults.join('\n') : reply('en'));
    this.field = field;
    this.#in = (lang) => [reply(lang), faults?.slice(0, MOST_FAULTS).join('; ')].filter(Boolean).join(' ');
  }

  textIn(lang: Tongue): string {
    return this.#in(lang);
  }
}

/** What the act is about is not there any more, or never was. English. */
export class Gone extends Error {
  /** What the console says of it. */
  readonly done: string = 'gone';
}

/** No page offers it: the caller has asked for what their role does not have. */
export class NotAllowed extends Error {}
