/** Qualified certificate statements: ETSI EN 319 412-5 for the type, TS 119 495 for the roles of PSD2. */
import type { Role } from '../../model/caller.js';
import { OID } from '../der/oids.js';
import { type Der, DerFault, Members, readDer, TAG } from '../der/read.js';
import { derText, oidOf } from '../der/values.js';

/** `PSP_AS` is a bank's own role; no area of this interface demands it. */
export type PspRole = Role | 'PSP_AS';
export type QcType = 'sign' | 'seal' | 'web';

export interface Psd2Statement {
  /** In the order of the certificate; roles that TS 119 495 does not know are left out. */
  readonly roles: readonly PspRole[];
  readonly ncaName: string;
  /** Country and short name of the authority, such as GR-BOG. */
  readonly ncaId: string;
}

export interface Statements {
  /** Issued as a qualified certificate of the EU. */
  readonly isQualified: boolean;
  readonly qcTypes: readonly QcType[];
  readonly psd2: Psd2Statement | undefined;
}

export const noStatements: Statements = { isQualified: false, qcTypes: [], psd2: undefined };

/** The OID is the role; the name beside it is for people. */
export const roleOids: Readonly<Record<PspRole, string>> = {
  PSP_AS: OID.pspAs,
  PSP_PI: OID.pspPi,
  PSP_AI: OID.pspAi,
  PSP_IC: OID.pspIc,
};
const roleOf: ReadonlyMap<string, PspRole> = new Map(
  Object.entries(roleOids).map(([role, oid]) => [oid, role as PspRole]),
);

export const qcTypeOids: Readonly<Record<QcType, string>> = {
  sign: OID.qcTypeSign,
  seal: OID.qcTypeSeal,
  web: OID.qcTypeWeb,
};
const qcTypeOf: ReadonlyMap<string, QcType> = new Map(
  Object.entries(qcTypeOids).map(([type, oid]) => [oid, type as QcType]),
);

const NCA_ID = /^[A-Z]{2}-[A-Z]{2,8}$/;
const MAX_ROLES = 16;
const MAX_STATEMENTS = 32;

const utf8Of = (der: Der): string => {
  if (der.tag !== TAG.utf8) throw new DerFault('not UTF-8');
  const text = derText(der).trim();
  if (text === '' || text.length > 256) throw new DerFault('text empty or too long');
  return text;
};

const readRole = (der: Der): PspRole | undefined => {
  const members = new Members(der);
  const oid = oidOf(members.next());
  utf8Of(members.next());
  members.end();
  return roleOf.get(oid);
};

const readPsd2 = (der: Der | undefined): Psd2Statement => {
  const members = new Members(der);
  const list = members.next(TAG.sequence).children;
  if (list.length === 0 || list.length > MAX_ROLES) throw new DerFault('bad list of roles');
  const roles = list.map(readRole).filter((role) => role !== undefined);
  const ncaName = utf8Of(members.next());
  const ncaId = utf8Of(members.next());
  members.end();
  if (!NCA_ID.test(ncaId)) throw new DerFault('bad id of the authority');
  return { roles: [...new Set(roles)], ncaName, ncaId };
};

const readTypes = (der: Der | undefined): QcType[] => {
  if (der?.tag !== TAG.sequence || der.children.length === 0) throw new DerFault('bad list of types');
  return der.children.map((each) => qcTypeOf.get(oidOf(each))).filter((type) => type !== undefined);
};

const used: ReadonlySet<string> = new Set([OID.qcCompliance, OID.qcType, OID.psd2Statement]);

/** Throws if a statement that is used is not what it should be, or comes twice. The others may say what they like. */
export const readStatements = (value: Buffer): Statements => {
  const list = readDer(value);
  if (list.tag !== TAG.sequence || list.children.length > MAX_STATEMENTS)
    throw new DerFault('bad list of statements');
  const found = new Map<string, Der | undefined>();
  for (const each of list.children) {
    const members = new Members(each);
    const id = oidOf(members.next());
    if (!used.has(id)) continue;
    if (found.has(id)) throw new DerFault('a statement is repeated');
    found.set(id, members.peek());
  }
  return {
    isQualified: found.has(OID.qcCompliance),
    qcTypes: found.has(OID.qcType) ? readTypes(found.get(OID.qcType)) : [],
    psd2: found.has(OID.psd2Statement) ? readPsd2(found.get(OID.psd2Statement)) : undefined,
  };
};
