/** One application: its name, redirect addresses, keys and secret, and its end. */
import { type PageAnswer, seeOther } from '../../http/pages.js';
import { redirectFault } from '../../lib/net/redirect.js';
import type { KeyRow } from '../../tpp/listing.js';
import { MOST_REDIRECTS } from '../../tpp/own-changes.js';
import { type Slot, slots } from '../../tpp/registry.js';
import { Badge } from '../../web/components/badge.js';
import { Summary } from '../../web/components/blocks.js';
import { FieldError } from '../../web/components/error-summary.js';
import { PortalForm, portalPage, Submit, TextField, timeText } from './frame.js';
import { faultText, namesText } from './messages/index.js';
import { nameFault } from './overview.js';
import { secretsPage } from './secrets.js';
import {
  applicationPath,
  type DeveloperParts,
  noRefusal,
  type OwnApplication,
  PORTAL,
  type Refusal,
  refusalOf,
  type Visit,
} from './visit.js';

interface Props {
  readonly visit: Visit;
  readonly application: OwnApplication;
  readonly refusal: Refusal;
}

const Redirects = ({ visit, application, refusal }: Props) => {
  const texts = visit.messages.redirects;
  const path = applicationPath(application.clientId, '/redirects');
  return (
    <section class="card" aria-labelledby="redirects">
      <h2 id="redirects">{texts.heading}</h2>
      <p>{texts.text}</p>
      {application.redirectUris.length === 0 && <p class="quiet">{texts.none}</p>}
      <ul class="plain portal-rows">
        {application.redirectUris.map((uri) => (
          <li key={uri}>
            <code>{uri}</code>
            <PortalForm visit={visit} path={`${path}/remove`} hidden={{ uri }}>
              <button class="link-button" type="submit" aria-label={texts.removeOf(uri)}>
                {texts.remove}
              </button>
            </PortalForm>
          </li>
        ))}
      </ul>
      <PortalForm visit={visit} path={path}>
        <TextField
          field="redirect"
          label={texts.add}
          hint={visit.messages.start.redirectHint}
          value=""
          refusal={refusal}
          isUrl
        />
        <Submit text={texts.add} isSecond />
      </PortalForm>
    </section>
  );
};

const Keys = ({
  visit,
  application,
  keys,
}: Omit<Props, 'refusal'> & { readonly keys: readonly KeyRow[] }) => {
  const texts = visit.messages.keys;
  const path = applicationPath(application.clientId);
  return (
    <section class="card" aria-labelledby="keys">
      <h2 id="keys">{texts.heading}</h2>
      <p>{keys.length > 0 ? texts.text : texts.none}</p>
      {keys.length === 0 && (
        <PortalForm visit={visit} path={`${path}/keys`}>
          <Submit text={visit.messages.start.getKeys} />
        </PortalForm>
      )}
      <ul class="plain portal-rows">
        {keys.map(({ id, slot, subscriptionId, createdAt }) => (
          <li key={id}>
            <span>
              {texts[slot as Slot]}, {texts.since(timeText(visit, createdAt))}
            </span>
            <PortalForm
              visit={visit}
              path={`${path}/keys/roll`}
              hidden={{ subscription: subscriptionId, slot }}
            >
              <button class="link-button" type="submit">
                {texts.roll(texts[slot as Slot])}
              </button>
            </PortalForm>
          </li>
        ))}
      </ul>
      <p>{texts.secretText}</p>
      <PortalForm visit={visit} path={`${path}/secret`}>
        <button class="link-button" type="submit">
          {texts.rollSecret}
        </button>
      </PortalForm>
    </section>
  );
};

const End = ({ visit, application, refusal }: Props) => {
  const texts = visit.messages.end;
  return (
    <section class="card" aria-labelledby="end">
      <h2 id="end">{texts.heading}</h2>
      <p>{texts.text}</p>
      <PortalForm visit={visit} path={applicationPath(application.clientId, '/end')}>
        <FieldError field="confirm" errors={refusal.errors} />
        <label class="choice">
          <input id="confirm" type="checkbox" name="confirm" value="yes" /> {texts.confirm}
        </label>
        <Submit text={texts.submit} isSecond />
      </PortalForm>
    </section>
  );
};

export const showApplication = async (
  { admin }: DeveloperParts,
  visit: Visit,
  application: OwnApplication,
  refusal: Refusal = noRefusal,
): Promise<PageAnswer> => {
  const { messages, developer } = visit;
  const { clientId, name, status, binding } = application;
  const keys = (await admin.keys(developer.tppId)).filter((key) => key.clientId === clientId);
  const [tpp] = await admin.tpps(developer.tppId);
  const facts = [
    { name: messages.clientId, value: <code>{clientId}</code> },
    {
      name: messages.start.products,
      value: keys[0] ? namesText(messages, keys[0].products.split(' ')) : '–',
    },
    { name: messages.start.roles, value: namesText(messages, tpp?.roles.split(' ') ?? []) },
    ...(binding === 'none' ? [] : [{ name: messages.binding, value: binding }]),
  ];
  return portalPage(visit, {
    title: name,
    path: applicationPath(clientId),
    application,
    errors: refusal.errors,
    children: (
      <>
        <section class="card" aria-labelledby="facts">
          <h2 id="facts">{messages.facts}</h2>
          <p>
            <Badge meaning={status === 'active' ? 'good' : 'bad'}>{messages.status[status] ?? status}</Badge>
          </p>
          <Summary facts={facts} />
          <PortalForm visit={visit} path={applicationPath(clientId, '/rename')}>
            <TextField field="name" label={messages.start.name} value={name} refusal={refusal} />
            <Submit text={messages.rename} isSecond />
          </PortalForm>
        </section>
        <Keys visit={visit} application={application} keys={keys} />
        <Redirects visit={visit} application={application} refusal={refusal} />
        <End visit={visit} application={application} refusal={refusal} />
      </>
    ),
  });
};

type Change = (parts: DeveloperParts, visit: Visit, application: OwnApplication) => Promise<PageAnswer>;

const changed = ({ frame }: Visit, { clientId }: OwnApplication, what: string): PageAnswer =>
  seeOther(frame.href(`${applicationPath(clientId)}?done=${what}`));

export const rename: Change = async (parts, visit, application) => {
  const name = (visit.request.form.name ?? '').trim();
  const wrong = nameFault(visit, name);
  if (wrong !== undefined) return showApplication(parts, visit, application, refusalOf(visit, 'name', wrong));
  await parts.admin.renameApplication(application.clientId, { name });
  return changed(visit, application, 'renamed');
};

const redirectProblem = (visit: Visit, { redirectUris }: OwnApplication, uri: string): string | undefined => {
  const { redirects } = visit.messages;
  const fault = redirectFault(uri);
  if (fault !== undefined) return redirects.refused(faultText(visit.messages, fault));
  if (redirectUris.includes(uri)) return redirects.same;
  return redirectUris.length >= MOST_REDIRECTS ? redirects.many : undefined;
};

export const addRedirect: Change = async (parts, visit, application) => {
  const uri = (visit.request.form.redirect ?? '').trim();
  const wrong = redirectProblem(visit, application, uri);
  if (wrong !== undefined)
    return showApplication(parts, visit, application, refusalOf(visit, 'redirect', wrong));
  await parts.admin.setRedirectUris(application.clientId, {
    uris: [...application.redirectUris, uri],
  });
  return changed(visit, application, 'redirects');
};

export const removeRedirect: Change = async ({ admin }, visit, application) => {
  const { clientId, redirectUris } = application;
  await admin.setRedirectUris(clientId, {
    uris: redirectUris.filter((uri) => uri !== visit.request.form.uri),
  });
  return changed(visit, application, 'redirects');
};

/** The first keys of an application; once there are some, they can only be rolled. */
export const getKeys: Change = async (parts, visit, application) => {
  const { clientId } = application;
  const held = await parts.admin.keys(visit.developer.tppId);
  if (held.some((key) => key.clientId === clientId))
    return seeOther(visit.frame.href(applicationPath(clientId)));
  const { keys } = await parts.admin.createSubscription({ clientId });
  const secret = await parts.admin.rollSecret(clientId);
  return secretsPage(parts, visit, application, { keys, secret });
};

export const rollKey: Change = async (parts, visit, application) => {
  const { subscription, slot } = visit.request.form;
  const held = await parts.admin.keys(visit.developer.tppId);
  const found = held.find(
    (key) =>
      key.clientId === application.clientId && key.subscriptionId === subscription && key.slot === slot,
  );
  const known = slots.find((each) => each === slot);
  if (!found || !known) return seeOther(visit.frame.href(applicationPath(application.clientId)));
  const key = await parts.admin.rollKey(found.subscriptionId, { slot: known });
  return secretsPage(parts, visit, application, { keys: [key], note: visit.messages.secrets.rolled });
};

export const newClientSecret: Change = async (parts, visit, application) => {
  const secret = await parts.admin.rollSecret(application.clientId);
  return secretsPage(parts, visit, application, { secret, note: visit.messages.secrets.secretRolled });
};

export const end: Change = async (parts, visit, application) => {
  if (visit.request.form.confirm !== 'yes')
    return showApplication(
      parts,
      visit,
      application,
      refusalOf(visit, 'confirm', visit.messages.end.unconfirmed),
    );
  await parts.admin.endApplication(application.clientId);
  return seeOther(visit.frame.href(`${PORTAL}?done=ended`));
};
