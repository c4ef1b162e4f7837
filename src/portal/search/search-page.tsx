/** What a search has found, in all pages for developers. */
import type { ShellProps } from '../../web/components/shell.js';
import { docsPage, type NavigationParts } from '../reference/docs-page.js';
import type { Found } from './search-index.js';

export const SEARCH = '/docs/search';

interface Props extends NavigationParts {
  readonly query: string;
  readonly found: readonly Found[];
}

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

const summaryOf = ({ query, found }: Pick<Props, 'query' | 'found'>): string => {
  if (query === '') return 'Type a word into the field above: an operation, a member, a problem, a subject.';
  if (found.length === 0) return 'Nothing has all of these words. Try fewer, or the beginning of a word.';
  return found.length === 1 ? 'One page.' : `${found.length} pages.`;
};

export const searchPage = (props: Props): ShellProps => {
  const { frame, query, found } = props;
  return docsPage(props, {
    title: 'Search',
    description: 'Search operations, guides, problems and changes.',
    path: SEARCH,
    text: (
      <>
        <h1>{query === '' ? 'Search' : `Search: ${query}`}</h1>
        <p>{summaryOf({ query, found })}</p>
        {found.length > 0 && (
          <ol class="found plain">
            {found.map((each) => (
              <Result key={`${each.document.path}-${each.document.lang}`} frame={frame} found={each} />
            ))}
          </ol>
        )}
      </>
    ),
  });
};
