/** What has happened: calls with request and answer, redirects with their parameters, webhooks with their verdict. */
import { STATUS_CODES } from 'node:http';
import { instantText } from 'trapeza/base';
import { Badge, CodeBlock, type Frame, MethodBadge, Summary } from 'trapeza/pages';
import { answerMeaning, statusMeaning } from './status.js';
import type { CallView, NamedValue, RedirectView, WebhookView } from './view.js';

const messageText = (
  firstLine: string | undefined,
  headers: readonly NamedValue[],
  body: string | undefined,
): string =>
  [
    ...(firstLine === undefined ? [] : [firstLine]),
    ...headers.map(({ name, value }) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', body]),
  ].join('\n');

const AnswerBadge = ({ status }: { readonly status: number }) => (
  <Badge meaning={answerMeaning(status)}>
    {status === 0 ? 'no answer' : `${status} ${STATUS_CODES[status] ?? ''}`.trim()}
  </Badge>
);

/** Within the service; what stands before it is the same everywhere. */
const placeOf = (frame: Frame, url: string): string =>
  url.startsWith(frame.baseUrl) ? url.slice(frame.baseUrl.length) : url;

interface RecordProps<T> {
  readonly frame: Frame;
  readonly record: T;
  readonly isOpen: boolean;
}

export const Call = ({ frame, record, isOpen }: RecordProps<CallView>) => {
  const { request, answer } = record;
  return (
    <details class="record" open={isOpen}>
      <summary>
        <span class="record-title">
          <span class="quiet">{record.number}</span> {record.title}
        </span>
        <span class="record-line">
          <MethodBadge method={request.method} />
          <code>{placeOf(frame, request.url)}</code>
          <AnswerBadge status={answer.status} />
        </span>
      </summary>
      <div class="record-body">
        <p>{record.words}</p>
        <div class="sides">
          <CodeBlock
            name="Request"
            code={messageText(`${request.method} ${request.url}`, request.headers, request.body)}
          />
          <CodeBlock
            name="Answer"
            code={messageText(answerLine(answer.status), answer.headers, answer.body)}
          />
        </div>
        {answer.problem !== undefined && (
          <p>
            <a href={frame.href(`/problems/${answer.problem}`)}>
              What <code>{answer.problem}</code> means, and what to do
            </a>
          </p>
        )}
        <details class="values">
          <summary>The same as a command</summary>
          <CodeBlock name="Terminal" code={record.curl} />
        </details>
      </div>
    </details>
  );
};

const answerLine = (status: number): string =>
  status === 0 ? 'No answer' : `${status} ${STATUS_CODES[status] ?? ''}`.trim();

export const Redirect = ({ frame, record, isOpen }: RecordProps<RedirectView>) => (
  <details class="record" open={isOpen}>
    <summary>
      <span class="record-title">
        <span class="quiet">{record.number}</span> {record.title}
      </span>
      <span class="record-line">
        <Badge meaning="accent">Redirect</Badge>
        <code>{placeOf(frame, record.url).replace(/\?.*/, '')}</code>
      </span>
    </summary>
    <div class="record-body">
      <p>{record.words}</p>
      <CodeBlock name="The browser is sent to" code={record.url} />
      {record.parameters.length > 0 && (
        <Summary
          facts={record.parameters.map(({ name, value, words }) => ({
            name,
            value: (
              <>
                <code>{value}</code>
                {words !== '' && <span class="hint block">{words}</span>}
              </>
            ),
          }))}
        />
      )}
      {record.checks.length > 0 && (
        <ul class="plain checks">
          {record.checks.map(({ words, isFine }) => (
            <li key={words}>
              <Badge meaning={isFine ? 'good' : 'bad'}>{isFine ? 'Checked' : 'Failed'}</Badge> {words}
            </li>
          ))}
        </ul>
      )}
    </div>
  </details>
);

export const Webhook = ({ webhook, isOpen }: { readonly webhook: WebhookView; readonly isOpen: boolean }) => (
  <details class="record" open={isOpen}>
    <summary>
      <span class="record-title">
        Status change{webhook.status === undefined ? '' : `: ${webhook.status}`}
      </span>
      <span class="record-line">
        <Badge meaning="accent">Webhook</Badge>
        {webhook.status !== undefined && (
          <Badge meaning={statusMeaning(webhook.status)}>{webhook.status}</Badge>
        )}
        <Badge meaning={webhook.isVerified ? 'good' : 'bad'}>
          {webhook.isVerified ? 'Signature verified' : 'Not verified'}
        </Badge>
      </span>
    </summary>
    <div class="record-body">
      <p>{webhook.words}</p>
      <CodeBlock
        name={`Received ${instantText(webhook.receivedAt)}`}
        code={messageText('POST /sandbox/tpp/webhook', webhook.headers, webhook.body)}
      />
    </div>
  </details>
);
