/**
 * Reads a signed XML document. What is returned is the content that the signature covers, as the library has canonicalised it, and nothing
 * else of the file: elements that were wrapped around it or added to it are never seen. Document types and entities are refused.
 */
import { constants, verify } from 'node:crypto';
import { DOMParser } from '@xmldom/xmldom';
import { type SignatureAlgorithm, SignedXml } from 'xml-crypto';
import { type Certificate, certificateOf, pemOf } from '../certificate.js';
import { isWeakKey } from '../path/strength.js';
import { ListRefusal, MAX_LIST_BYTES } from './trusted-list.js';

const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#';
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
const MAX_CERTIFICATES = 10;

/** Elements of a DOM, as far as they are needed. */
export interface XmlElement {
  readonly localName: string | null;
  readonly namespaceURI: string | null;
  readonly textContent: string | null;
  readonly childNodes: { readonly length: number; item(index: number): unknown };
  getAttribute(name: string): string | null;
}

const isElement = (node: unknown): node is XmlElement => (node as { nodeType?: number }).nodeType === 1;

export const childrenOf = (element: XmlElement): XmlElement[] =>
  Array.from({ length: element.childNodes.length }, (_, index) => element.childNodes.item(index)).filter(
    isElement,
  );

export const parseXml = (text: string): XmlElement => {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new ListRefusal('it has a document type or entities');
  const fail = (): never => {
    throw new ListRefusal('it is not well-formed XML');
  };
  const errorHandler = { warning: fail, error: fail, fatalError: fail };
  const root = new DOMParser({ errorHandler }).parseFromString(text, 'text/xml').documentElement;
  return (root as XmlElement | null) ?? fail();
};

type Verify = (text: string, key: string, signature: string) => boolean;

const algorithm = (name: string, verifySignature: Verify) =>
  class implements SignatureAlgorithm {
    readonly verifySignature = verifySignature as unknown as SignatureAlgorithm['verifySignature'];
    readonly getSignature = (): never => {
      throw new Error('nothing is signed here');
    };
    getAlgorithmName(): string {
      return name;
    }
  };

const ecdsa =
  (hash: string): Verify =>
  (text, key, signature) =>
    verify(hash, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64'));
const rsa =
  (hash: string): Verify =>
  (text, key, signature) =>
    verify(hash, Buffer.from(text), key, Buffer.from(signature, 'base64'));
const pss =
  (hash: string): Verify =>
  (text, key, signature) =>
    verify(
      hash,
      Buffer.from(text),
      { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
      Buffer.from(signature, 'base64'),
    );

/** Those of ETSI TS 119 312. SHA-1 and keyed hashes are not among them. */
const signatureAlgorithms = Object.fromEntries(
  ['sha256', 'sha384', 'sha512'].flatMap((hash) =>
    (
      [
        [`${MORE}rsa-${hash}`, rsa(hash)],
        [`${MORE}ecdsa-${hash}`, ecdsa(hash)],
        [`http://www.w3.org/2007/05/xmldsig-more#${hash}-rsa-MGF1`, pss(hash)],
      ] as const
    ).map(([name, check]) => [name, algorithm(name, check)]),
  ),
);

const SHA1 = `${XMLDSIG}sha1`;

const signatureIn = (root: XmlElement): XmlElement => {
  const found = childrenOf(root).filter(
    ({ localName, namespaceURI }) => localName === 'Signature' && namespaceURI === XMLDSIG,
  );
  const [signature, ...more] = found;
  if (!signature) throw new ListRefusal('it is not signed');
  if (more.length > 0) throw new ListRefusal('it has more than one signature');
  return signature;
};

/** Every element that is reached by these names. */
export const descend = (element: XmlElement | undefined, ...names: readonly string[]): XmlElement[] =>
  names.reduce<XmlElement[]>(
    (found, name) => found.flatMap((each) => childrenOf(each).filter(({ localName }) => localName === name)),
    element ? [element] : [],
  );

/** One that cannot be read is left out: others of the list still count. */
export const certificatesIn = (elements: readonly XmlElement[]): Certificate[] =>
  elements.flatMap(({ textContent }) => {
    try {
      return [certificateOf(Buffer.from((textContent ?? '').replace(/\s+/g, ''), 'base64'))];
    } catch {
      return [];
    }
  });

/** Of the certificates beside the signature the one that may sign; what stands there is not signed itself. */
const signerOf = (signature: XmlElement, allowed: ReadonlySet<string>): Certificate => {
  const sent = certificatesIn(
    descend(signature, 'KeyInfo', 'X509Data', 'X509Certificate').slice(0, MAX_CERTIFICATES),
  );
  const signer = sent.find(({ fingerprint }) => allowed.has(fingerprint));
  if (!signer)
    throw new ListRefusal(
      `its signer is not one of those that may sign it (${sent[0]?.fingerprint ?? 'no certificate'})`,
    );
  if (isWeakKey(signer.publicKey)) throw new ListRefusal('the key of its signer is too weak');
  return signer;
};

export interface SignedContent {
  readonly root: XmlElement;
  readonly signer: Certificate;
}

const check = (text: string, signature: XmlElement, signer: Certificate): readonly string[] => {
  const signed = new SignedXml({ publicCert: pemOf(signer.raw), getCertFromKeyInfo: () => null });
  signed.SignatureAlgorithms = signatureAlgorithms as typeof signed.SignatureAlgorithms;
  delete signed.HashAlgorithms[SHA1 as keyof typeof signed.HashAlgorithms];
  try {
    signed.loadSignature(signature as unknown as Parameters<typeof signed.loadSignature>[0]);
    if (signed.checkSignature(text)) return signed.getSignedReferences();
  } catch {
    // The library says by an error what it does not accept; its words might quote the document.
  }
  throw new ListRefusal(
    'its signature is not valid: it was changed, or signed in a way that is not accepted',
  );
};

const decodedList = (bytes: Buffer): string => {
  if (bytes.length > MAX_LIST_BYTES) throw new ListRefusal('it is larger than 32 MiB');
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
};

/** Without its signature: good for nothing but to see which one is needed. */
export const parseListText = (bytes: Buffer): XmlElement => parseXml(decodedList(bytes));

/** `allowed`: the fingerprints of those who may sign it. `rootName`: the element that must be signed as a whole. */
export const readSigned = (bytes: Buffer, rootName: string, allowed: ReadonlySet<string>): SignedContent => {
  const text = decodedList(bytes);
  const signature = signatureIn(parseXml(text));
  const signer = signerOf(signature, allowed);
  const roots = check(text, signature, signer)
    .map(parseXml)
    .filter(({ localName }) => localName === rootName);
  const [root, ...more] = roots;
  if (!root || more.length > 0) throw new ListRefusal('its signature does not cover the whole list');
  return { root, signer };
};
