/**
 * The console of an operation: its call from this page, filled with what the sandbox knows. The script of the console shows it and
 * makes the call; without script the samples do.
 */
import { requestMediaTypes } from '../../../http/openapi.js';
import type { Operation } from '../../../http/operation.js';
import { scopeOf } from '../../../model/caller.js';
import { jsonText } from '../../../web/components/code-block.js';
import type { Frame } from '../../../web/frame.js';
import type { AreaView } from '../../areas.js';
import { sampleCall } from './samples.js';

interface Props {
  readonly frame: Frame;
  readonly area: AreaView;
  readonly operation: Operation;
}

interface Input {
  readonly name: string;
  readonly label?: string;
  readonly place: 'param' | 'query' | 'header' | 'grant';
  readonly value?: string | undefined;
  /** Under which name the samples and other pages know it. */
  readonly known?: string;
}

/** Worth a field though it may be left out: it brings about any outcome. */
const SCENARIO = 'Sandbox-Scenario';

const inputsOf = ({ frame, operation }: Props): readonly Input[] => {
  const { params, headers } = sampleCall(operation);
  const scenario = operation.headers.filter(({ name }) => name === SCENARIO);
  return [
    ...params.map(([name, { variable }]) => ({ name, place: 'param', known: variable }) as const),
    ...operation.query.map(({ name }) => ({ name, place: 'query' }) as const),
    // The script makes a new id for every call.
    ...headers.flatMap(([name, value]): Input[] => {
      if ('isNewId' in value) return [];
      if ('text' in value) return [{ name, place: 'header', value: value.text }];
      const isKey = value.variable === 'SUBSCRIPTION_KEY';
      return [
        {
          name,
          place: 'header',
          known: value.variable,
          value: isKey ? frame.additions?.exampleKey : undefined,
        },
      ];
    }),
    ...scenario.map(({ name }) => ({ name, place: 'header' }) as const),
  ];
};

const Field = ({ name, label = name, place, value, known }: Input) => (
  <label>
    <span>{label}</span>
    <input
      name={name}
      data-place={place}
      data-known={known}
      value={value}
      autocomplete="off"
      spellcheck={false}
      required={place === 'param'}
    />
  </label>
);

const Body = ({ operation }: Pick<Props, 'operation'>) => {
  const text = operation.bodyExample === undefined ? '' : jsonText(operation.bodyExample);
  return (
    <label>
      <span>Body</span>
      <textarea rows={Math.min(text.split('\n').length + 1, 16)} data-place="body" spellcheck={false}>
        {text}
      </textarea>
    </label>
  );
};

/** The token of a person who really logs in, at the same pages as any other application's. */
const Login = ({ frame, area }: Omit<Props, 'operation'>) => {
  const grant = frame.additions?.codeGrant;
  if (!grant || area.demand === undefined) return null;
  const { clientId, clientSecret, returnPath } = grant;
  const scope = Object.entries(scopeOf).find(([id]) => id === area.id)?.[1] ?? '';
  return (
    <details class="more" data-return={returnPath} data-scope={scope}>
      <summary>A token by login (OAuth)</summary>
      <div class="stack">
        <p class="small">
          The authorization code grant with PKCE, in this tab: you log in as an account holder and come back
          here with a token. <a href={frame.href('/docs/guides/oauth')}>How it works</a>
        </p>
        <Field name="client" label="Client id" place="grant" known="CLIENT_ID" value={clientId} />
        <Field name="secret" label="Client secret" place="grant" known="CLIENT_SECRET" value={clientSecret} />
        <p class="small quiet">
          One of the application’s redirect addresses must be{' '}
          <code>
            {frame.baseUrl}
            {returnPath}/
          </code>{' '}
          with the client id behind it.
        </p>
        <p class="actions">
          <button class="button second" type="button" data-act="login">
            Log in at the bank
          </button>
        </p>
      </div>
    </details>
  );
};

const Shown = ({ name, part }: { readonly name: string; readonly part: string }) => (
  <figure class="code-block" data-shown={part} hidden>
    <figcaption>{name}</figcaption>
    <pre>
      <code />
    </pre>
  </figure>
);

export const Console = (props: Props) => {
  const { frame, area, operation } = props;
  const calls = frame.additions?.preparingCalls?.(area.id) ?? [];
  return (
    <form
      class="console"
      id="console"
      hidden
      data-method={operation.method}
      data-path={operation.path}
      data-prefix={frame.href('')}
      data-media={requestMediaTypes[0]}
      data-calls={JSON.stringify(calls)}
    >
      <h2>Try it</h2>
      {inputsOf(props).map((input) => (
        <Field key={`${input.place} ${input.name}`} {...input} />
      ))}
      {operation.body && <Body operation={operation} />}
      <p class="actions">
        <button class="button" type="submit">
          Send
        </button>
        {calls.length > 0 && (
          <button class="button second" type="button" data-act="prepare">
            Fill in
          </button>
        )}
      </p>
      <p class="small quiet">
        {calls.length > 0 && 'Fill in gets a token and makes what the call needs. '}
        What you type stays in this tab.
      </p>
      <Login frame={frame} area={area} />
      <p class="console-says" role="status" />
      <Shown name="Request" part="request" />
      <Shown name="Answer" part="answer" />
      {frame.additions?.portal !== undefined && (
        <p class="small" data-shown="log" hidden>
          A call with a key of your own is in{' '}
          <a href={frame.href(frame.additions.portal)}>your request log</a>, with what to do if it was
          refused.
        </p>
      )}
    </form>
  );
};
