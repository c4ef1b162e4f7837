/** The page shell: masthead, the notice of the sandbox, main part, footer. */

import type { ComponentChildren, VNode } from 'preact';
import { render } from 'preact-render-to-string';
import type { PageAnswer } from '../../http/pages.js';
import { consoleScript, copyScript, logo, stylesheet } from '../assets/index.js';
import type { Frame } from '../frame.js';
import { type Language, languages } from '../language.js';
import { Environment } from './environment.js';
import { inLanguage, LanguageSwitch } from './language-switch.js';

export interface ShellProps {
  readonly frame: Frame;
  readonly title: string;
  readonly description: string;
  /** The path of this page, to mark it in the navigation. */
  readonly path: string;
  /** Of a page that exists in both languages; the others are in English. */
  readonly lang?: Language | undefined;
  /** Of the reader of a page in English: what stands around its main part is in theirs, as on all other pages. */
  readonly readerLang?: Language | undefined;
  /** Full-width part above the main column, which then holds the page's heading. */
  readonly opening?: VNode;
  /** Calls can be made from the page. */
  readonly hasConsole?: boolean;
  /** The page hands something on to the console in this tab. */
  readonly keepsInTab?: boolean;
  /** For pages with columns. */
  readonly isWide?: boolean;
  /** What the footer says of cookies, if there are any. */
  readonly note?: string | undefined;
  /** For a page of another site: its name, its head in the place of ours, and the class of its colours. A private one has no public pages. */
  readonly site?: {
    readonly name: string;
    readonly head: VNode;
    readonly look: string;
    readonly isPrivate?: boolean;
  };
  readonly children: ComponentChildren;
}

const texts = {
  el: {
    skip: 'Μετάβαση στο περιεχόμενο',
    main: 'Κύριο μενού',
    environment: 'Περιβάλλον',
    search: 'Αναζήτηση',
    licence: 'με την άδεια Apache 2.0',
    atms: 'Τα ATM της τράπεζας',
    statistics: 'Στατιστικά της διεπαφής',
    status: 'Κατάσταση',
    note: 'Ένα cookie κρατά τη γλώσσα, αν την επιλέξετε. Τίποτα δεν φορτώνεται από αλλού.',
  },
  en: {
    skip: 'Skip to the content',
    main: 'Main',
    environment: 'Environment',
    search: 'Search',
    licence: 'under the Apache 2.0 licence',
    atms: 'ATMs of the bank',
    statistics: 'Statistics of the interface',
    status: 'Status',
    note: 'A cookie keeps your language if you choose one. Nothing is loaded from other sites.',
  },
} as const satisfies Record<Language, unknown>;

const NO_COOKIES = 'These pages set no cookies and load nothing from other sites.';

const places = [
  { path: '/docs/guides', names: { el: 'Οδηγοί', en: 'Guides' } },
  { path: '/docs', names: { el: 'Τεκμηρίωση', en: 'Reference' } },
  { path: '/problems', names: { el: 'Σφάλματα', en: 'Problems' } },
  { path: '/docs/changes', names: { el: 'Αλλαγές', en: 'Changes' } },
  { path: '/openapi.json', names: { el: 'OpenAPI', en: 'OpenAPI' } },
] as const;

const portalOf = ({ additions }: Frame) =>
  additions?.portal === undefined ? [] : [{ path: additions.portal, names: { el: 'Πύλη', en: 'Portal' } }];

/** `page` for the place itself, `true` for something below it. */
const currentMark = (place: string, path: string): 'page' | 'true' | undefined => {
  if (place === path) return 'page';
  const around = places
    .filter((each) => `${path}/`.startsWith(`${each.path}/`))
    .map((each) => each.path.length);
  return path.startsWith(`${place}/`) && Math.max(...around) === place.length ? 'true' : undefined;
};

/** The language of what stands around the main part, and the mark for it if it is another one. */
const aroundOf = ({ lang, readerLang }: Pick<ShellProps, 'lang' | 'readerLang'>) => {
  const around = lang ?? readerLang ?? 'en';
  return { around, marked: around === (lang ?? 'en') ? undefined : around };
};

type AroundProps = Pick<ShellProps, 'frame' | 'path' | 'lang' | 'readerLang'>;

const Masthead = ({ frame, path, lang, readerLang }: AroundProps) => {
  const { around, marked } = aroundOf({ lang, readerLang });
  return (
    <header class="masthead" lang={marked}>
      <div class="width-page">
        <a class="mark" href={frame.href('/')}>
          <img src={frame.href(logo.path)} width="34" height="34" alt="" />
          Trapeza
        </a>
        <nav class="places" aria-label={texts[around].main}>
          <ul>
            {[...places, ...portalOf(frame)].map((place) => (
              <li key={place.path}>
                <a href={frame.href(place.path)} aria-current={currentMark(place.path, path)}>
                  {place.names[around]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <search class="search">
          <form action={frame.href('/docs/search')}>
            <input
              type="search"
              name="q"
              maxLength={100}
              aria-label={texts[around].search}
              placeholder={texts[around].search}
            />
          </form>
        </search>
        {(lang ?? readerLang) && <LanguageSwitch frame={frame} lang={around} path={path} />}
      </div>
    </header>
  );
};

type FooterProps = Omit<AroundProps, 'path'> &
  Pick<ShellProps, 'note'> & { readonly site: ShellProps['site'] | undefined };

const Footer = ({ frame, note, lang, readerLang, site }: FooterProps) => {
  const { around, marked } = aroundOf({ lang, readerLang });
  return (
    <footer class="footer" lang={marked}>
      <div class="width-page">
        <p>
          Trapeza {frame.version}, {texts[around].licence}
        </p>
        {!site?.isPrivate && (
          <p>
            <a href={frame.href('/atms')}>{texts[around].atms}</a> ·{' '}
            <a href={frame.href('/statistics')}>{texts[around].statistics}</a> ·{' '}
            <a href={frame.href('/status')}>{texts[around].status}</a>
          </p>
        )}
        <p>{note ?? ((lang ?? readerLang) ? texts[around].note : NO_COOKIES)}</p>
      </div>
    </footer>
  );
};

/** The pages of the documentation exist as Markdown too. */
const hasTwin = (path: string): boolean =>
  /^\/(docs|problems)(\/|$)/.test(path) && !path.startsWith('/docs/search');

const Head = ({ frame, title, description, path, lang, site, hasConsole, keepsInTab }: ShellProps) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>{path === '/' ? title : `${title} – ${site?.name ?? 'Trapeza'}`}</title>
    <meta name="description" content={description} />
    {lang &&
      languages.map((each) => (
        <link key={each} rel="alternate" hreflang={each} href={inLanguage(`${frame.baseUrl}${path}`, each)} />
      ))}
    {hasTwin(path) && <link rel="alternate" type="text/markdown" href={frame.href(`${path}.md`)} />}
    <link rel="stylesheet" href={frame.href(stylesheet.path)} />
    <link rel="icon" href={frame.href(logo.path)} type="image/svg+xml" />
    <script src={frame.href(copyScript.path)} defer />
    {(hasConsole || keepsInTab) && <script src={frame.href(consoleScript.path)} defer />}
  </head>
);

const Shell = (props: ShellProps) => {
  const { frame, path, lang, readerLang, opening, isWide = false, note, site, children } = props;
  const language = lang ?? 'en';
  const { around, marked } = aroundOf(props);
  return (
    <html lang={language}>
      <Head {...props} />
      <body class={site?.look ?? (isWide ? 'wide' : undefined)}>
        <a class="skip" href="#main" lang={marked}>
          {texts[around].skip}
        </a>
        {site ? site.head : <Masthead frame={frame} path={path} lang={lang} readerLang={readerLang} />}
        {frame.additions && (
          <Environment
            {...frame.additions.environment[around]}
            label={texts[around].environment}
            lang={marked}
          />
        )}
        <main id="main" class={opening ? 'opened' : 'width-page'}>
          {opening ? (
            <>
              {opening}
              <div class="width-page">{children}</div>
            </>
          ) : (
            children
          )}
        </main>
        <Footer frame={frame} note={note} lang={lang} readerLang={readerLang} site={site} />
      </body>
    </html>
  );
};

export const htmlPage = (props: ShellProps): PageAnswer => ({
  status: 200,
  type: 'text/html',
  body: `<!doctype html>${render(<Shell {...props} />)}`,
  hasScript: true,
  mayCall: props.hasConsole ?? false,
});
