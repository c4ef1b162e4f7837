/** How a request or an answer is shown: pretty, of bearable length, and with credentials shortened as a careful tool does. */
import type { ShownField } from '../walk.js';

const MAX_BODY = 1800;
const SHOWN_CHARACTERS = 12;

const secretMembers: Readonly<Record<string, string>> = {
  access_token: '$ACCESS_TOKEN',
  refresh_token: '$REFRESH_TOKEN',
  id_token: '$ID_TOKEN',
  code: '$CODE',
  code_verifier: '$CODE_VERIFIER',
};

export const shortened = (secret: string): string =>
  secret.length > SHOWN_CHARACTERS + 4 ? `${secret.slice(0, SHOWN_CHARACTERS)}…` : secret;

const KEY_HEADER = 'ocp-apim-subscription-key';

const shownHeader = (name: string, value: string): string => {
  if (name.toLowerCase() === KEY_HEADER) return shortened(value);
  if (name.toLowerCase() !== 'authorization') return value;
  const [scheme = '', credential = ''] = value.split(' ');
  return `${scheme} ${shortened(credential)}`;
};

/** As they are usually written. */
const spelled = (name: string): string => {
  const known = ['X-Request-ID', 'TPP-Redirect-URI', 'TPP-State', 'PSU-IP-Address', 'Consent-ID'];
  const special = [...known, 'ASPSP-SCA-Approach', 'WWW-Authenticate', 'Event-ID'].find(
    (each) => each.toLowerCase() === name.toLowerCase(),
  );
  return special ?? name.toLowerCase().replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
};

export const shownHeaders = (headers: Headers): ShownField[] =>
  [...headers].map(([name, value]) => ({ name: spelled(name), value: shownHeader(name, value) }));

const telling = [
  'content-type',
  'location',
  'x-request-id',
  'aspsp-sca-approach',
  'www-authenticate',
  'retry-after',
];

/** Of an answer only the headers that a third party reads. */
export const tellingHeaders = (headers: Headers): ShownField[] =>
  shownHeaders(headers).filter(({ name }) => telling.includes(name.toLowerCase()));

const cut = (text: string): string =>
  text.length > MAX_BODY
    ? `${text.slice(0, MAX_BODY)}\n… ${text.length - MAX_BODY} characters more, left out on this page`
    : text;

const withoutSecrets = (name: string, value: unknown): unknown =>
  typeof value === 'string' && Object.hasOwn(secretMembers, name) ? shortened(value) : value;

/** A form is read more easily with one field on each line, decoded; JSON within it as JSON. */
const shownForm = (text: string): string =>
  [...new URLSearchParams(text)]
    .map(([name, value]) => {
      const isJson = name === 'authorization_details';
      return `${name}=${isJson ? (pretty(value) ?? value) : withoutSecrets(name, value)}`;
    })
    .join('\n');

const pretty = (text: string): string | undefined => {
  try {
    return JSON.stringify(JSON.parse(text, withoutSecrets), null, 2);
  } catch {
    return undefined;
  }
};

const isForm = (type: string | null): boolean => type?.includes('x-www-form-urlencoded') ?? false;

export const shownBody = (text: string, type: string | null): string | undefined => {
  if (text === '') return undefined;
  return cut(isForm(type) ? shownForm(text) : (pretty(text) ?? text));
};

export interface PlainRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const curlHeader = (name: string, value: string): string => {
  if (name === KEY_HEADER) return `-H "${spelled(name)}: $SUBSCRIPTION_KEY"`;
  if (name !== 'authorization') return `-H ${singleQuoted(`${spelled(name)}: ${value}`)}`;
  return value.startsWith('Basic ')
    ? '-u "$CLIENT_ID:$CLIENT_SECRET"'
    : '-H "Authorization: Bearer $ACCESS_TOKEN"';
};

const curlBody = (text: string, type: string | null): string[] => {
  if (text === '') return [];
  if (!isForm(type)) return [`-d ${singleQuoted(pretty(text) ?? text)}`];
  return [...new URLSearchParams(text)].map(([name, value]) => {
    const variable = secretMembers[name];
    const field = `${name}=${variable ?? value}`;
    return `--data-urlencode ${variable ? `"${field}"` : singleQuoted(field)}`;
  });
};

/** The request as a command to paste; what is secret is a shell variable. */
export const curlOf = ({ method, url, headers, body }: PlainRequest): string => {
  const type = headers.get('content-type');
  // curl says so itself when it is given such fields.
  const sent = [...headers].filter(([name]) => !(name === 'content-type' && isForm(type)));
  return [
    `curl ${method === 'GET' || method === 'POST' ? '' : `-X ${method} `}${singleQuoted(url)}`,
    ...sent.map(([name, value]) => curlHeader(name, value)),
    ...(method === 'POST' && body === '' ? ["-d ''"] : curlBody(body, type)),
  ].join(' \\\n  ');
};

/** An address without the secrets in its query. */
export const shownUrl = (url: URL): string => {
  const copy = new URL(url);
  for (const [name, value] of url.searchParams)
    if (Object.hasOwn(secretMembers, name)) copy.searchParams.set(name, shortened(value));
  return copy.href.replaceAll('%E2%80%A6', '…');
};
