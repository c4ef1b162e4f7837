/** The frame of every page of the portal: who is here, the sections, and the parts of forms. */
import type { ComponentChildren } from 'preact';
import type { PageAnswer } from '../../http/pages.js';
import { isDate } from '../../lib/instant.js';
import { type ErrorLine, ErrorSummary } from '../../web/components/error-summary.js';
import { PostForm, Submit, Tabs, TextField } from '../../web/components/form.js';
import { htmlPage } from '../../web/components/shell.js';
import { formAction } from '../../web/form-token.js';
import { applicationPath, type OwnApplication, PORTAL, type Visit } from './visit.js';

export { Submit, TextField };

/** A form of ours: posted, with its token. */
export const PortalForm = ({
  visit,
  path,
  ...rest
}: {
  readonly visit: Visit;
  readonly path: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly children: ComponentChildren;
}) => <PostForm action={visit.frame.href(path)} token={visit.formToken} {...rest} />;

const Visitor = ({ visit }: { readonly visit: Visit }) => (
  <div class="visitor">
    <p>{visit.messages.hello(visit.developer.name)}</p>
    {visit.canLeave && (
      <form method="post" action={formAction(visit.frame.href(`${PORTAL}/leave`), visit.formToken)}>
        <button class="link-button" type="submit">
          {visit.messages.leave}
        </button>
      </form>
    )}
  </div>
);

export interface PortalProps {
  readonly title: string;
  readonly path: string;
  /** With its query, for the language switch; the path if absent. */
  readonly address?: string;
  readonly application?: OwnApplication;
  readonly errors?: readonly ErrorLine[];
  readonly keepsInTab?: boolean;
  readonly children: ComponentChildren;
}

const Sections = ({ visit, path, application }: PortalProps & { readonly visit: Visit }) => {
  const { messages } = visit;
  const tabs = [
    { path: PORTAL, name: messages.overview },
    { path: `${PORTAL}/certificates`, name: messages.certificates },
  ];
  const shown = (tab: { readonly path: string; readonly name: string }) => ({
    href: visit.frame.href(tab.path),
    name: tab.name,
  });
  const own = application && applicationPath(application.clientId);
  return (
    <>
      <Tabs label={messages.sections} tabs={tabs.map(shown)} current={visit.frame.href(path)} />
      {own && (
        <Tabs
          label={messages.parts}
          current={visit.frame.href(path)}
          tabs={[
            { path: own, name: messages.application },
            { path: `${own}/log`, name: messages.log },
            { path: `${own}/usage`, name: messages.usage },
            { path: `${own}/webhook`, name: messages.webhook },
          ].map(shown)}
        />
      )}
    </>
  );
};

export const portalPage = (
  visit: Visit,
  props: PortalProps,
  answer: Partial<Pick<PageAnswer, 'status' | 'headers'>> = {},
): PageAnswer => {
  const { frame, lang, messages, cookies, request } = visit;
  const { title, path, address = path, errors = [], keepsInTab = false, children } = props;
  const done = Object.hasOwn(messages.done, request.query.done ?? '')
    ? messages.done[request.query.done ?? '']
    : undefined;
  const body = (
    <div class="board portal-board">
      <Visitor visit={visit} />
      <Sections visit={visit} {...props} />
      <div class="stack-wide">
        <div class="board-head">
          <h1>{title}</h1>
          {done && errors.length === 0 && (
            <p class="callout good" role="status">
              {done}
            </p>
          )}
        </div>
        <ErrorSummary heading={messages.problem} errors={errors} />
        {children}
      </div>
    </div>
  );
  const page = htmlPage({
    frame,
    lang,
    title,
    description: messages.title,
    path: address,
    keepsInTab,
    children: body,
  });
  return {
    ...page,
    isPersonal: true,
    cookies,
    ...(errors.length > 0 ? { status: 400 } : {}),
    ...answer,
  };
};

/** One sentence, and the way back. */
export const messagePage = (visit: Visit, status: number, text: string): PageAnswer =>
  portalPage(
    visit,
    {
      title: visit.messages.title,
      path: PORTAL,
      children: (
        <div class="stack">
          <p>{text}</p>
          <p>
            <a href={visit.frame.href(PORTAL)}>{visit.messages.back}</a>
          </p>
        </div>
      ),
    },
    { status },
  );

export const timeText = ({ lang, timeZone }: Visit, ms: number): string =>
  new Intl.DateTimeFormat(lang === 'el' ? 'el-GR' : 'en-GB', {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone,
  }).format(ms);

/** A day of the bank. */
export const dayText = ({ lang }: Visit, day = ''): string =>
  isDate(day)
    ? new Intl.DateTimeFormat(lang === 'el' ? 'el-GR' : 'en-GB', {
        dateStyle: 'medium',
        timeZone: 'UTC',
      }).format(Date.parse(day))
    : day;

export const countText = ({ lang }: Visit, count: number): string =>
  new Intl.NumberFormat(lang === 'el' ? 'el-GR' : 'en-GB').format(count);
