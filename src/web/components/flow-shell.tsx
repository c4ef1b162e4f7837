/** The shell of the pages for account holders: the bank's mark, the language switch, one calm column. No script. */

import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import type { PageAnswer } from '../../http/pages.js';
import { logo, stylesheet } from '../assets/index.js';
import type { Frame } from '../frame.js';
import type { Language } from '../language.js';
import { Environment } from './environment.js';
import { LanguageSwitch, type SwitchedForm } from './language-switch.js';

export interface FlowProps {
  readonly frame: Frame;
  readonly lang: Language;
  readonly title: string;
  /** Where the same page is found in the other language; always a page that answers GET. */
  readonly path: string;
  /** What was entered in it survives a change of language. */
  readonly form?: SwitchedForm | undefined;
  /** As wide as a dashboard, for lists; a flow is a narrow column. */
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

const texts = {
  el: {
    skip: 'Μετάβαση στο περιεχόμενο',
    environment: 'Περιβάλλον',
    footer: 'Μόνο τα απαραίτητα cookies. Τίποτα δεν φορτώνεται από αλλού.',
  },
  en: {
    skip: 'Skip to the content',
    environment: 'Environment',
    footer: 'Necessary cookies only. Nothing is loaded from other sites.',
  },
} as const satisfies Record<Language, unknown>;

const FlowShell = ({ frame, lang, title, path, form, isWide = false, children }: FlowProps) => (
  <html lang={lang}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>{`${title} – Trapeza`}</title>
      <link rel="stylesheet" href={frame.href(stylesheet.path)} />
      <link rel="icon" href={frame.href(logo.path)} type="image/svg+xml" />
    </head>
    <body>
      <a class="skip" href="#main">
        {texts[lang].skip}
      </a>
      <header class="masthead">
        <div class="width-page">
          {/* Not a link: who leaves a decision half-way should do so by deciding. */}
          <span class="mark">
            <img src={frame.href(logo.path)} width="34" height="34" alt="" />
            Trapeza
          </span>
          <LanguageSwitch frame={frame} lang={lang} path={path} form={form} />
        </div>
      </header>
      {frame.additions && (
        <Environment {...frame.additions.environment[lang]} label={texts[lang].environment} />
      )}
      <main id="main" class="width-page">
        <div class={isWide ? 'board' : 'flow'}>{children}</div>
      </main>
      <footer class="footer">
        <div class="width-page">
          <p>Trapeza {frame.version}</p>
          <p>{texts[lang].footer}</p>
        </div>
      </footer>
    </body>
  </html>
);

/** A page for one person: never kept by a cache. */
export const flowPage = (
  props: FlowProps,
  answer: Partial<Pick<PageAnswer, 'status' | 'cookies' | 'formTarget' | 'headers'>> = {},
): PageAnswer => ({
  status: 200,
  type: 'text/html',
  body: `<!doctype html>${render(<FlowShell {...props} />)}`,
  isPersonal: true,
  ...answer,
});
