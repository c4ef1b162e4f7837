/** The frame of every page of the console: who is here, the sections, and the form of an act with its reason. */
import type { ComponentChildren } from 'preact';
import type { PageAnswer } from '../http/pages.js';
import { logo } from '../web/assets/index.js';
import { ErrorSummary } from '../web/components/error-summary.js';
import { PostForm, Submit, Tabs, TextField } from '../web/components/form.js';
import { LanguageSwitch } from '../web/components/language-switch.js';
import { htmlPage } from '../web/components/shell.js';
import { formAction } from '../web/form-token.js';
import { maySee } from './pages.js';
import { CONSOLE, type Guest, type Visit } from './visit.js';

export const hrefOf = ({ frame }: Guest, path = ''): string => frame.href(`${CONSOLE}${path}`);

const Head = ({ guest, path }: { readonly guest: Guest; readonly path: string }) => (
  <header class="masthead">
    <div class="width-page">
      <a class="mark" href={hrefOf(guest)}>
        <img src={guest.frame.href(logo.path)} width="34" height="34" alt="" />
        Trapeza
      </a>
      <LanguageSwitch frame={guest.frame} lang={guest.lang} path={`${CONSOLE}${path}`} />
    </div>
  </header>
);

export interface ConsoleProps {
  readonly title: string;
  /** Below the console. */
  readonly path: string;
  readonly children: ComponentChildren;
}

/** For visitors without a session too. */
export const plainPage = (
  guest: Guest,
  { title, path, children }: ConsoleProps,
  answer: Partial<Pick<PageAnswer, 'status' | 'cookies'>> = {},
): PageAnswer => {
  const { frame, lang, messages } = guest;
  const head = <Head guest={guest} path={path} />;
  const page = htmlPage({
    frame,
    lang,
    title,
    description: messages.title,
    path: `${CONSOLE}${path}`,
    note: messages.note,
    site: { name: `Trapeza – ${messages.title}`, head, look: '', isPrivate: true },
    children: <div class="board portal-board">{children}</div>,
  });
  return { ...page, isPersonal: true, cookies: guest.cookies, ...answer };
};

const Visitor = ({ visit }: { readonly visit: Visit }) => (
  <div class="visitor">
    <p>{visit.messages.hello(visit.operator.name, visit.messages.roles[visit.operator.role] ?? '')}</p>
    <form method="post" action={formAction(hrefOf(visit, '/leave'), visit.formToken)}>
      <button class="link-button" type="submit">
        {visit.messages.leave}
      </button>
    </form>
  </div>
);

const sections = {
  search: '',
  parties: '/parties',
  calls: '/calls',
  payments: '/payments',
  proposals: '/proposals',
  events: '/events',
  atms: '/atms',
  statistics: '/statistics',
  announcements: '/announcements',
  settings: '/settings',
  audit: '/audit',
} as const;

export const consolePage = (visit: Visit, props: ConsoleProps): PageAnswer => {
  const { messages, refusal, request } = visit;
  const tabs = (Object.keys(sections) as (keyof typeof sections)[])
    .filter((section) => maySee(visit.operator.role, sections[section]))
    .map((section) => ({ href: hrefOf(visit, sections[section]), name: messages.tabs[section] }));
  const done = visit.doneText(request.query.done ?? '');
  const children = (
    <>
      <Visitor visit={visit} />
      <Tabs label={messages.sections} tabs={tabs} current={hrefOf(visit, props.path)} />
      <div class="stack-wide">
        <div class="board-head">
          <h1>{props.title}</h1>
          {done && refusal.errors.length === 0 && (
            <p class="callout good" role="status">
              {done}
            </p>
          )}
        </div>
        <ErrorSummary heading={messages.problem} errors={refusal.errors} />
        {props.children}
      </div>
    </>
  );
  return plainPage(visit, { ...props, children }, { status: refusal.errors.length > 0 ? 400 : 200 });
};

export const messagePage = (visit: Visit, status: number, text: string): PageAnswer => ({
  ...consolePage(visit, {
    title: visit.messages.title,
    path: '',
    children: (
      <div class="stack">
        <p>{text}</p>
        <p>
          <a href={hrefOf(visit)}>{visit.messages.back}</a>
        </p>
      </div>
    ),
  }),
  status,
});

/** An act: what it does, its fields, and always a reason. */
export const ActForm = ({
  visit,
  path,
  id,
  heading,
  text,
  submit,
  isUpload = false,
  children,
}: {
  readonly visit: Visit;
  readonly path: string;
  /** Of the section; the field of the reason has it too. */
  readonly id: string;
  readonly heading: string;
  readonly text?: string;
  readonly submit: string;
  readonly isUpload?: boolean;
  readonly children?: ComponentChildren;
}) => (
  <section class="card" aria-labelledby={id}>
    <h2 id={id}>{heading}</h2>
    {text && <p>{text}</p>}
    <PostForm action={hrefOf(visit, path)} token={visit.formToken} isUpload={isUpload}>
      {children}
      <TextField
        field="reason"
        id={`${id}-reason`}
        label={visit.messages.reason}
        hint={visit.messages.reasonHint}
        value=""
        refusal={visit.refusal}
      />
      <Submit text={submit} />
    </PostForm>
  </section>
);
