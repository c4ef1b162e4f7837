/** What a search has found, in all pages for developers: those in the language of the page first. */
import type { ShellProps } from '../../web/components/shell.js';
import { type Language, languages } from '../../web/language.js';
import { docsPage, type NavigationParts } from '../reference/docs-page.js';
import type { Found, FoundPages } from './search-index.js';

export const SEARCH = '/docs/search';

interface Props extends NavigationParts {
  readonly lang: Language;
  readonly query: string;
  readonly found: FoundPages;
}

const texts = {
  el: {
    title: 'Αναζήτηση',
    description: 'Αναζητήστε κλήσεις, οδηγούς, σφάλματα και αλλαγές.',
    empty: 'Γράψτε μια λέξη στο πεδίο επάνω: μια κλήση, ένα πεδίο, ένα σφάλμα, ένα θέμα.',
    nothing: 'Καμία σελίδα δεν έχει αυτές τις λέξεις. Δοκιμάστε άλλες, ή την αρχή μιας λέξης.',
    most: 'Καμία σελίδα δεν έχει όλες αυτές τις λέξεις. Αυτές έχουν τις περισσότερες.',
    pages: (count: number) => (count === 1 ? 'Μία σελίδα.' : `${count} σελίδες.`),
    others: 'Στα αγγλικά',
  },
  en: {
    title: 'Search',
    description: 'Search operations, guides, problems and changes.',
    empty: 'Type a word into the field above: an operation, a member, a problem, a subject.',
    nothing: 'No page has these words. Try others, or the beginning of a word.',
    most: 'No page has all of these words. These have the most of them.',
    pages: (count: number) => (count === 1 ? 'One page.' : `${count} pages.`),
    others: 'In Greek',
  },
} as const satisfies Record<Language, unknown>;

const Result = ({
  frame,
  found: { document, excerpt },
}: Pick<Props, 'frame'> & { readonly found: Found }) => (
  <li lang={document.lang}>
    <a href={frame.href(document.path)}>{document.title}</a>
    <p class="small quiet">
      <code>{document.path}</code>
    </p>
    <p>
      {excerpt.map(({ text, isMarked }, index) => [
        index > 0 && ' ',
        isMarked ? <mark key={`${index}-${text}`}>{text}</mark> : text,
      ])}
    </p>
  </li>
);

const Results = ({ frame, found }: Pick<Props, 'frame'> & { readonly found: readonly Found[] }) => (
  <ol class="found plain">
    {found.map((each) => (
      <Result key={`${each.document.path}-${each.document.lang}`} frame={frame} found={each} />
    ))}
  </ol>
);

const summaryOf = ({ lang, query, found }: Pick<Props, 'lang' | 'query' | 'found'>): string => {
  if (query === '') return texts[lang].empty;
  const { isComplete, pages } = found;
  if (pages.length === 0) return texts[lang].nothing;
  return isComplete ? texts[lang].pages(pages.length) : texts[lang].most;
};

export const searchPage = (props: Props): ShellProps => {
  const { frame, lang, query, found } = props;
  const { title, description, others } = texts[lang];
  const groups = [lang, ...languages.filter((each) => each !== lang)].map((each) => ({
    lang: each,
    found: found.pages.filter(({ document }) => document.lang === each),
  }));
  return docsPage(props, {
    lang,
    title,
    description,
    path: query === '' ? SEARCH : `${SEARCH}?q=${encodeURIComponent(query)}`,
    text: (
      <>
        <h1>{query === '' ? title : `${title}: ${query}`}</h1>
        <p>{summaryOf(props)}</p>
        {groups.map(
          (group) =>
            group.found.length > 0 && (
              <section key={group.lang} class="stack">
                {group.lang !== lang && <h2>{others}</h2>}
                <Results frame={frame} found={group.found} />
              </section>
            ),
        )}
      </>
    ),
  });
};
