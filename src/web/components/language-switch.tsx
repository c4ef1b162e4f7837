/** Leads to the same page in the other language. */
import type { Frame } from '../frame.js';
import { type Language, languages } from '../language.js';

const texts = {
  el: { label: 'Γλώσσα', name: 'Ελληνικά' },
  en: { label: 'Language', name: 'English' },
} as const satisfies Record<Language, unknown>;

export interface LanguageSwitchProps {
  readonly frame: Frame;
  readonly lang: Language;
  /** Always a page that answers GET. */
  readonly path: string;
}

export const inLanguage = (path: string, lang: Language): string =>
  `${path}${path.includes('?') ? '&' : '?'}lang=${lang}`;

export const LanguageSwitch = ({ frame, lang, path }: LanguageSwitchProps) => (
  <nav aria-label={texts[lang].label}>
    <ul>
      {languages.map((each) => (
        <li key={each}>
          <a
            href={inLanguage(frame.href(path), each)}
            lang={each}
            hreflang={each}
            aria-current={each === lang ? 'true' : undefined}
          >
            {texts[each].name}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
