/** How operators come in: name, passphrase and a code of their app; before that the one-time link on which they set both. */

import type { Operator } from '../acts/role.js';
import { runAct } from '../acts/run-act.js';
import { addOperator } from '../admin/acts.js';
import { LostAuthenticator, SHORTEST_PASSPHRASE } from '../admin/operators.js';
import { hrefOf, plainPage } from '../console/frame.js';
import { CONSOLE, type Guest, guestOf, SESSION_COOKIE } from '../console/visit.js';
import type { Wait } from '../gate/guard/source-limit.js';
import { type PageAnswer, type PageRequest, seeOther } from '../http/pages.js';
import { retryAfter } from '../lib/rate-limit.js';
import { totpCode } from '../lib/totp.js';
import { errorFields } from '../observe/log.js';
import { Callout, Summary } from '../web/components/blocks.js';
import { ErrorSummary } from '../web/components/error-summary.js';
import { noRefusal, PostForm, type Refusal, Submit, TextField } from '../web/components/form.js';
import { loginToken } from '../web/form-token.js';
import { waitText } from '../web/wait-text.js';
import type { Stale } from './audience.js';
import type { ConsoleParts } from './parts.js';

type Render = (parts: ConsoleParts, guest: Guest, refusal?: Refusal) => Promise<PageAnswer>;

const refusalOf = ({ request }: Guest, field: string, text: string): Refusal => ({
  errors: [{ field, text }],
  values: request.form,
});

const Demo = ({ parts, guest }: { readonly parts: ConsoleParts; readonly guest: Guest }) => {
  const { demo, clock } = parts;
  const texts = guest.messages.login;
  if (!demo) return null;
  return (
    <Callout meaning="notice" heading={texts.demo}>
      <Summary
        facts={[
          { name: texts.name, value: <code>{demo.name}</code> },
          { name: texts.passphrase, value: <code>{demo.passphrase}</code> },
          { name: texts.code, value: <code>{totpCode(demo.totp, clock.now())}</code> },
        ]}
      />
    </Callout>
  );
};

export const showLogin: Render = async (parts, guest, refusal = noRefusal) => {
  const { login: texts, problem } = guest.messages;
  const { formToken, cookie } = loginToken(parts, guest.request);
  const children = (
    <div class="stack-wide">
      <h1>{texts.heading}</h1>
      <ErrorSummary heading={problem} errors={refusal.errors} />
      <section class="card" aria-label={texts.heading}>
        <PostForm action={hrefOf(guest, '/login')} token={formToken}>
          <TextField field="name" label={texts.name} value="" refusal={refusal} />
          <TextField
            field="passphrase"
            label={texts.passphrase}
            value=""
            refusal={refusal}
            isPassword="current-password"
          />
          <TextField field="code" label={texts.code} value="" refusal={refusal} isCode />
          <Submit text={texts.submit} />
        </PostForm>
        <p>{texts.lost}</p>
      </section>
      <Demo parts={parts} guest={guest} />
    </div>
  );
  return plainPage(
    guest,
    { title: texts.heading, path: '/login', children },
    { status: refusal.errors.length > 0 ? 400 : 200, cookies: [...guest.cookies, cookie] },
  );
};

const askToWait = async (parts: ConsoleParts, guest: Guest, { ms }: Wait): Promise<PageAnswer> => {
  const text = guest.messages.login.wait(waitText(guest.lang, ms));
  const page = await showLogin(parts, guest, refusalOf(guest, 'name', text));
  return { ...page, status: 429, headers: { ...page.headers, ...retryAfter(ms) } };
};

/** What is wrong is the service, not the person: no form, because another try cannot help. */
export const lostAuthenticator = (parts: ConsoleParts, request: PageRequest, error: unknown): PageAnswer => {
  if (!(error instanceof LostAuthenticator)) throw error;
  parts.log.error(errorFields(error), 'operator login');
  const guest = guestOf(parts, request);
  const { login: texts } = guest.messages;
  const children = (
    <div class="stack-wide">
      <h1>{texts.lostHeading}</h1>
      <p>{texts.lostText}</p>
      <p>
        {texts.lostRemedy} <code>trapeza secret status</code>
      </p>
    </div>
  );
  return plainPage(guest, { title: texts.lostHeading, path: '/login', children }, { status: 503 });
};

export const staleLogin: Stale = (parts, guest) =>
  showLogin(parts, guest, refusalOf(guest, 'name', guest.messages.stale));

/** A row in the audit log. */
const note = (
  { context }: ConsoleParts,
  { name, role }: Operator,
  act: 'operator.login' | 'operator.enrol',
): Promise<void> => {
  const by = { actor: `operator:${name}`, role };
  const roles = ['service', 'customers', 'compliance'] as const;
  const noted = { name: act, about: 'existing', roles, texts: addOperator.texts, input: {} } as const;
  return runAct({ ...context, by }, { ...noted, run: async () => undefined }, name, {});
};

export const logIn: Render = async (parts, guest) => {
  const { login: texts } = guest.messages;
  const { name = '', passphrase = '', code = '' } = guest.request.form;
  const login = { audience: 'operator', name, request: guest.request, site: parts.site } as const;
  const judged = await parts.guard.logIn(login, () => parts.operators.logIn(name.trim(), passphrase, code));
  if (judged.kind === 'refused') return showLogin(parts, guest, refusalOf(guest, 'name', texts.refused));
  if (judged.kind === 'wait') return askToWait(parts, guest, judged.wait);
  const { value: operator, cookies } = judged;
  await note(parts, operator, 'operator.login');
  const session = await parts.operators.open(operator);
  return seeOther(guest.frame.href(CONSOLE), [...cookies, { name: SESSION_COOKIE, value: session }]);
};

export const showEnrolment: Render = async (parts, guest, refusal = noRefusal) => {
  const { enrol: texts, login, problem } = guest.messages;
  const link = guest.request.params.link ?? '';
  const invited = await parts.operators.invited(link);
  const { formToken, cookie } = loginToken(parts, guest.request);
  const children = invited ? (
    <div class="stack-wide">
      <h1>{texts.heading}</h1>
      <p class="lead">{texts.lead(invited.name)}</p>
      <ErrorSummary heading={problem} errors={refusal.errors} />
      <section class="card" aria-label={texts.heading}>
        <p>{texts.app}</p>
        <p>
          <code>{invited.totp.replaceAll(/.{4}(?=.)/g, '$& ')}</code>
        </p>
        <PostForm action={hrefOf(guest, `/enrol/${link}`)} token={formToken}>
          <TextField
            field="passphrase"
            label={texts.passphrase}
            hint={texts.passphraseHint}
            value=""
            refusal={refusal}
            isPassword="new-password"
          />
          <TextField field="code" label={login.code} value="" refusal={refusal} isCode />
          <Submit text={texts.submit} />
        </PostForm>
      </section>
    </div>
  ) : (
    <div class="stack-wide">
      <h1>{texts.heading}</h1>
      <p>{texts.over}</p>
    </div>
  );
  const bad = refusal.errors.length > 0 ? 400 : 200;
  return plainPage(
    guest,
    { title: texts.heading, path: `/enrol/${link}`, children },
    { status: invited ? bad : 404, cookies: [...guest.cookies, cookie] },
  );
};

export const staleEnrolment: Stale = (parts, guest) =>
  showEnrolment(parts, guest, refusalOf(guest, 'passphrase', guest.messages.stale));

export const enrol: Render = async (parts, guest) => {
  const { enrol: texts } = guest.messages;
  const { passphrase = '', code = '' } = guest.request.form;
  const refuse = (field: string, text: string) => showEnrolment(parts, guest, refusalOf(guest, field, text));
  if (passphrase.trim().length < SHORTEST_PASSPHRASE) return refuse('passphrase', texts.tooShort);
  const operator = await parts.operators.enrol(guest.request.params.link ?? '', passphrase, code);
  if (!operator) return refuse('code', texts.wrongCode);
  await note(parts, operator, 'operator.enrol');
  const session = await parts.operators.open(operator);
  return seeOther(guest.frame.href(CONSOLE), [{ name: SESSION_COOKIE, value: session }]);
};
