/** What TLS costs on kept connections: the service with and without, beside a bare server with and without. */
import { certificateFolder, tlsEnv } from '../certificate.js';
import type { Options } from '../options.js';
import type { Floor } from '../programs.js';
import type { Kind, Part, TlsRow } from '../report/result.js';
import { titles } from '../report/targets.js';
import { floorFor } from './operations.js';
import { race, ratioOf } from './rounds.js';
import { floorOf, type Staged, stageOf } from './stage.js';

const kinds: readonly Kind[] = ['funds', 'status'];

const withTls = (floor: Floor, folder: string): Floor => {
  if (floor[0] !== 'bare') return floor;
  const [file, method, size = '18'] = floor;
  return [file, method, size, folder];
};

const measureKind = async (
  kind: Kind,
  { plain, tls }: { readonly plain: Staged; readonly tls: Staged },
  options: Options,
): Promise<TlsRow[]> => {
  console.error(`${titles[kind]}, plain and with TLS`);
  const { name, floor } = await floorFor(kind, plain);
  const tlsFloor = withTls(floor, await certificateFolder());
  const set = plain.setOf(kind);
  const raced = await race(
    [
      { name, program: await floorOf(floor), set },
      { name: `${name}, TLS`, program: await floorOf(tlsFloor), set },
      { name: `${kind}, plain`, program: plain.program, set },
      { name: `${kind}, TLS`, program: tls.program, set: tls.setOf(kind) },
    ],
    options,
  );
  const [bare, bareTls, service, serviceTls] = raced;
  if (!bare || !bareTls || !service || !serviceTls) return [];
  return [
    {
      kind,
      perSecond: service.perSecond,
      tlsPerSecond: serviceTls.perSecond,
      ratio: ratioOf(serviceTls, service),
      cpuUs: service.cpuUs,
      tlsCpuUs: serviceTls.cpuUs,
      floor: name,
      floorTlsPerSecond: bareTls.perSecond,
      floorRatio: ratioOf(bareTls, bare),
      ofFloor: ratioOf(serviceTls, bareTls),
      errors: raced.reduce((sum, { errors }) => sum + errors, 0),
    },
  ];
};

export const measureTls = async (options: Options): Promise<Part<TlsRow>> => {
  const { rounds, seconds, connections } = options;
  const plain = await stageOf({ engine: 'sqlite' });
  const tls = await stageOf({ engine: 'sqlite', env: await tlsEnv() });
  const rows: TlsRow[] = [];
  for (const kind of kinds.filter((each) => options.kinds.includes(each)))
    rows.push(...(await measureKind(kind, { plain, tls }, options)));
  return { takenAt: new Date().toISOString(), rounds, seconds, connections, rows };
};
