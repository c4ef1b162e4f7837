/** The pages of the published ATM list, for everybody: `/atms` and one page for each machine. */
import type { Feed } from '../../atms/feed.js';
import { everybody } from '../../http/audience.js';
import type { Page, PageAnswer, PageRequest } from '../../http/pages.js';
import type { Eventual } from '../../lib/turn.js';
import { Problem } from '../../problem/problem.js';
import type { Frame } from '../../web/frame.js';
import { inLanguage, type Language, languageOf } from '../../web/language.js';
import { atmPage } from './atm-page.js';
import { atmsPage } from './atms-page.js';
import { type Book, createBooks } from './book.js';
import { find, readWish } from './wish.js';

export interface AtmPageParts {
  readonly frame: () => Frame;
  /** The published list, at once from memory. */
  readonly atms: () => Eventual<Feed>;
}

export const createAtmPages = ({ frame, atms }: AtmPageParts): readonly Page[] => {
  const bookOf = createBooks();
  const get = (
    path: string,
    make: (request: PageRequest, book: Book, lang: Language) => PageAnswer,
  ): Page => ({
    method: 'GET',
    path,
    audience: everybody,
    render: async (request) => {
      const lang = languageOf(request);
      return inLanguage(request, make(request, bookOf(await atms()), lang));
    },
  });
  return [
    get('/atms', ({ query }, book, lang) => {
      const wish = readWish(query, book);
      return atmsPage({ frame: frame(), lang, book, wish, findings: find(book, wish) });
    }),
    get('/atms/:id', ({ params }, book, lang) => {
      const entry = book.byId.get(params.id ?? '');
      if (!entry) throw new Problem('route-not-found', { detail: 'There is no ATM with this id.' });
      return atmPage({ frame: frame(), lang, entry });
    }),
  ];
};
