/** Your devices: where a demo person who has authenticated on the overview adds a passkey. A real bank does this in its own app or site. */
import type { Clock, Db } from 'trapeza/base';
import { SESSION_COOKIE, type Session, Sessions } from 'trapeza/extend';
import {
  type Audience,
  Callout,
  cookieName,
  everybody,
  type Frame,
  formAction,
  formTokenIn,
  htmlPage,
  type Page,
  type PageAnswer,
  type PageRequest,
  pageFor,
  passkeyScript,
  seeOther,
} from 'trapeza/pages';
import type { DemoPasskeys } from '../bank/demo-passkeys.js';

export const DEVICES = '/sandbox/devices';
const PATH = DEVICES;

const TITLE = 'Your devices';
const ABOUT = 'Passkeys with which you can confirm instead of typing a code.';
const FAILED = 'Your device made no passkey. Try again.';

const obstacles = (frame: Frame) => {
  const { protocol, port } = new URL(frame.baseUrl);
  const local = `${protocol}//localhost${port === '' ? '' : `:${port}`}`;
  return {
    'ip-address': `Passkeys belong to a host name, and this service is reached by an IP address (${frame.baseUrl}). Start it with BASE_URL=${local} and open ${local}${frame.href(DEVICES)}. Until then, confirm with a code or in the app.`,
    insecure: `Browsers give passkeys to https addresses alone, and this service is reached at ${frame.baseUrl}. Until then, confirm with a code or in the app.`,
  };
};

interface Visit {
  readonly frame: Frame;
  readonly session: Session;
  readonly passkeys: DemoPasskeys;
}

const Known = async ({ frame, session, passkeys }: Visit) => {
  const known = await passkeys.of(session.psu.id);
  if (known.length === 0) return <p>{session.psu.name} has no passkey yet.</p>;
  return (
    <ul class="plain stack">
      {known.map(({ id, isBackedUp, isSyncable }) => (
        <li key={id}>
          <form class="card stack" method="post" action={formAction(frame.href(PATH), session.formToken)}>
            <p>
              Passkey <code>{id.slice(0, 8)}</code>
              <span class="quiet small block">
                {isSyncable
                  ? `May be on several devices${isBackedUp ? ', and is.' : '.'}`
                  : 'On one device only.'}
              </span>
            </p>
            <button class="button second" type="submit" name="remove" value={id}>
              Remove passkey {id.slice(0, 8)}
            </button>
          </form>
        </li>
      ))}
    </ul>
  );
};

const Add = async ({ frame, session, passkeys }: Visit) => {
  const { id, request } = await passkeys.enrolment(session.psu.id, session.psu.name);
  return (
    <form class="stack" method="post" action={formAction(frame.href(PATH), session.formToken)}>
      <input type="hidden" name="challenge" value={id} />
      <input type="hidden" name="answer" value="" data-request={JSON.stringify(request)} />
      <p role="alert" class="field-error" data-failed={FAILED} />
      <noscript>
        <p>A passkey can only be added with JavaScript.</p>
      </noscript>
      <p class="actions">
        <button class="button" type="submit">
          Add a passkey
        </button>
      </p>
      <script src={frame.href(passkeyScript.path)} defer />
    </form>
  );
};

const contentFor = async (frame: Frame, session: Session | undefined, passkeys: DemoPasskeys) => {
  const { obstacle } = passkeys;
  if (obstacle !== undefined)
    return (
      <Callout meaning="notice" heading="No passkeys at this address">
        <p>{obstacles(frame)[obstacle]}</p>
      </Callout>
    );
  if (session?.scaAt === undefined)
    return (
      <p>
        <a href={frame.href('/dashboard')}>Log in to your overview</a> with password and code, then come back
        to this page.
      </p>
    );
  const visit = { frame, session, passkeys };
  return (
    <>
      {await Known(visit)}
      {await Add(visit)}
    </>
  );
};

export interface DeviceParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly site: { baseUrl: string };
  readonly frame: () => Frame;
  readonly passkeys: DemoPasskeys;
}

const show = async (
  parts: DeviceParts,
  session: Session | undefined,
  fault?: string,
): Promise<PageAnswer> => {
  const frame = parts.frame();
  const children = (
    <>
      <div class="page-head">
        <h1>{TITLE}</h1>
        <p class="lead">{ABOUT}</p>
      </div>
      <div class="sections">
        {fault !== undefined && (
          <Callout meaning="notice" heading="No passkey was added">
            <p>{fault}</p>
          </Callout>
        )}
        {await contentFor(frame, session, parts.passkeys)}
      </div>
    </>
  );
  const page = htmlPage({ frame, title: TITLE, description: ABOUT, path: PATH, children });
  return { ...page, isPersonal: true, status: fault === undefined ? 200 : 400 };
};

export const createDevicePages = (parts: DeviceParts): readonly Page[] => {
  const sessions = new Sessions(parts.db, parts.clock);
  const sessionOf = ({ cookies }: PageRequest) =>
    sessions.find(cookies[cookieName(parts.site, SESSION_COOKIE)]);
  const toDevices = (): PageAnswer => seeOther(parts.frame().href(PATH));
  const owners: Audience<Session> = {
    name: 'account holder with both factors',
    admit: async (request) => {
      const session = await sessionOf(request);
      const isOurs = session?.scaAt !== undefined && formTokenIn(request) === session.formToken;
      return isOurs ? { visitor: session } : { answer: toDevices() };
    },
  };
  return [
    {
      method: 'GET',
      path: PATH,
      audience: everybody,
      render: async (request) => show(parts, await sessionOf(request)),
    },
    pageFor({
      method: 'POST',
      path: PATH,
      audience: owners,
      render: async ({ form }, session) => {
        const here = toDevices();
        const { id } = session.psu;
        if (form.remove !== undefined) {
          await parts.passkeys.remove(id, form.remove);
          return here;
        }
        if (parts.passkeys.obstacle !== undefined) return here;
        const outcome = await parts.passkeys.enrol(id, form.challenge ?? '', form.answer ?? '');
        return outcome.kind === 'right' ? here : show(parts, session, FAILED);
      },
    }),
  ];
};
