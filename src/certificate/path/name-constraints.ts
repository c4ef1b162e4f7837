/** Which names an issuer may certify (RFC 5280, 4.2.1.10). A kind of name that is constrained but not understood is refused. */
import { OID } from '../der/oids.js';
import type { NameConstraints } from '../x509/extensions.js';
import type { GeneralName } from '../x509/general-name.js';
import { type Name, rdnKey, valuesOf } from '../x509/name.js';
import type { Certificate } from '../x509/parse.js';

const isWithinDirectory = (name: Name, base: Name): boolean =>
  base.length <= name.length &&
  base.every((rdn, index) => {
    const own = name[index];
    return own !== undefined && rdnKey(own) === rdnKey(rdn);
  });

/** `example.com` covers itself and everything below it. */
const isWithinDns = (name: string, base: string): boolean => {
  const [own, wanted] = [name.toLowerCase(), base.toLowerCase().replace(/^\./, '')];
  return wanted === '' || own === wanted || own.endsWith(`.${wanted}`);
};

/** Undefined if it cannot be decided. */
const isWithin = (name: GeneralName, base: GeneralName): boolean | undefined => {
  if (name.kind === 'directory' && base.kind === 'directory') return isWithinDirectory(name.name, base.name);
  if (name.kind === 'dns' && base.kind === 'dns') return isWithinDns(name.value, base.value);
  return undefined;
};

const breaks = (name: GeneralName, { permitted, excluded }: NameConstraints): boolean => {
  const sameKind = (base: GeneralName): boolean => base.kind === name.kind;
  const allowing = permitted.filter(sameKind);
  if (allowing.length > 0 && !allowing.some((base) => isWithin(name, base) === true)) return true;
  return excluded.filter(sameKind).some((base) => isWithin(name, base) !== false);
};

/** The subject as a directory name, and an address of mail in it as one. */
const subjectNames = (subject: Name): readonly GeneralName[] => [
  ...(subject.length > 0 ? [{ kind: 'directory', name: subject } as const] : []),
  ...valuesOf(subject, OID.emailAddress).map((value) => ({ kind: 'email', value }) as const),
];

export const breaksConstraints = (
  { subject, altNames }: Certificate,
  constraints: NameConstraints,
): boolean => [...subjectNames(subject), ...altNames].some((name) => breaks(name, constraints));
