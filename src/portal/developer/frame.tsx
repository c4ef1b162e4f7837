/** The frame of every page of the portal: who is here, the sections, and the parts of forms. */
import type { ComponentChildren } from 'preact';
import type { PageAnswer } from '../../http/pages.js';
import { isDate } from '../../lib/instant.js';
import { type ErrorLine, ErrorSummary, errorId, FieldError } from '../../web/components/error-summary.js';
import { htmlPage } from '../../web/components/shell.js';
import { FORM_TOKEN } from '../../web/form-token.js';
import { applicationPath, type OwnApplication, PORTAL, type Refusal, type Visit } from './visit.js';

/** A form of ours: posted, with its token. */
export const PortalForm = ({
  visit,
  path,
  hidden = {},
  children,
}: {
  readonly visit: Visit;
  readonly path: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly children: ComponentChildren;
}) => (
  <form class="stack" method="post" action={visit.frame.href(path)}>
    {Object.entries({ [FORM_TOKEN]: visit.formToken, ...hidden }).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    {children}
  </form>
);

export const Submit = ({
  text,
  isSecond = false,
}: {
  readonly text: string;
  readonly isSecond?: boolean;
}) => (
  <div class="actions">
    <button class={isSecond ? 'button second' : 'button'} type="submit">
      {text}
    </button>
  </div>
);

export interface FieldProps {
  /** The id; the name is what comes before a dash. */
  readonly field: string;
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly refusal: Refusal;
  readonly isUrl?: boolean;
}

/** One line of text, with what is wrong beside it and what was typed in it. */
export const TextField = ({ field, label, hint, value, refusal, isUrl = false }: FieldProps) => {
  const isWrong = refusal.errors.some((each) => each.field === field);
  const notes = [...(hint === undefined ? [] : [`${field}-hint`]), ...(isWrong ? [errorId(field)] : [])];
  return (
    <div class={isWrong ? 'field wrong' : 'field'}>
      <label for={field}>{label}</label>
      {hint && (
        <p class="hint" id={`${field}-hint`}>
          {hint}
        </p>
      )}
      <FieldError field={field} errors={refusal.errors} />
      <input
        id={field}
        name={field}
        type="text"
        inputMode={isUrl ? 'url' : 'text'}
        spellcheck={false}
        autocomplete="off"
        maxLength={2048}
        value={isWrong ? (refusal.values[field] ?? value) : value}
        aria-invalid={isWrong ? 'true' : undefined}
        aria-describedby={notes.length > 0 ? notes.join(' ') : undefined}
      />
    </div>
  );
};

interface Tab {
  readonly path: string;
  readonly name: string;
}

const Tabs = ({
  visit,
  label,
  tabs,
  current,
}: {
  readonly visit: Visit;
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly current: string;
}) => (
  <nav class="tabs" aria-label={label}>
    <ul>
      {tabs.map(({ path, name }) => (
        <li key={path}>
          <a href={visit.frame.href(path)} aria-current={path === current ? 'page' : undefined}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

const Visitor = ({ visit }: { readonly visit: Visit }) => (
  <div class="visitor">
    <p>{visit.messages.hello(visit.developer.name)}</p>
    {visit.canLeave && (
      <form method="post" action={visit.frame.href(`${PORTAL}/leave`)}>
        <input type="hidden" name={FORM_TOKEN} value={visit.formToken} />
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
  const own = application && applicationPath(application.clientId);
  return (
    <>
      <Tabs visit={visit} label={messages.sections} tabs={tabs} current={path} />
      {own && (
        <Tabs
          visit={visit}
          label={messages.parts}
          current={path}
          tabs={[
            { path: own, name: messages.application },
            { path: `${own}/log`, name: messages.log },
            { path: `${own}/usage`, name: messages.usage },
            { path: `${own}/webhook`, name: messages.webhook },
          ]}
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
