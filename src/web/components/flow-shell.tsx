/** The shell of the pages for account holders: the bank's mark, the language switch, one calm column. No script. */

import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import type { PageAnswer } from '../../http/pages.js';
import { logo, stylesheet } from '../assets/index.js';
import type { Frame } from '../frame.js';
import { type Language, ownLanguage } from '../language.js';
import { BankFooter, BankMark, NotAsked } from './bank-dress.js';
import { Environment } from './environment.js';
import { LanguageSwitch, type SwitchedForm } from './language-switch.js';

export interface FlowProps {
  readonly frame: Frame;
  readonly lang: string;
  readonly title: string;
  /** Where the same page is found in the other language; always a page that answers GET. */
  readonly path: string;
  /** What was entered in it survives a change of language. */
  readonly form?: SwitchedForm | undefined;
  /** As wide as a dashboard, for lists; a flow is a narrow column. */
  readonly isWide?: boolean;
  /** Something is asked of the person, who may not know why. */
  readonly isAsking?: boolean;
  /** For developers and operators, who know the product: in its look, not in the bank's. */
  readonly isForDevelopers?: boolean;
  readonly children: ComponentChildren;
}

export const shellTexts = {
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
} satisfies Record<Language, unknown>;

const Head = ({ frame, lang, title, isForDevelopers = false }: FlowProps) => {
  const { brand } = frame;
  const icon = isForDevelopers ? logo : brand.favicon;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>{`${title} – ${isForDevelopers ? 'Trapeza' : brand.name(lang)}`}</title>
      <link rel="stylesheet" href={frame.href(stylesheet.path)} />
      {brand.stylesheet && !isForDevelopers && (
        <link rel="stylesheet" href={frame.href(brand.stylesheet.path)} />
      )}
      <link rel="icon" href={frame.href(icon.path)} type={icon.type} />
    </head>
  );
};

const ProductMark = ({ frame }: Pick<FlowProps, 'frame'>) => (
  <span class="mark">
    <img src={frame.href(logo.path)} width="34" height="34" alt="" />
    Trapeza
  </span>
);

const ProductFooter = ({ frame, lang }: Pick<FlowProps, 'frame' | 'lang'>) => (
  <footer class="footer">
    <div class="width-page">
      <p>Trapeza {frame.version}</p>
      <p>{shellTexts[ownLanguage(lang)].footer}</p>
    </div>
  </footer>
);

const FlowShell = (props: FlowProps) => {
  const {
    frame,
    lang,
    path,
    form,
    isWide = false,
    isAsking = false,
    isForDevelopers = false,
    children,
  } = props;
  const texts = frame.brand.texts.in('shell', shellTexts, lang);
  return (
    <html lang={lang}>
      <Head {...props} />
      <body>
        <a class="skip" href="#main">
          {texts.skip}
        </a>
        <header class="masthead">
          <div class="width-page">
            {isForDevelopers ? <ProductMark frame={frame} /> : <BankMark frame={frame} lang={lang} />}
            <LanguageSwitch frame={frame} lang={lang} path={path} form={form} />
          </div>
        </header>
        {frame.additions && (
          <Environment {...frame.additions.environment[ownLanguage(lang)]} label={texts.environment} />
        )}
        <main id="main" class="width-page">
          <div class={isWide ? 'board' : 'flow'}>
            {children}
            {isAsking && <NotAsked frame={frame} lang={lang} />}
          </div>
        </main>
        {isForDevelopers ? (
          <ProductFooter frame={frame} lang={lang} />
        ) : (
          <BankFooter frame={frame} lang={lang} />
        )}
      </body>
    </html>
  );
};

/** A page for one person: never kept by a cache. */
export const flowPage = (
  props: FlowProps,
  answer: Partial<Pick<PageAnswer, 'status' | 'cookies' | 'formTarget' | 'headers' | 'hasScript'>> = {},
): PageAnswer => ({
  status: 200,
  type: 'text/html',
  body: `<!doctype html>${render(<FlowShell {...props} />)}`,
  isPersonal: true,
  ...answer,
});
