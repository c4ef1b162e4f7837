/** The published list as a file: contract JSON, CSV or GeoJSON. Importing it again gives the very same publication. */
import type { Atm } from './atm.js';
import { CSV_HEADER, quoteCell, writeList, writeText } from './csv-cells.js';
import { canonicalList } from './publishable.js';

export const EXPORT_FORMATS = ['json', 'csv', 'geojson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const toCsvRow = (atm: Atm): string => {
  const { address, ...members } = atm;
  const flat = new Map<string, string | readonly string[] | null>([
    ...Object.entries(members),
    ...Object.entries(address).map(([name, value]) => [`address.${name}`, value] as const),
  ]);
  return CSV_HEADER.map((name) => {
    const value = flat.get(name);
    return quoteCell(typeof value === 'object' && value !== null ? writeList(value) : writeText(value));
  }).join(',');
};

const toCsv = (atms: readonly Atm[]): string =>
  [CSV_HEADER.join(','), ...atms.map(toCsvRow), ''].join('\r\n');

/** The text of the location stays among the properties, because numbers lose final zeros. */
const toFeature = (atm: Atm): object => {
  const [latitude, longitude] = (atm.geographicLocation ?? '').split(',').map(Number);
  const geometry =
    latitude === undefined || longitude === undefined
      ? null
      : { type: 'Point', coordinates: [longitude, latitude] };
  return { type: 'Feature', id: atm.id, geometry, properties: atm };
};

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const exportAtms = (atms: readonly Atm[], format: ExportFormat): string => {
  const list = canonicalList(atms);
  switch (format) {
    case 'json':
      return pretty(list);
    case 'csv':
      return toCsv(list);
    case 'geojson':
      return pretty({ type: 'FeatureCollection', features: list.map(toFeature) });
  }
};
