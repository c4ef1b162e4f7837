/** Third parties, applications and keys of a cut-over: what may be imported, and what is wrong with the rest. */
import { isPlain } from '../../lib/format/undisguised.js';
import { sha256 } from '../../lib/hash.js';
import { redirectFault } from '../../lib/net/redirect.js';
import { areas, areasOfRoles, type Role, roles } from '../../model/caller.js';
import type { ClientId } from '../../model/ids.js';
import type { ImportedApplication, ImportedKey, KnownParties } from '../../tpp/cut-over.js';
import { jwksFault, type NewTpp, type Slot, slots } from '../../tpp/registry.js';
import { type CutOverFaults, listIn, type SourceRecord, type SourceRecords } from './records.js';

export interface CheckedParties {
  readonly tpps: readonly NewTpp[];
  readonly applications: readonly (Omit<ImportedApplication, 'tppId'> & { readonly registration: string })[];
  readonly keys: readonly ImportedKey[];
  /** The roles of each application, of the files and of the store. */
  readonly rolesOf: ReadonlyMap<string, readonly Role[]>;
}

const CLIENT_ID = /^[A-Za-z0-9._~-]{1,100}$/;
const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;
const LEAST_KEY = 20;

/** As the store has it, from hexadecimal or base64. */
const hashOf = (text: string): string | undefined => {
  if (HEX.test(text)) return Buffer.from(text, 'hex').toString('base64url');
  return BASE64.test(text) ? Buffer.from(text, 'base64').toString('base64url') : undefined;
};

/** One of the two: in clear, or its SHA-256. */
const secretOf = (
  faults: CutOverFaults,
  record: SourceRecord,
  [clear, hashed]: readonly [string, string],
): string | undefined => {
  const text = record.values[clear];
  const given = record.values[hashed];
  if ((text === undefined) === (given === undefined))
    return faults.add(record, clear, `give either ${clear} or ${hashed}`, 'fill in one of the two');
  if (text !== undefined) {
    if (text.length >= LEAST_KEY) return sha256(text);
    return faults.add(
      record,
      clear,
      `is shorter than ${LEAST_KEY} characters`,
      'issue a new one with "trapeza key"',
    );
  }
  return (
    hashOf(given ?? '') ??
    faults.add(record, hashed, 'is no SHA-256', 'give 64 hexadecimal digits, or base64')
  );
};

const rolesIn = (faults: CutOverFaults, record: SourceRecord): Role[] => {
  const given = listIn(faults.required(record, 'roles'));
  const held = roles.filter((role) => given.includes(role));
  const [strange] = given.filter((each) => !roles.some((role) => role === each));
  if (strange !== undefined)
    faults.add(record, 'roles', `"${strange}" is no role`, `use ${roles.join(', ')}`);
  return held;
};

const nameOf = (faults: CutOverFaults, record: SourceRecord): string =>
  faults.checked(
    record,
    'name',
    (name) => isPlain(name) && name.length <= 140,
    'give one line of visible characters',
  ) ?? (record.values.name === undefined ? (faults.required(record, 'name') ?? '') : '');

type Parties = Map<string, { readonly roles: readonly Role[] }>;

const checkTpps = (records: readonly SourceRecord[], known: KnownParties, faults: CutOverFaults) => {
  const seen = new Map<string, SourceRecord>();
  const parties: Parties = new Map();
  const fresh: NewTpp[] = [];
  for (const [registration, { roles: held }] of known.tpps)
    parties.set(registration, { roles: held as Role[] });
  for (const record of records) {
    const registration = faults.required(record, 'registration');
    const held = rolesIn(faults, record);
    const name = nameOf(faults, record);
    if (registration === undefined || !faults.once(seen, registration, record, 'registration')) continue;
    const there = known.tpps.get(registration);
    if (there && there.roles.toSorted().join(' ') !== held.toSorted().join(' '))
      faults.add(
        record,
        'roles',
        `it is known with ${there.roles.join(' ')}`,
        'correct the file, or its registration',
      );
    if (there) continue;
    parties.set(registration, { roles: held });
    fresh.push({ registration, name, roles: held });
  }
  return { parties, fresh };
};

const redirectUrisOf = (faults: CutOverFaults, record: SourceRecord): string[] => {
  const uris = listIn(faults.required(record, 'redirectUris'));
  for (const uri of uris) {
    const fault = redirectFault(uri);
    if (fault !== undefined) faults.add(record, 'redirectUris', `${uri} ${fault}`, 'correct the address');
  }
  return uris;
};

const checkApplications = (
  records: readonly SourceRecord[],
  known: KnownParties,
  parties: Parties,
  faults: CutOverFaults,
) => {
  const seen = new Map<string, SourceRecord>();
  const rolesOf = new Map<string, readonly Role[]>();
  const fresh: CheckedParties['applications'][number][] = [];
  for (const [id, { registration }] of known.applications)
    rolesOf.set(id, parties.get(registration)?.roles ?? []);
  for (const record of records) {
    const clientId = faults.required(record, 'clientId');
    faults.checked(record, 'clientId', (id) => CLIENT_ID.test(id), 'use letters, digits and ._~-');
    const registration = faults.required(record, 'registration') ?? '';
    const name = nameOf(faults, record);
    const redirectUris = redirectUrisOf(faults, record);
    const { jwks = null } = record.values;
    const fault = jwks === null ? undefined : jwksFault(jwks);
    if (fault !== undefined) faults.add(record, 'jwks', fault, 'give public keys alone');
    const secretHash =
      jwks === null ? (secretOf(faults, record, ['clientSecret', 'clientSecretSha256']) ?? '') : null;
    const party = parties.get(registration);
    if (!party && registration !== '')
      faults.add(
        record,
        'registration',
        `there is no third party ${registration}`,
        'add it to the third parties',
      );
    if (clientId === undefined || !faults.once(seen, clientId, record, 'clientId')) continue;
    const there = known.applications.get(clientId);
    if (there && there.registration !== registration)
      faults.add(record, 'clientId', 'is an application of another third party', 'correct the file');
    rolesOf.set(clientId, party?.roles ?? []);
    if (!there)
      fresh.push({ clientId: clientId as ClientId, registration, name, redirectUris, secretHash, jwks });
  }
  return { rolesOf, fresh };
};

const quotaOf = (faults: CutOverFaults, record: SourceRecord, field: string): number | null => {
  const text = faults.checked(record, field, (value) => /^[1-9]\d{0,8}$/.test(value), 'give a whole number');
  return text === undefined ? null : Number(text);
};

const productsOf = (faults: CutOverFaults, record: SourceRecord, held: readonly Role[]): string[] => {
  const allowed: readonly string[] = areasOfRoles(held);
  const given = listIn(record.values.products);
  const [strange] = given.filter((each) => !allowed.includes(each));
  if (strange !== undefined)
    faults.add(
      record,
      'products',
      `"${strange}" is not open to its roles`,
      `use ${areas.join(', ')} as the roles allow`,
    );
  return given.length > 0 ? given : [...allowed];
};

const checkKeys = (
  records: readonly SourceRecord[],
  known: KnownParties,
  rolesOf: ReadonlyMap<string, readonly Role[]>,
  faults: CutOverFaults,
): ImportedKey[] => {
  const [bySlot, byHash] = [new Map<string, SourceRecord>(), new Map<string, SourceRecord>()];
  return records.flatMap((record) => {
    const clientId = faults.required(record, 'clientId') ?? '';
    const held = rolesOf.get(clientId);
    if (!held && clientId !== '')
      faults.add(record, 'clientId', `there is no application ${clientId}`, 'add it to the applications');
    const slot = slots.find((each) => each === (record.values.slot ?? 'primary'));
    if (!slot) faults.add(record, 'slot', 'is no slot', `use ${slots.join(' or ')}`);
    const hash = secretOf(faults, record, ['key', 'keySha256']);
    const products = productsOf(faults, record, held ?? []);
    const quotas = [
      quotaOf(faults, record, 'quotaPerMinute'),
      quotaOf(faults, record, 'quotaPerDay'),
    ] as const;
    if (!slot || hash === undefined) return [];
    const isNew =
      faults.once(bySlot, `${clientId} ${slot}`, record, 'slot') && faults.once(byHash, hash, record, 'key');
    const owner = known.keys.get(hash);
    const taken = known.slots.get(`${clientId} ${slot}`);
    if (owner !== undefined && owner !== clientId)
      faults.add(
        record,
        'key',
        'is the key of another application',
        'issue a new one with "trapeza key create"',
      );
    else if (taken !== undefined && taken !== hash)
      faults.add(record, 'slot', 'has another key already', 'roll it with "trapeza key roll"');
    return isNew && owner === undefined
      ? [{ clientId: clientId as ClientId, slot: slot as Slot, hash, products, quotas }]
      : [];
  });
};

export const checkParties = (
  source: SourceRecords,
  known: KnownParties,
  faults: CutOverFaults,
): CheckedParties => {
  const { parties, fresh: tpps } = checkTpps(source.thirdParties, known, faults);
  const { rolesOf, fresh: applications } = checkApplications(source.applications, known, parties, faults);
  const keys = checkKeys(source.keys, known, rolesOf, faults);
  return { tpps, applications, keys, rolesOf };
};
