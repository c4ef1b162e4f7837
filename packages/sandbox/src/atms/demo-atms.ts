/** The ATMs of the sandbox: a fictional bank all over Greece, the same on every machine. */
import { derivedId } from 'trapeza/base';
import { type Atm, canonicalAtm, LOCATION_CATEGORIES, type LocationCategory } from 'trapeza/extend';
import { demoBankName } from '../bank/name.js';
import { attica } from './attica.js';
import { islands } from './islands.js';
import { type KitName, kits } from './kits.js';
import { north } from './north.js';
import { south } from './south.js';

const isCategory = (text: string): text is LocationCategory =>
  (LOCATION_CATEGORIES as readonly string[]).includes(text);
const isKit = (text: string): text is KitName => Object.hasOwn(kits, text);

/** A dash is null. */
const nullable = (cell: string): string | null => (cell === '-' ? null : cell);
/** An empty cell is a member left out. */
const optional = <Name extends string>(name: Name, cell: string): { [K in Name]?: string | null } =>
  cell === '' ? {} : ({ [name]: nullable(cell) } as { [K in Name]?: string | null });

/** No Greek subscriber number starts with zeros, so these never ring anywhere. */
const telephone = (areaCode: string, number: string): string | null =>
  areaCode === '-' ? null : `+30-${areaCode}${number.padStart(10 - areaCode.length, '0')}`;

const branchMembers = (number: string, category: string): Pick<Atm, 'code' | 'branchCode'> => {
  if (category.startsWith('Branch'))
    return { code: `TD-${number}`, branchCode: `0${number.slice(0, 1)}${number.slice(2)}` };
  return category === 'RemoteUnit' ? { code: null, branchCode: null } : {};
};

const toAtm = (line: string): Atm => {
  const cells = line.split('|').map((cell) => cell.trim());
  const [number = '', name = '', street = '', building = '', city = ''] = cells;
  const [postalCode = '', location = '', areaCode = '', category = '', kit = ''] = cells.slice(5);
  if (cells.length !== 10 || !isKit(kit)) throw new Error(`demo ATM line not understood: ${line}`);
  const atmid = `TRDEMO${number}`;
  return canonicalAtm({
    id: derivedId(`atm:${atmid}`),
    ...branchMembers(number, category),
    name: `${demoBankName.el} – ${name}`,
    atmid,
    ...(isCategory(category) ? { locationCategory: category } : {}),
    address: {
      ...optional('street', street),
      ...optional('buildingNumber', building),
      city,
      postalCode,
      country: 'GR',
    },
    ...optional('geographicLocation', location),
    ...structuredClone(kits[kit]),
    telephoneNumber: telephone(areaCode, number),
  });
};

export const demoAtms = (): Atm[] =>
  [attica, north, south, islands].flatMap((table) => table.trim().split('\n').map(toAtm));
