/** The frame of the dashboard's lists: who is here, the sections, and what can be downloaded. */
import type { ComponentChildren } from 'preact';
import type { PageAnswer } from '../../../http/pages.js';
import { type ErrorLine, ErrorSummary } from '../../../web/components/error-summary.js';
import { flowPage } from '../../../web/components/flow-shell.js';
import { formAction } from '../../../web/form-token.js';
import { addressWith, type Filter } from '../filters.js';
import { DASHBOARD, type HolderVisit } from '../parts.js';

export const Visitor = ({ visit }: { readonly visit: HolderVisit }) => (
  <div class="visitor">
    {visit.holder.name !== '' && <p>{visit.asking.loggedInAs(visit.holder.name)}</p>}
    <form method="post" action={formAction(visit.frame.href(`${DASHBOARD}/logout`), visit.session.formToken)}>
      <button class="link-button" type="submit">
        {visit.messages.logOut}
      </button>
    </form>
  </div>
);

export const Back = ({ visit }: { readonly visit: HolderVisit }) => (
  <p class="trail">
    <a href={visit.frame.href(DASHBOARD)}>‹ {visit.messages.back}</a>
  </p>
);

export type Section = 'permissions' | 'payments' | 'funds' | 'accesses';

export const sectionPath: Readonly<Record<Section, string>> = {
  permissions: DASHBOARD,
  payments: `${DASHBOARD}/payments`,
  funds: `${DASHBOARD}/funds`,
  accesses: `${DASHBOARD}/accesses`,
};

const sections = ['permissions', 'payments', 'funds', 'accesses'] as const;

const Tabs = ({
  visit,
  section,
  path,
}: {
  readonly visit: HolderVisit;
  readonly section: Section;
  readonly path: string;
}) => (
  <nav class="tabs" aria-label={visit.messages.sections}>
    <ul>
      {sections.map((each) => {
        const mark = sectionPath[each] === path.split('?')[0] ? 'page' : 'true';
        return (
          <li key={each}>
            <a href={visit.frame.href(sectionPath[each])} aria-current={each === section ? mark : undefined}>
              {visit.messages[each].tab}
            </a>
          </li>
        );
      })}
    </ul>
  </nav>
);

export interface BoardProps {
  readonly visit: HolderVisit;
  readonly section: Section;
  readonly title: string;
  /** With its query: the language switch leads to the very same page. */
  readonly path: string;
  readonly errors?: readonly ErrorLine[];
  /** 400 if there are errors, else 200. */
  readonly status?: number;
  readonly children: ComponentChildren;
}

export const boardPage = (props: BoardProps): PageAnswer => {
  const { visit, section, title, path, errors = [], children } = props;
  const { status = errors.length > 0 ? 400 : 200 } = props;
  return flowPage(
    {
      frame: visit.frame,
      lang: visit.lang,
      title: errors.length > 0 ? `${visit.asking.errorPrefix}${title}` : title,
      path,
      isWide: true,
      children: (
        <>
          <ErrorSummary heading={visit.asking.errorHeading} errors={errors} />
          <Visitor visit={visit} />
          <Tabs visit={visit} section={section} path={path} />
          {children}
        </>
      ),
    },
    { status, cookies: visit.cookies },
  );
};

const formats = ['csv', 'json'] as const;

const Files = ({
  visit,
  name,
  list,
  filter,
}: {
  readonly visit: HolderVisit;
  readonly name: string;
  readonly list: string;
  readonly filter: Filter;
}) => (
  <li>
    <span>{name}</span>
    {formats.map((format) => (
      <a
        key={format}
        class="button second"
        href={visit.frame.href(addressWith(`${DASHBOARD}/export/${list}.${format}`, filter))}
        aria-label={visit.messages.download.fileOf(name, format.toUpperCase())}
      >
        {format.toUpperCase()}
      </a>
    ))}
  </li>
);

export const Downloads = ({
  visit,
  section,
  filter,
}: {
  readonly visit: HolderVisit;
  readonly section: Section;
  readonly filter: Filter;
}) => {
  const { download } = visit.messages;
  return (
    <section class="downloads" aria-labelledby="downloads">
      <h2 id="downloads">{download.heading}</h2>
      <p class="quiet small">{download.text}</p>
      <ul class="plain">
        <Files visit={visit} name={download.list} list={section} filter={filter} />
        <Files visit={visit} name={download.everything} list="everything" filter={{}} />
      </ul>
    </section>
  );
};
