/** The place on the map: "latitude,longitude" with one to eight decimals each. */
import { GEOGRAPHIC_LOCATION_PATTERN } from '../../atm.js';
import type { LooseRecord } from '../readers/loose.js';
import { quote } from '../show.js';
import type { Ledger } from './ledger.js';
import { tidy } from './text.js';

const FIELD = 'geographicLocation';
const PATTERN = new RegExp(GEOGRAPHIC_LOCATION_PATTERN);
const DECIMAL = /^[+-]?\d{1,3}(?:\.\d{0,30})?$/;
const MAX_DECIMALS = 8;

const decimal = (value: number): string => {
  const digits = value.toFixed(MAX_DECIMALS).replace(/0+$/, '');
  const complete = digits.endsWith('.') ? `${digits}0` : digits;
  return complete === '-0.0' ? '0.0' : complete;
};

const absent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** One of the two numbers; undefined when it was refused. */
const coordinate = (raw: unknown, name: string, limit: number, ledger: Ledger): number | undefined => {
  const isNumber = typeof raw === 'number' && Number.isFinite(raw);
  const text = typeof raw === 'string' ? raw.trim() : '';
  if (!isNumber && !DECIMAL.test(text))
    return ledger.refuse(FIELD, `has a ${name} that is not a decimal number`);
  const value = isNumber ? raw : Number(text);
  if (Math.abs(value) > limit) {
    return ledger.refuse(FIELD, `has a ${name} of ${value}, which is not between -${limit} and ${limit}`);
  }
  if (Number(value.toFixed(MAX_DECIMALS)) !== value) {
    ledger.change(FIELD, `has a ${name} with more than ${MAX_DECIMALS} decimals; rounded`);
  }
  return value;
};

const fromPair = (latitude: unknown, longitude: unknown, ledger: Ledger): string | undefined => {
  if (absent(latitude) && absent(longitude)) return undefined;
  if (absent(latitude)) return ledger.refuse(FIELD, 'has a longitude, but no latitude');
  if (absent(longitude)) return ledger.refuse(FIELD, 'has a latitude, but no longitude');
  const north = coordinate(latitude, 'latitude', 90, ledger);
  const east = coordinate(longitude, 'longitude', 180, ledger);
  if (north === undefined || east === undefined) return undefined;
  if (north === 0 && east === 0) {
    // A point in the Gulf of Guinea: what programs write when they do not know.
    ledger.change(FIELD, 'is 0,0, which stands for unknown; left out');
    return undefined;
  }
  return `${decimal(north)},${decimal(east)}`;
};

export const cleanLocation = (loose: LooseRecord, ledger: Ledger): string | null | undefined => {
  if (loose.point) return fromPair(loose.point.latitude, loose.point.longitude, ledger);
  const raw = loose.values.geographicLocation;
  if (raw === undefined || raw === null) return raw;
  const text = tidy(raw, FIELD, ledger);
  if (text === undefined) return undefined;
  if (text === '') {
    ledger.change(FIELD, 'is blank; null instead');
    return null;
  }
  const parts = text.split(',');
  if (parts.length !== 2) return ledger.refuse(FIELD, `${quote(text)} is not "latitude,longitude"`);
  const written = fromPair(parts[0], parts[1], ledger);
  if (written === undefined || PATTERN.test(text)) return written === undefined ? undefined : text;
  ledger.change(FIELD, `${quote(text)} is written ${written}`);
  return written;
};
