/** Notifications of one application: their address, how they are verified, a test event, and the last deliveries. */
import type { DeliveryRow } from '../../events/backlog.js';
import { type EventBody, eventBody } from '../../events/event.js';
import { KEYS_PATH } from '../../events/keys-page.js';
import { targetFault } from '../../events/target.js';
import { type PageAnswer, seeOther } from '../../http/pages.js';
import type { ClientId } from '../../model/ids.js';
import { Badge, type Meaning } from '../../web/components/badge.js';
import { Callout, Summary } from '../../web/components/blocks.js';
import { CodeBlock, jsonText } from '../../web/components/code-block.js';
import { Records } from '../../web/components/records.js';
import { PortalForm, portalPage, Submit, TextField, timeText } from './frame.js';
import { faultText, outcomeText } from './messages/index.js';
import {
  applicationPath,
  type DeveloperParts,
  noRefusal,
  type OwnApplication,
  type Refusal,
  refusalOf,
  type Visit,
} from './visit.js';

const webhookPath = (clientId: ClientId, step = ''): string => applicationPath(clientId, `/webhook${step}`);

interface Props {
  readonly visit: Visit;
  readonly application: OwnApplication;
}

const stateOf = (
  { messages }: Visit,
  { target, dueAt, outcome, attempts }: DeliveryRow,
): { readonly meaning: Meaning; readonly text: string } => {
  const { states } = messages.hooks;
  if (target === null) return { meaning: 'quiet', text: states.feed };
  if (dueAt !== null)
    return attempts ? { meaning: 'notice', text: states.retry } : { meaning: 'accent', text: states.waiting };
  return outcome?.startsWith('given up')
    ? { meaning: 'bad', text: states.givenUp }
    : { meaning: 'good', text: states.delivered };
};

const Deliveries = ({ visit, application, rows }: Props & { readonly rows: readonly DeliveryRow[] }) => {
  const texts = visit.messages.hooks;
  return (
    <section class="stack" aria-labelledby="deliveries">
      <h2 id="deliveries">{texts.deliveries}</h2>
      {rows.length === 0 ? (
        <p class="quiet">{texts.none}</p>
      ) : (
        <Records
          caption={texts.deliveries}
          shape="deliveries"
          columns={texts.columns}
          rows={rows.map((row) => {
            const { meaning, text } = stateOf(visit, row);
            return {
              key: `${row.id} ${row.target}`,
              cells: [
                <>
                  <span class="block">{timeText(visit, row.occurredAt)}</span>
                  <span class="block small">
                    {row.kind} {row.status}
                  </span>
                  <code class="small">{row.id}</code>
                </>,
                <>
                  <Badge meaning={meaning}>{text}</Badge>
                  {row.outcome && <p class="small">{outcomeText(visit.messages, row.outcome)}</p>}
                </>,
                String(row.attempts ?? 0),
                <details class="values">
                  <summary>{texts.payload}</summary>
                  <pre class="portal-payload">
                    <code>{jsonText(eventBody(row))}</code>
                  </pre>
                </details>,
                <PortalForm
                  visit={visit}
                  path={webhookPath(application.clientId, '/redeliver')}
                  hidden={{ event: row.id }}
                >
                  <button class="link-button" type="submit">
                    {texts.again}
                    <span class="unseen"> {row.id}</span>
                  </button>
                </PortalForm>,
              ],
            };
          })}
        />
      )}
    </section>
  );
};

const Signing = ({ visit }: { readonly visit: Visit }) => {
  const texts = visit.messages.hooks;
  return (
    <section class="card" aria-labelledby="signing">
      <h2 id="signing">{texts.signing}</h2>
      <p>{texts.signingText}</p>
      <Summary
        facts={[
          { name: texts.keys, value: <a href={visit.frame.href(KEYS_PATH)}>{KEYS_PATH}</a> },
          {
            name: texts.covered,
            value: <code>@method @target-uri content-digest content-type event-id</code>,
          },
        ]}
      />
    </section>
  );
};

interface Tried {
  readonly isDelivered: boolean;
  readonly outcome: string;
  readonly event: EventBody;
}

export const showWebhook = async (
  { admin }: DeveloperParts,
  visit: Visit,
  application: OwnApplication,
  { refusal = noRefusal, tried }: { readonly refusal?: Refusal; readonly tried?: Tried } = {},
): Promise<PageAnswer> => {
  const { messages } = visit;
  const texts = messages.hooks;
  const { clientId, name, webhookUrl } = application;
  const rows = await admin.deliveries(clientId);
  return portalPage(visit, {
    title: `${texts.heading}: ${name}`,
    path: webhookPath(clientId),
    application,
    errors: refusal.errors,
    children: (
      <>
        {tried && (
          <Callout
            meaning={tried.isDelivered ? 'good' : 'bad'}
            heading={(tried.isDelivered ? texts.tested : texts.failed)(outcomeText(messages, tried.outcome))}
          >
            <CodeBlock name={texts.payload} code={jsonText(tried.event)} />
          </Callout>
        )}
        <section class="card" aria-label={texts.address}>
          <p>{texts.text}</p>
          <PortalForm visit={visit} path={webhookPath(clientId)}>
            <TextField
              field="webhook"
              label={texts.address}
              hint={texts.hint}
              value={webhookUrl ?? ''}
              refusal={refusal}
              isUrl
            />
            <Submit text={messages.save} />
          </PortalForm>
          <h2>{texts.testHeading}</h2>
          <p>{texts.testText}</p>
          <PortalForm visit={visit} path={webhookPath(clientId, '/test')}>
            <Submit text={texts.test} isSecond />
          </PortalForm>
        </section>
        <Deliveries visit={visit} application={application} rows={rows} />
        <Signing visit={visit} />
      </>
    ),
  });
};

type Change = (parts: DeveloperParts, visit: Visit, application: OwnApplication) => Promise<PageAnswer>;

export const saveWebhook: Change = async (parts, visit, application) => {
  const url = (visit.request.form.webhook ?? '').trim();
  const fault = url === '' ? undefined : targetFault(url, parts.reach.allowsLoopback);
  if (fault !== undefined) {
    const text = visit.messages.hooks.refused(faultText(visit.messages, fault));
    return showWebhook(parts, visit, application, { refusal: refusalOf(visit, 'webhook', text) });
  }
  await parts.admin.setWebhook(application.clientId, { url: url === '' ? null : url });
  return seeOther(visit.frame.href(`${webhookPath(application.clientId)}?done=webhook`));
};

/** One at a time for an application: a receiver that does not answer keeps an attempt for seconds. */
export const createTestEvents = (): Change => {
  const running = new Set<ClientId>();
  return async (parts, visit, application) => {
    const { clientId, webhookUrl } = application;
    const texts = visit.messages.hooks;
    const refuse = (text: string) =>
      showWebhook(parts, visit, application, { refusal: refusalOf(visit, 'webhook', text) });
    if (webhookUrl === null) return refuse(texts.noAddress);
    if (running.has(clientId)) return refuse(texts.busy);
    running.add(clientId);
    try {
      return await showWebhook(parts, visit, application, { tried: await parts.sendTest(webhookUrl) });
    } finally {
      running.delete(clientId);
    }
  };
};

export const sendAgain: Change = async (parts, visit, application) => {
  const isDue = await parts.admin.redeliverEvent(application.clientId, {
    eventId: visit.request.form.event ?? '',
  });
  if (!isDue) {
    const refusal = refusalOf(visit, 'webhook', visit.messages.hooks.noAddress);
    return showWebhook(parts, visit, application, { refusal });
  }
  return seeOther(visit.frame.href(`${webhookPath(application.clientId)}?done=due`));
};
