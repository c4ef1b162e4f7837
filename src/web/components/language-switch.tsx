/** Leads to the same page in the other language. On a page with a form it is posted, so that what was entered is still there. */
import type { Frame } from '../frame.js';
import type { Language } from '../language.js';

export const languageTexts = {
  el: { label: 'Γλώσσα', name: 'Ελληνικά' },
  en: { label: 'Language', name: 'English' },
} satisfies Record<Language, unknown>;

const textsIn = ({ brand }: Frame, lang: string) => brand.texts.in('language', languageTexts, lang);

/** The form of a page, which a change of language posts with `?lang=`. */
export interface SwitchedForm {
  readonly id: string;
  /** With the prefix of the service. */
  readonly action: string;
  /** What the Enter key presses: without it the switch would be the first button of the form. */
  readonly first?: { readonly name: string; readonly value: string };
}

export interface LanguageSwitchProps {
  readonly frame: Frame;
  readonly lang: string;
  /** Always a page that answers GET. */
  readonly path: string;
  readonly form?: SwitchedForm | undefined;
}

export const inLanguage = (path: string, lang: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}lang=${lang}`;

type WayProps = LanguageSwitchProps & { readonly to: string };

const Way = ({ frame, lang, path, form, to }: WayProps) => {
  const common = { lang: to, 'aria-current': to === lang ? 'true' : undefined } as const;
  if (!form)
    return (
      <a {...common} href={inLanguage(frame.href(path), to)} hreflang={to}>
        {textsIn(frame, to).name}
      </a>
    );
  return (
    <button {...common} type="submit" form={form.id} formAction={inLanguage(form.action, to)} formNoValidate>
      {textsIn(frame, to).name}
    </button>
  );
};

export const LanguageSwitch = (props: LanguageSwitchProps) => (
  <nav aria-label={textsIn(props.frame, props.lang).label}>
    {props.form && (
      <input
        name={props.form.first?.name}
        value={props.form.first?.value ?? ''}
        class="unseen"
        type="submit"
        form={props.form.id}
        tabIndex={-1}
        aria-hidden="true"
      />
    )}
    <ul>
      {props.frame.brand.texts.languages.map((each) => (
        <li key={each}>
          <Way {...props} to={each} />
        </li>
      ))}
    </ul>
  </nav>
);
