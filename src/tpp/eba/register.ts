/**
 * The EBA's central register of payment and e-money institutions, in the JSON form that the EBA publishes: a list, or lists in a list, of
 * entities `{ CA_OwnerID, EntityType, Properties: [{ ENT_NAM }, …], Services: [{ GR: ['PS_070', …] }, …] }`, in which a list of one may be a
 * plain value. `ENT_AUT` has the dates of authorisation and withdrawal in turn, so an odd number of them is an authorisation.
 *
 * Banks are third parties too, but are not in this register: one that is absent has lost nothing.
 */
import { foldedLetters } from '../../lib/format/folded.js';
import type { Role } from '../../model/caller.js';

export interface RegisterEntity {
  readonly country: string;
  readonly authority: string;
  readonly reference: string;
  readonly type: string;
  readonly names: readonly string[];
  /** Of the services in the bank's country. */
  readonly roles: readonly Role[];
  readonly isAuthorised: boolean;
  /** The last authorisation or withdrawal. */
  readonly changedOn: string;
}

/** What an entity is, together with others of the same number; agents, branches and excluded services are not third parties. */
const TYPES = ['PSD_PI', 'PSD_EMI', 'PSD_AISP', 'PSD_EPI', 'PSD_EEMI', 'PSD_ENL'];

/** Annex I of PSD2: issuing of payment instruments, payment initiation, account information. */
const ROLES: Readonly<Record<string, Role>> = {
  PS_050: 'PSP_IC',
  PS_05A: 'PSP_IC',
  PS_070: 'PSP_PI',
  PS_080: 'PSP_AI',
};

const MAX_DEPTH = 3;

const plain = (text: string): string => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
const countryOf = (text: string): string => (text === 'EL' ? 'GR' : text);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textsIn = (value: unknown): string[] =>
  [value].flat().filter((each): each is string => typeof each === 'string');

/** The texts under this name in an object, or in a list of objects. */
const valuesOf = (holders: unknown, name: string): string[] =>
  [holders].flat().flatMap((holder) => (isObject(holder) ? textsIn(holder[name]) : []));

const entityOf = (entry: Readonly<Record<string, unknown>>, country: string): RegisterEntity[] => {
  const { CA_OwnerID: owner, EntityType: type, Properties: properties, Services: services } = entry;
  const [reference] = valuesOf(properties, 'ENT_NAT_REF_COD');
  if (typeof owner !== 'string' || typeof type !== 'string' || reference === undefined) return [];
  if (!TYPES.includes(type)) return [];
  const dates = valuesOf(properties, 'ENT_AUT');
  const codes = [country, ...(country === 'GR' ? ['EL'] : [])].flatMap((each) => valuesOf(services, each));
  return [
    {
      country: countryOf(owner.slice(0, 2)),
      authority: plain(owner.slice(2)),
      reference: plain(reference),
      type,
      names: [...valuesOf(properties, 'ENT_NAM'), ...valuesOf(properties, 'ENT_NAM_COM')],
      roles: [...new Set(codes.flatMap((code) => ROLES[code] ?? []))],
      isAuthorised: dates.length % 2 === 1,
      changedOn: dates.at(-1) ?? '',
    },
  ];
};

/** Third parties of the parsed file with their roles in this country. */
export const entitiesIn = (parsed: unknown, country: string): RegisterEntity[] => {
  const entries = [parsed].flat(MAX_DEPTH).filter(isObject);
  return entries.flatMap((entry) => entityOf(entry, countryOf(country)));
};

export interface RegisterNumber {
  readonly country: string;
  readonly authority: string;
  readonly reference: string;
}

/** `PSDGR-BOG-12345` as the register has it. Undefined for any other number. */
export const numberOf = (registration: string): RegisterNumber | undefined => {
  const [, country, authority, reference] = /^PSD([A-Z]{2})-([^-]+)-(.+)$/.exec(registration) ?? [];
  if (country === undefined || authority === undefined || reference === undefined) return undefined;
  return { country: countryOf(country), authority: plain(authority), reference: plain(reference) };
};

export interface RegisterEntry {
  readonly names: readonly string[];
  readonly roles: readonly Role[];
  readonly isAuthorised: boolean;
  readonly changedOn: string;
}

/**
 * What the register says of a number. Authorities have other abbreviations in certificates than in the register of some countries: if
 * none is the same, the reference in the country counts.
 */
export const entryOf = (
  { country, authority, reference }: RegisterNumber,
  entities: readonly RegisterEntity[],
): RegisterEntry | undefined => {
  const known = entities.filter((each) => each.country === country && each.reference === reference);
  const exact = known.filter((each) => each.authority === authority);
  const found = exact.length > 0 ? exact : known;
  if (found.length === 0) return undefined;
  const held = found.filter(({ isAuthorised }) => isAuthorised);
  return {
    names: found.flatMap(({ names }) => names),
    roles: [...new Set(held.flatMap(({ roles }) => roles))],
    isAuthorised: held.length > 0,
    changedOn:
      found
        .map(({ changedOn }) => changedOn)
        .toSorted()
        .at(-1) ?? '',
  };
};

/** Without the spelling: capitals, accents, dots, and letters of the other alphabet that look alike. */
export const isSameName = (name: string, names: readonly string[]): boolean =>
  names.some((each) => foldedLetters(each) === foldedLetters(name));
