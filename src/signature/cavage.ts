/**
 * The `Signature` header of draft-cavage-http-signatures (10 to 12), as the Berlin Group profile uses it. What is in quotes may
 * hold commas and equals signs, because `keyId` holds the name of an issuer.
 */
import {
  absent,
  type Claim,
  checkNames,
  headerOf,
  isBase64,
  MAX_FIELD,
  SignatureFault,
  type SignedRequest,
} from './claim.js';

const PARAMETER = /[ \t]*([A-Za-z]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|(\d+))[ \t]*(,|$)/y;
const NAME = /^(?:[!#$%&'*+.^_`|~0-9a-z-]+|\((?:request-target|created|expires)\))$/;
const SECONDS = /^\d{1,12}$/;

const malformed = (): never => {
  throw new SignatureFault('The Signature header is not a list of name="value" pairs.');
};

/** Only quotes and backslashes are escaped by the header itself; any other backslash belongs to the name in `keyId`. */
const unescaped = (text: string): string => (text.includes('\\') ? text.replace(/\\(["\\])/g, '$1') : text);

const parametersOf = (value: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  let at = 0;
  let end: string | undefined = ',';
  while (end === ',') {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(value);
    if (!match) return malformed();
    const [whole, name = '', quoted, digits = ''] = match;
    const key = name.toLowerCase();
    if (found.has(key))
      throw new SignatureFault('The Signature header has a parameter twice.', { more: name });
    found.set(key, quoted === undefined ? digits : unescaped(quoted));
    at += whole.length;
    end = match[4];
  }
  return found;
};

const secondsOf = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (!SECONDS.test(text)) throw new SignatureFault('The parameters created and expires are whole seconds.');
  return Number(text);
};

/** What a list that is not there stands for. */
const DEFAULT_COVERED = 'date';

const coveredOf = (list: string): readonly string[] => {
  const names = list.toLowerCase().split(' ');
  if (!names.every((name) => NAME.test(name)))
    throw new SignatureFault('The parameter headers is not a list of header names, separated by blanks.');
  checkNames(names);
  return names;
};

const demand = (value: string | undefined, name: string): string => {
  if (value) return value;
  throw new SignatureFault(`The Signature header has no parameter ${name}.`);
};

type Parts = Pick<Claim, 'covered' | 'created' | 'expires'>;

const valueFor = (request: SignedRequest, name: string, parts: Parts): string | undefined => {
  switch (name) {
    case '(request-target)':
      return `${request.method.toLowerCase()} ${request.target}`;
    case '(created)':
      return parts.created?.toString();
    case '(expires)':
      return parts.expires?.toString();
    default:
      return headerOf(request, name);
  }
};

const lineOf = (request: SignedRequest, name: string, parts: Parts): string => {
  const value = valueFor(request, name, parts);
  if (value === undefined) throw absent(name);
  return `${name}: ${value}`;
};

const signingStringOf = (request: SignedRequest, parts: Parts): string =>
  parts.covered.map((name) => lineOf(request, name, parts)).join('\n');

export const readCavage = (request: SignedRequest): Claim => {
  const value = headerOf(request, 'signature') ?? '';
  if (value.length > MAX_FIELD) throw new SignatureFault('The Signature header is too long.');
  const parameters = parametersOf(value);
  const signature = demand(parameters.get('signature'), 'signature');
  if (!isBase64(signature)) throw new SignatureFault('The parameter signature is not base64.');
  const parts = {
    covered: coveredOf(parameters.get('headers') ?? DEFAULT_COVERED),
    created: secondsOf(parameters.get('created')),
    expires: secondsOf(parameters.get('expires')),
  };
  return {
    scheme: 'cavage',
    keyId: demand(parameters.get('keyid'), 'keyId'),
    algorithm: demand(parameters.get('algorithm'), 'algorithm').toLowerCase(),
    ...parts,
    signature,
    signingString: () => signingStringOf(request, parts),
  };
};
