/** An operation as a command to paste. What only the caller knows is a shell variable. */
import { requestMediaTypes } from '../../http/openapi.js';
import type { Field, Operation } from '../../http/operation.js';

/** `paymentConsentId` is `$PAYMENT_CONSENT_ID`. */
const variable = (name: string): string =>
  `$${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What the commands of a page expect in the shell. The last line makes the id of a call. */
export const emptyPreparation = `SUBSCRIPTION_KEY='the key of your application'
TOKEN='an access token of your application'
id() { cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen; }`;

const fromShell: Readonly<Record<string, string>> = {
  Authorization: '"Authorization: Bearer $TOKEN"',
  'Ocp-Apim-Subscription-Key': '"Ocp-Apim-Subscription-Key: $SUBSCRIPTION_KEY"',
  'X-Request-ID': '"X-Request-ID: $(id)"',
  'Consent-ID': '"Consent-ID: $CONSENT_ID"',
};

const headerOption = ({ name, example }: Field): string =>
  `-H ${fromShell[name] ?? (example === undefined ? `"${name}: ${variable(name.replaceAll('-', '_'))}"` : singleQuoted(`${name}: ${example}`))}`;

export const curlCommand = (operation: Operation, baseUrl: string): string => {
  const { method, path, headers, body, bodyExample } = operation;
  // The commands before and after this one go on with another.
  const ending = method === 'DELETE' && /:\w+$/.test(path) ? '_TO_END' : '';
  const address = `${baseUrl}${path.replace(/:(\w+)/g, (_match, name: string) => `${variable(name)}${ending}`)}`;
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${address.includes('$') ? `"${address}"` : address}`,
    ...headers.filter(({ required }) => required).map(headerOption),
  ];
  if (body && bodyExample !== undefined) {
    lines.push(
      `-H 'Content-Type: ${requestMediaTypes[0]}'`,
      `-d ${singleQuoted(JSON.stringify(bodyExample, null, 2))}`,
    );
  }
  return lines.join(' \\\n  ');
};
