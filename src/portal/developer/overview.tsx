/** The first page: what to do next, and the applications there are. */
import { type PageAnswer, seeOther } from '../../http/pages.js';
import { newId } from '../../lib/id.js';
import { redirectFault } from '../../lib/net/redirect.js';
import { LONGEST_NAME } from '../../tpp/own-changes.js';
import { Badge } from '../../web/components/badge.js';
import { Summary } from '../../web/components/blocks.js';
import { PortalForm, portalPage, Submit, TextField } from './frame.js';
import { faultText, namesText } from './messages/index.js';
import { secretsPage } from './secrets.js';
import {
  applicationPath,
  type DeveloperParts,
  findOwn,
  noRefusal,
  type OwnApplication,
  ownApplications,
  PORTAL,
  type Refusal,
  refusalOf,
  type Visit,
} from './visit.js';

const MOST_APPLICATIONS = 20;

interface Shown {
  readonly application: OwnApplication;
  readonly products: readonly string[];
  readonly hasKeys: boolean;
  /** It has called: its developer has a key that works. */
  readonly isUsed: boolean;
  readonly subscriptionId: string;
}

const ApplicationCard = ({ visit, shown }: { readonly visit: Visit; readonly shown: Shown }) => {
  const { messages, frame } = visit;
  const { application, products, hasKeys, isUsed, subscriptionId } = shown;
  const path = applicationPath(application.clientId);
  return (
    <li class={isUsed ? 'card' : 'card portal-next'}>
      <h2>{application.name}</h2>
      <p>
        <Badge meaning={application.status === 'active' ? 'good' : 'bad'}>
          {messages.status[application.status] ?? application.status}
        </Badge>
      </p>
      <p class="small">
        {messages.clientId}: <code>{application.clientId}</code>
      </p>
      {hasKeys ? (
        <>
          <p class="small">
            {messages.start.products}: {namesText(messages, products)}
          </p>
          <div class="actions">
            <a
              class="button second"
              href={frame.href(path)}
              aria-label={`${messages.start.open} ${application.name}`}
            >
              {messages.start.open}
            </a>
            <a
              class="button second"
              href={frame.href(`${path}/log`)}
              aria-label={`${messages.log} ${application.name}`}
            >
              {messages.log}
            </a>
          </div>
        </>
      ) : (
        <>
          <h3>{messages.start.first}</h3>
          <p>{messages.start.firstText}</p>
          <PortalForm visit={visit} path={`${path}/keys`}>
            <Submit text={messages.start.getKeys} />
          </PortalForm>
        </>
      )}
      {hasKeys && !isUsed && (
        <PortalForm
          visit={visit}
          path={`${path}/keys/roll`}
          hidden={{ subscription: subscriptionId, slot: 'primary' }}
        >
          <h3>{messages.start.uncalled}</h3>
          <p>{messages.start.uncalledText}</p>
          <Submit text={messages.start.firstCall} />
        </PortalForm>
      )}
    </li>
  );
};

const CreateForm = ({
  visit,
  isFirst,
  refusal,
}: {
  readonly visit: Visit;
  readonly isFirst: boolean;
  readonly refusal: Refusal;
}) => {
  const texts = visit.messages.start;
  return (
    <section class="card" aria-labelledby="create">
      <h2 id="create">{isFirst ? texts.create : texts.another}</h2>
      {isFirst && <p>{texts.none}</p>}
      <PortalForm visit={visit} path={`${PORTAL}/applications`}>
        <TextField
          field="name"
          label={texts.name}
          value={refusal.values.name ?? (isFirst ? visit.developer.name.slice(0, LONGEST_NAME) : '')}
          refusal={refusal}
        />
        <TextField
          field="redirect"
          label={texts.redirect}
          hint={texts.redirectHint}
          value={refusal.values.redirect ?? ''}
          refusal={refusal}
          isUrl
        />
        <Submit text={texts.submit} isSecond={!isFirst} />
      </PortalForm>
    </section>
  );
};

export const showOverview = async (
  parts: DeveloperParts,
  visit: Visit,
  refusal: Refusal = noRefusal,
): Promise<PageAnswer> => {
  const { messages, frame, developer } = visit;
  const texts = messages.start;
  const applications = await ownApplications(parts, visit);
  const keys = await parts.admin.keys(developer.tppId);
  const [tpp] = await parts.admin.tpps(developer.tppId);
  const shown = await Promise.all(
    applications.map(async (application): Promise<Shown> => {
      const [first] = keys.filter(({ clientId }) => clientId === application.clientId);
      return {
        application,
        products: first?.products.split(' ') ?? [],
        hasKeys: first !== undefined,
        isUsed: (await parts.admin.usage(application.clientId)).length > 0,
        subscriptionId: first?.subscriptionId ?? '',
      };
    }),
  );
  const inOrder = shown.toSorted((a, b) => Number(a.isUsed) - Number(b.isUsed));
  return portalPage(visit, {
    title: texts.heading,
    path: PORTAL,
    errors: refusal.errors,
    children: (
      <>
        <p class="lead">{texts.lead}</p>
        {inOrder.length > 0 && (
          <ul class="card-grid pairs">
            {inOrder.map((each) => (
              <ApplicationCard key={each.application.clientId} visit={visit} shown={each} />
            ))}
          </ul>
        )}
        <CreateForm visit={visit} isFirst={shown.length === 0} refusal={refusal} />
        <Summary
          facts={[
            { name: texts.roles, value: namesText(visit.messages, tpp?.roles.split(' ') ?? []) },
            {
              name: texts.next,
              value: (
                <ul class="plain portal-links">
                  <li>
                    <a href={frame.href('/docs')}>{texts.steps.reference}</a>
                  </li>
                  <li>
                    <a href={frame.href('/problems')}>{texts.steps.problems}</a>
                  </li>
                </ul>
              ),
            },
          ]}
        />
      </>
    ),
  });
};

/** What is wrong with a name, if something is. */
export const nameFault = ({ messages }: Visit, name: string): string | undefined => {
  if (name === '') return messages.names.empty;
  return name.length > LONGEST_NAME ? messages.names.long(LONGEST_NAME) : undefined;
};

export const createApplication = async (parts: DeveloperParts, visit: Visit): Promise<PageAnswer> => {
  const { admin, portal } = parts;
  const { messages, developer, request } = visit;
  const refuse = (field: string, text: string) => showOverview(parts, visit, refusalOf(visit, field, text));
  const name = (request.form.name ?? '').trim();
  const redirect = (request.form.redirect ?? '').trim();
  const wrong = nameFault(visit, name);
  if (wrong !== undefined) return refuse('name', wrong);
  if ((await ownApplications(parts, visit)).length >= MOST_APPLICATIONS)
    return refuse('name', messages.names.many(MOST_APPLICATIONS));
  const fault = redirect === '' ? undefined : redirectFault(redirect);
  if (fault !== undefined) return refuse('redirect', messages.redirects.refused(faultText(messages, fault)));
  const clientId = newId();
  const home = portal.returnAddress?.(clientId);
  const redirectUris = redirect !== '' ? [redirect] : home && !redirectFault(home) ? [home] : [];
  const { clientSecret } = await admin.createApplication({
    clientId,
    tppId: developer.tppId,
    name,
    redirectUris,
  });
  const { keys } = await admin.createSubscription({ clientId });
  const application = await findOwn(parts, visit, clientId);
  if (!application) return seeOther(visit.frame.href(PORTAL));
  return secretsPage(parts, visit, application, { keys, secret: clientSecret });
};
