/** The list of guides, and one guide with the way to the others. */
import type { PageAnswer } from '../../http/pages.js';
import { htmlPage } from '../../web/components/shell.js';
import type { Frame } from '../../web/frame.js';
import type { Language } from '../../web/language.js';
import { type AreaView, operationPath } from '../areas.js';
import { bodyOf, GUIDES, type Guide, guidePath, listedGuides, WRITTEN_ADDRESS } from './guides.js';
import { Markdown } from './markdown.js';

export const guideListTexts = {
  el: {
    title: 'Οδηγοί',
    lead: 'Σύντομοι οδηγοί για όσους γράφουν εφαρμογές. Κάθε οδηγός διαβάζεται σε λίγα λεπτά και οι εντολές του τρέχουν όπως είναι.',
    all: 'Όλοι οι οδηγοί',
    markdown: 'Η σελίδα ως Markdown',
    production:
      'Οι εντολές αυτής της σελίδας είναι για το δοκιμαστικό περιβάλλον: εδώ δεν υπάρχουν τα δοκιμαστικά κλειδιά ούτε διευθύνσεις που αρχίζουν με /sandbox. Χρησιμοποιήστε το δικό σας κλειδί και ένα token από τον διακομιστή εξουσιοδότησης.',
    whole: 'Όλη η διαδρομή σε μια τράπεζα, από την εγγραφή έως ένα ευρώ',
  },
  en: {
    title: 'Guides',
    lead: 'Short guides for people who write applications. Each takes a few minutes, and its commands run as they stand.',
    all: 'All guides',
    markdown: 'This page as Markdown',
    production:
      'The commands of this page are for a sandbox: the demo keys and the addresses below /sandbox do not exist here. Use your own key, and a token of the authorization server.',
    whole: 'The whole way at a bank, from the registration to one euro',
  },
} as const satisfies Record<Language, unknown>;

/** The guide with commands that run in production, too. */
const WHOLE_WAY = 'going-live';

interface ListProps {
  readonly frame: Frame;
  readonly lang: Language;
}

interface GuideProps extends ListProps {
  readonly areas: readonly AreaView[];
  readonly guide: Guide;
}

export const guideListPage = ({ frame, lang }: ListProps): PageAnswer =>
  htmlPage({
    frame,
    lang,
    title: guideListTexts[lang].title,
    description: guideListTexts[lang].lead,
    path: GUIDES,
    children: (
      <>
        <div class="page-head">
          <h1>{guideListTexts[lang].title}</h1>
          <p class="lead">{guideListTexts[lang].lead}</p>
        </div>
        <ol class="card-grid">
          {listedGuides(frame).map(({ path, title, summary }) => (
            <li key={path}>
              <a class="card card-link" href={frame.href(path)}>
                <strong>{title[lang]}</strong>
                <p class="quiet">{summary[lang]}</p>
              </a>
            </li>
          ))}
        </ol>
      </>
    ),
  });

/** The path of a guide beside it, of a problem, of an operation, or of any other page; undefined if this service has no such page. */
export const placeOf = (
  href: string,
  { frame, areas }: Pick<GuideProps, 'frame' | 'areas'>,
): string | undefined => {
  const guide = /^([a-z-]+)\.(?:el|en)\.md(#.*)?$/.exec(href);
  if (guide) return `${guidePath(guide[1] ?? '')}${guide[2] ?? ''}`;
  const problem = /^\.\.\/problems\.md#([a-z-]+)$/.exec(href);
  if (problem) return `/problems/${problem[1]}`;
  const path = href.startsWith(WRITTEN_ADDRESS) ? href.slice(WRITTEN_ADDRESS.length) : undefined;
  if (path === undefined) throw new Error(`A guide links to a place that is not served: ${href}`);
  if (!frame.additions && /^\/(docs\/)?sandbox\b/.test(path)) return undefined;
  const [place, id] = path.split('#');
  const area = areas.find((each) => each.path === place);
  const operation = area?.operations.find((each) => each.id === id);
  return area && operation ? operationPath(area, operation) : path;
};

const Others = ({ frame, lang, guide }: Omit<GuideProps, 'areas'>) => (
  <nav class="contents" aria-label={guideListTexts[lang].all}>
    <p>{guideListTexts[lang].all}</p>
    <ul>
      {listedGuides(frame).map(({ path, title }) => (
        <li key={path}>
          <a href={frame.href(path)} aria-current={path === guidePath(guide.slug) ? 'page' : undefined}>
            {title[lang]}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

export const guidePage = ({ frame, lang, areas, guide }: GuideProps): PageAnswer => {
  const { slug, title, summary } = guide;
  return htmlPage({
    frame,
    lang,
    title: title[lang],
    description: summary[lang],
    path: guidePath(slug),
    children: (
      <div class="guide">
        <article class="stack">
          <h1>{title[lang]}</h1>
          <p class="lead">{summary[lang]}</p>
          {!frame.additions && (
            <p class="callout notice">
              {guideListTexts[lang].production}{' '}
              <a href={frame.href(guidePath(WHOLE_WAY))}>{guideListTexts[lang].whole}</a>
            </p>
          )}
          <Markdown
            text={bodyOf(guide.text[lang])}
            context={{
              lang,
              link: (href) => {
                const place = placeOf(href, { frame, areas });
                return place === undefined ? undefined : frame.href(place);
              },
              code: (text) => text.replaceAll(WRITTEN_ADDRESS, frame.baseUrl),
            }}
          />
          <p class="small">
            <a href={frame.href(`${guidePath(slug)}.md`)}>{guideListTexts[lang].markdown}</a>
          </p>
        </article>
        <Others frame={frame} lang={lang} guide={guide} />
      </div>
    ),
  });
};
