/** Keys and secrets right after they were made: the only page that ever shows them. */
import type { PageAnswer } from '../../http/pages.js';
import type { IssuedKey } from '../../tpp/registry.js';
import { Callout } from '../../web/components/blocks.js';
import { CodeBlock } from '../../web/components/code-block.js';
import { ConsoleLink } from '../../web/components/console-link.js';
import { portalPage } from './frame.js';
import { applicationPath, type DeveloperParts, type OwnApplication, type Visit } from './visit.js';

export interface Made {
  readonly keys?: readonly IssuedKey[];
  readonly secret?: string;
  /** What has become of those before. */
  readonly note?: string;
}

export const secretsPage = (
  { portal }: DeveloperParts,
  visit: Visit,
  application: OwnApplication,
  { keys = [], secret, note }: Made,
): PageAnswer => {
  const { messages, frame } = visit;
  const texts = messages.secrets;
  const { clientId } = application;
  const [first] = keys;
  const call = first && portal.firstCall?.({ clientId, key: first.key });
  const path = applicationPath(clientId);
  return portalPage(visit, {
    title: application.name,
    path,
    application,
    keepsInTab: true,
    children: (
      <>
        <Callout meaning="notice" heading={texts.heading}>
          <p>{texts.lead}</p>
          {note && <p>{note}</p>}
        </Callout>
        <section class="stack">
          <CodeBlock name={texts.clientId} code={clientId} />
          {keys.map(({ slot, key }) => (
            <CodeBlock key={slot} name={texts[slot]} code={key} />
          ))}
          {secret && <CodeBlock name={texts.secret} code={secret} />}
        </section>
        {call && (
          <section class="stack" aria-labelledby="call">
            <h2 id="call">{texts.call}</h2>
            <p>{texts.callText}</p>
            <CodeBlock name="curl" code={call} />
          </section>
        )}
        <div class="actions">
          {first && (
            <ConsoleLink
              prefix={frame.href('')}
              text={texts.toConsole}
              credentials={{ clientId, key: first.key, clientSecret: secret }}
            />
          )}
          <a class={first ? 'button second' : 'button'} href={frame.href(`${path}/log`)}>
            {texts.toLog}
          </a>
          <a class="button second" href={frame.href(path)}>
            {texts.goOn}
          </a>
        </div>
      </>
    ),
  });
};
