/** Distinguished names as ordered sets of attributes, compared the way RFC 5280 (7.1) wants: case and blanks do not count. */
import { type Der, DerFault, Members, TAG } from '../der/read.js';
import { derText, oidOf } from '../der/values.js';

export interface Attribute {
  readonly oid: string;
  readonly value: string;
}

export type Rdn = readonly Attribute[];
export type Name = readonly Rdn[];

/** The short names of RFC 4514 and those that PSD2 certificates use besides. */
export const attributeNames: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'title',
  '2.5.4.15': 'businessCategory',
  '2.5.4.17': 'postalCode',
  '2.5.4.42': 'GN',
  '2.5.4.97': 'organizationIdentifier',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'emailAddress',
};

const MAX_ATTRIBUTES = 64;

const readAttribute = (der: Der): Attribute => {
  const members = new Members(der);
  const oid = oidOf(members.next());
  const value = derText(members.next());
  members.end();
  return { oid, value };
};

export const readName = (der: Der): Name => {
  if (der.tag !== TAG.sequence || der.children.length > MAX_ATTRIBUTES) throw new DerFault('bad name');
  return der.children.map((rdn) => {
    if (rdn.tag !== TAG.set || rdn.children.length === 0) throw new DerFault('bad name');
    return rdn.children.map(readAttribute);
  });
};

/** Every value of one kind of attribute; names with two of a kind that must be single are not used. */
export const valuesOf = (name: Name, oid: string): string[] =>
  name.flatMap((rdn) => rdn.filter((each) => each.oid === oid).map(({ value }) => value));

const normal = (value: string): string => value.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();

/** A set of attributes in one spelling. */
export const rdnKey = (rdn: Rdn): string =>
  JSON.stringify(rdn.map(({ oid, value }) => `${oid}=${normal(value)}`).toSorted());

/** Equal for names that are the same. */
export const nameKey = (name: Name): string => name.map(rdnKey).join();

const escaped = (value: string): string =>
  value.replace(/[,+"\\<>;=]/g, (each) => `\\${each}`).replace(/^[ #]|(?<=.) $/g, (each) => `\\${each}`);

/** As people write it: most specific first, `CN=…,O=…,C=…` (RFC 4514). */
export const nameText = (name: Name): string =>
  name
    .toReversed()
    .map((rdn) => rdn.map(({ oid, value }) => `${attributeNames[oid] ?? oid}=${escaped(value)}`).join('+'))
    .join(',');
