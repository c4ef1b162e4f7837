/** An operation as code to paste, in three languages. What only the caller knows comes from the environment of the shell. */
import { requestMediaTypes } from '../../../http/openapi.js';
import type { Field, Operation } from '../../../http/operation.js';
import { CLIENT_NAME, installClient } from '../client.js';

/** The value of a header or parameter: known, known to the caller by a variable, or new for every call. */
type Value =
  | { readonly text: string }
  | { readonly variable: string; readonly prefix?: string }
  | { readonly isNewId: true };

interface SampleCall {
  readonly operation: Operation;
  readonly params: readonly (readonly [string, Value & { variable: string }])[];
  readonly headers: readonly (readonly [string, Value])[];
  readonly body: unknown;
}

/** `paymentConsentId` is `PAYMENT_CONSENT_ID`. */
const variableOf = (name: string): string =>
  name
    .replaceAll('-', '_')
    .replace(/[a-z](?=[A-Z])/g, (letter) => `${letter}_`)
    .toUpperCase();

const credentials: Readonly<Record<string, Value>> = {
  Authorization: { variable: 'TOKEN', prefix: 'Bearer ' },
  'Ocp-Apim-Subscription-Key': { variable: 'SUBSCRIPTION_KEY' },
  'X-Request-ID': { isNewId: true },
};

/** Of the caller alone, whatever the documentation shows as an example. */
const ofCaller: ReadonlySet<string> = new Set(['Consent-ID']);

const knownValue = ({ name, example }: Field): Value => {
  const isKnown = example !== undefined && !ofCaller.has(name);
  return credentials[name] ?? (isKnown ? { text: example } : { variable: variableOf(name) });
};

export const sampleCall = (operation: Operation): SampleCall => {
  const { method, path, headers, body, bodyExample } = operation;
  // The samples before and after this one go on with another.
  const ending = method === 'DELETE' && /:\w+$/.test(path) ? '_TO_END' : '';
  const params = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return {
    operation,
    params: params.map((name) => [name, { variable: `${variableOf(name)}${ending}` }]),
    headers: headers.filter(({ required }) => required).map((field) => [field.name, knownValue(field)]),
    body: body ? bodyExample : undefined,
  };
};

const addressOf = (call: SampleCall, baseUrl: string, shown: (variable: string) => string): string =>
  call.params.reduce(
    (address, [name, { variable }]) => address.replace(`:${name}`, shown(variable)),
    `${baseUrl}${call.operation.path}`,
  );

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const shellHeader = ([name, value]: readonly [string, Value]): string => {
  if ('text' in value) return `-H ${singleQuoted(`${name}: ${value.text}`)}`;
  const shown = 'isNewId' in value ? '$(id)' : `${value.prefix ?? ''}$${value.variable}`;
  return `-H "${name}: ${shown}"`;
};

const curl = (call: SampleCall, baseUrl: string): string => {
  const { method } = call.operation;
  const address = addressOf(call, baseUrl, (variable) => `$${variable}`);
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${address.includes('$') ? `"${address}"` : address}`,
    ...call.headers.map(shellHeader),
  ];
  if (call.body !== undefined) {
    lines.push(
      `-H 'Content-Type: ${requestMediaTypes[0]}'`,
      `-d ${singleQuoted(JSON.stringify(call.body, null, 2))}`,
    );
  }
  return lines.join(' \\\n  ');
};

/** As a formatter writes it: names without quotes where they need none. */
const jsLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replace(/"((?:[^"\\']|\\.)*)"/g, (text, inner: string) => (inner.includes('\\') ? text : `'${inner}'`));

const variablesOf = (values: readonly Value[]): readonly string[] =>
  values.flatMap((value) => ('variable' in value ? value.variable : []));

const jsMembers = (entries: readonly (readonly [string, Value])[]): string =>
  entries
    .map(([name, value]) => {
      const key = /^\w+$/.test(name) ? name : `'${name}'`;
      return `${key}: ${'text' in value ? `'${value.text}'` : variablesOf([value])[0]}`;
    })
    .join(', ');

/** What is open is no part of the client. */
const plainFetch = ({ params, body, operation: { method, path } }: SampleCall, baseUrl: string): string => {
  const needed = params.map(([, { variable }]) => variable);
  const address = params.reduce(
    (text, [name, { variable }]) => text.replace(`:${name}`, `\${${variable}}`),
    `${baseUrl}${path}`,
  );
  const quote = needed.length > 0 ? '`' : "'";
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(body === undefined
      ? []
      : [
          `headers: { 'Content-Type': '${requestMediaTypes[0]}' },`,
          `body: JSON.stringify(${indented(jsLiteral(body), '  ')}),`,
        ]),
  ];
  return [
    ...(needed.length > 0 ? [`const { ${needed.join(', ')} } = process.env;`] : []),
    `const answer = await fetch(${quote}${address}${quote}${options.length > 0 ? `, {\n  ${options.join('\n  ')}\n}` : ''});`,
    'console.log(answer.status, await answer.text());',
  ].join('\n');
};

const javaScript = (call: SampleCall, baseUrl: string): string => {
  if (typeof call.operation.area !== 'string') return plainFetch(call, baseUrl);
  const { params, headers, body, operation } = call;
  // The client sends the credentials and makes the ids.
  const own = headers.filter(([name]) => !(name in credentials));
  const needed = variablesOf([...headers, ...params].map(([, value]) => value));
  const options = [
    `baseUrl: '${baseUrl}'`,
    ...(needed.includes('SUBSCRIPTION_KEY') ? ['subscriptionKey: SUBSCRIPTION_KEY'] : []),
    ...(needed.includes('TOKEN') ? ['token: TOKEN'] : []),
  ];
  const parts = [
    ...(params.length > 0 ? [`params: { ${jsMembers(params)} },`] : []),
    ...(own.length > 0 ? [`headers: { ${jsMembers(own)} },`] : []),
    ...(body === undefined ? [] : [`body: ${indented(jsLiteral(body), '  ')},`]),
  ];
  return [
    `// ${installClient(baseUrl)}`,
    `import { createClient } from '${CLIENT_NAME}';`,
    '',
    ...(needed.length > 0 ? [`const { ${[...needed].sort().join(', ')} } = process.env;`] : []),
    `const client = createClient({ ${options.join(', ')} });`,
    '',
    `const { status, body } = await client.${operation.id}(${parts.length > 0 ? `{\n  ${parts.join('\n  ')}\n}` : ''});`,
    'console.log(status, body);',
  ].join('\n');
};

const pythonConstants: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** JSON is Python, but for three words; strings are left as they are. */
const pythonLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 4).replace(
    /"(?:[^"\\]|\\.)*"|true|false|null/g,
    (part) => pythonConstants[part] ?? part,
  );

const fromEnvironment = (variable: string): string => `os.environ["${variable}"]`;

const pythonValue = (value: Value): string => {
  if ('text' in value) return JSON.stringify(value.text);
  if ('isNewId' in value) return 'str(uuid.uuid4())';
  const read = fromEnvironment(value.variable);
  return value.prefix === undefined ? read : `"${value.prefix}" + ${read}`;
};

const python = (call: SampleCall, baseUrl: string): string => {
  const { headers, params, body, operation } = call;
  const all = headers.map(([name, value]) => `"${name}": ${pythonValue(value)},`);
  if (body !== undefined) all.push(`"Content-Type": "${requestMediaTypes[0]}",`);
  const needs = {
    json: body !== undefined,
    os: variablesOf([...headers, ...params].map(([, value]) => value)).length > 0,
    'urllib.request': true,
    uuid: headers.some(([, value]) => 'isNewId' in value),
  };
  const imports = Object.entries(needs).flatMap(([name, isNeeded]) => (isNeeded ? `import ${name}` : []));
  const address = addressOf(call, baseUrl, (variable) => `{os.environ['${variable}']}`);
  return [
    ...imports,
    '',
    'request = urllib.request.Request(',
    `    ${address.includes('{') ? 'f' : ''}"${address}",`,
    `    method="${operation.method}",`,
    ...(all.length > 0 ? ['    headers={', ...all.map((line) => `        ${line}`), '    },'] : []),
    ...(body === undefined
      ? []
      : [`    data=json.dumps(${indented(pythonLiteral(body), '    ')}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as answer:',
    '    print(answer.status, answer.read().decode())',
  ].join('\n');
};

export interface Sample {
  readonly id: string;
  readonly name: string;
  readonly code: string;
}

export const samplesOf = (operation: Operation, baseUrl: string): readonly Sample[] => {
  const call = sampleCall(operation);
  return [
    { id: 'curl', name: 'curl', code: curl(call, baseUrl) },
    { id: 'javascript', name: 'JavaScript', code: javaScript(call, baseUrl) },
    { id: 'python', name: 'Python', code: python(call, baseUrl) },
  ];
};

/** What the samples expect in the shell. The last line makes the id of a call. */
export const emptyPreparation = `export SUBSCRIPTION_KEY='the key of your application'
export TOKEN='an access token of your application'
id() { cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen; }`;
