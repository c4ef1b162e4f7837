/**
 * HTTP Message Signatures (RFC 9421): `Signature-Input` beside `Signature`, and `Content-Digest` in place of `Digest`. The fields
 * are read by the library for structured fields; the few lines of the signature base are ours, because the library for
 * signatures reads the clock itself, waits for its key, and takes a path apart and together again before it compares it.
 */
import { type InnerList, isInnerList, parseDictionary, serializeInnerList } from 'structured-headers';
import {
  absent,
  type Claim,
  checkNames,
  headerOf,
  MAX_FIELD,
  SignatureFault,
  type SignedRequest,
} from './claim.js';

type Dictionary = ReturnType<typeof parseDictionary>;

const dictionaryOf = (text: string, name: string): Dictionary => {
  try {
    if (text.length <= MAX_FIELD) return parseDictionary(text);
  } catch {
    // Reported below; the parser's message quotes what was sent.
  }
  throw new SignatureFault(`The ${name} header is not a dictionary of structured fields.`);
};

/** Refuses several signatures: a signature of a proxy belongs in another request. */
const onlyMember = (dictionary: Dictionary, name: string) => {
  const [member, ...others] = dictionary;
  if (!member || others.length > 0)
    throw new SignatureFault(`The ${name} header has more or less than one signature.`);
  return member;
};

const coveredOf = ([items]: InnerList): string[] => {
  const names = items.map(([item, parameters]) => {
    if (typeof item !== 'string' || item !== item.toLowerCase())
      throw new SignatureFault('Signature-Input lists something that is no name of a component.');
    if (parameters.size > 0)
      throw new SignatureFault('Components with parameters, such as sf or bs, are not supported.', {
        more: item,
      });
    return item;
  });
  checkNames(names);
  return names;
};

const secondsOf = (value: unknown): number | undefined => {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new SignatureFault('The parameters created and expires are whole seconds.');
  return value;
};

const stringParameter = (value: unknown): string | undefined => {
  if (value === undefined || typeof value === 'string') return value;
  throw new SignatureFault('The parameters keyid and alg are texts in quotes.');
};

/** `baseUrl` without a path, because the target has it. */
const derived = (request: SignedRequest, name: string, origin: string): string | undefined => {
  const { method, target } = request;
  const at = target.indexOf('?');
  switch (name) {
    case '@method':
      return method;
    case '@target-uri':
      return `${origin}${target}`;
    case '@authority':
      return new URL(origin).host;
    case '@scheme':
      return new URL(origin).protocol.slice(0, -1);
    case '@request-target':
      return target;
    case '@path':
      return at < 0 ? target : target.slice(0, at);
    case '@query':
      return at < 0 ? '?' : target.slice(at);
    default:
      return undefined;
  }
};

export const readMessageSignature = (request: SignedRequest, origin: string): Claim => {
  const [label, input] = onlyMember(
    dictionaryOf(headerOf(request, 'signature-input') ?? '', 'Signature-Input'),
    'Signature-Input',
  );
  const [sameLabel, value] = onlyMember(
    dictionaryOf(headerOf(request, 'signature') ?? '', 'Signature'),
    'Signature',
  );
  if (label !== sameLabel) throw new SignatureFault('Signature and Signature-Input have different labels.');
  const [signature] = value;
  if (!isInnerList(input) || !(signature instanceof ArrayBuffer))
    throw new SignatureFault('Signature-Input is a list of components, Signature is a sequence of bytes.');
  const [, parameters] = input;
  const covered = coveredOf(input);
  const lines = (): string[] =>
    covered.map((name) => {
      const found = name.startsWith('@') ? derived(request, name, origin) : headerOf(request, name);
      if (found === undefined) throw absent(name);
      return `"${name}": ${found}`;
    });
  return {
    scheme: 'rfc9421',
    keyId: stringParameter(parameters.get('keyid')),
    algorithm: stringParameter(parameters.get('alg')),
    covered,
    created: secondsOf(parameters.get('created')),
    expires: secondsOf(parameters.get('expires')),
    signature: Buffer.from(signature).toString('base64'),
    signingString: () => [...lines(), `"@signature-params": ${serializeInnerList(input)}`].join('\n'),
  };
};
