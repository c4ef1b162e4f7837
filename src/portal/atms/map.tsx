/** The overview map: drawn here, loaded from nowhere. All ATMs of the list as dots, the found ones on top of them. */
import type { Book, Entry, Place, Point } from './book.js';
import { greece, type Outline } from './greece.js';

const WIDTH = 640;
const MAX_HEIGHT = 640;
const CELL = 5;
const MAX_NAMES = 9;

interface Box {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

type Spot = readonly [x: number, y: number];

interface Projection {
  readonly box: Box;
  readonly height: number;
  spotOf(point: Point): Spot;
}

const boxOf = (points: readonly Point[]): Box => {
  const start = { west: 180, east: -180, south: 90, north: -90 };
  const tight = points.reduce(
    (box, { latitude, longitude }) => ({
      west: Math.min(box.west, longitude),
      east: Math.max(box.east, longitude),
      south: Math.min(box.south, latitude),
      north: Math.max(box.north, latitude),
    }),
    start,
  );
  const margin = Math.max(0.05, 0.06 * Math.max(tight.east - tight.west, tight.north - tight.south));
  return {
    west: tight.west - margin,
    east: tight.east + margin,
    south: Math.max(-89, tight.south - margin),
    north: Math.min(89, tight.north + margin),
  };
};

/** A degree of longitude is as wide as in the middle of the map. */
const projectionOf = (box: Box): Projection => {
  const narrowing = Math.cos((((box.south + box.north) / 2) * Math.PI) / 180);
  const scale = Math.min(WIDTH / ((box.east - box.west) * narrowing), MAX_HEIGHT / (box.north - box.south));
  const indent = (WIDTH - (box.east - box.west) * narrowing * scale) / 2;
  return {
    box,
    height: Math.round((box.north - box.south) * scale),
    spotOf: ({ latitude, longitude }) => [
      Math.round(indent + (longitude - box.west) * narrowing * scale),
      Math.round((box.north - latitude) * scale),
    ],
  };
};

/** The outline is worth something only from afar. */
const isGreek = ({ west, east, south, north }: Box): boolean =>
  west > 18.5 && east < 30.5 && south > 34 && north < 42.5 && east - west > 1.5;

const STEPS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30];

const linesOf = (from: number, to: number): readonly number[] => {
  const step = STEPS.find((each) => (to - from) / each <= 6) ?? 45;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, index) => (first + index) * step);
};

const grid = ({ box, height, spotOf }: Projection): string => {
  const { latitude, longitude } = { latitude: box.north, longitude: box.west };
  const across = linesOf(box.south, box.north).map(
    (each) => `M0 ${spotOf({ latitude: each, longitude })[1]}h${WIDTH}`,
  );
  const down = linesOf(box.west, box.east).map(
    (each) => `M${spotOf({ latitude, longitude: each })[0]} 0v${height}`,
  );
  return [...across, ...down].join('');
};

const outlinePath = (outline: Outline, { spotOf }: Projection): string =>
  `M${outline.map(([longitude, latitude]) => spotOf({ longitude, latitude }).join(' ')).join('L')}z`;

/** Dots that would lie on each other are one; it is larger if they are many. A dot is a line without length, with round ends. */
const dotsOf = (
  entries: readonly Entry[],
  { spotOf }: Projection,
): readonly (readonly [size: string, path: string])[] => {
  const cells = new Map<string, number>();
  for (const { point } of entries) {
    if (!point) continue;
    const key = spotOf(point)
      .map((each) => Math.round(each / CELL) * CELL)
      .join(' ');
    cells.set(key, (cells.get(key) ?? 0) + 1);
  }
  const sizes = [
    ['few', (count: number) => count < 5],
    ['some', (count: number) => count >= 5 && count < 30],
    ['many', (count: number) => count >= 30],
  ] as const;
  return sizes.map(([size, fits]) => [
    size,
    [...cells].flatMap(([spot, count]) => (fits(count) ? `M${spot}h0` : [])).join(''),
  ]);
};

const Dots = ({
  kind,
  entries,
  projection,
}: {
  readonly kind: string;
  readonly entries: readonly Entry[];
  readonly projection: Projection;
}) => (
  <>
    {dotsOf(entries, projection).map(
      ([size, path]) => path && <path key={size} class={`${kind} ${size}`} d={path} />,
    )}
  </>
);

/** The largest towns whose names do not lie on each other. */
const namesOf = (towns: Iterable<Place>, { spotOf }: Projection): readonly (readonly [Place, Spot])[] => {
  const kept: (readonly [Place, Spot])[] = [];
  for (const town of towns) {
    const [x, y] = spotOf(town);
    const isFree = kept.every(([, [a, b]]) => Math.abs(a - x) > 110 || Math.abs(b - y) > 26);
    if (isFree && town.name.length <= 24) kept.push([town, [x, y]]);
    if (kept.length === MAX_NAMES) break;
  }
  return kept;
};

export interface MapProps {
  readonly book: Book;
  readonly found: readonly Entry[];
  readonly place: Point | undefined;
  readonly label: string;
}

export const OverviewMap = ({ book, found, place, label }: MapProps) => {
  const points = book.entries.flatMap(({ point }) => point ?? []);
  if (points.length === 0) return null;
  const tight = boxOf(points);
  const outlines = isGreek(tight) ? greece : [];
  const corners = outlines.flatMap((each) => each.map(([longitude, latitude]) => ({ longitude, latitude })));
  const projection = projectionOf(outlines.length > 0 ? boxOf([...points, ...corners]) : tight);
  const isFound = new Set(found.map(({ atm }) => atm.id));
  const others = book.entries.filter(({ atm }) => !isFound.has(atm.id));
  const { height, spotOf } = projection;
  const [x, y] = place ? spotOf(place) : [0, 0];
  return (
    <svg class="atm-map" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={label}>
      <path class="atm-grid" d={grid(projection)} />
      {outlines.length > 0 && (
        <path class="atm-land" d={outlines.map((each) => outlinePath(each, projection)).join('')} />
      )}
      <Dots kind="atm-other" entries={others} projection={projection} />
      <Dots kind="atm-found" entries={found} projection={projection} />
      {place && <path class="atm-here" d={`M${x - 9} ${y}h18M${x} ${y - 9}v18`} />}
      {namesOf(book.towns.values(), projection).map(([{ name }, [left, top]]) => (
        <text
          key={name}
          class="atm-town"
          x={left}
          y={top - 8}
          text-anchor={left > WIDTH - 80 ? 'end' : left < 80 ? 'start' : 'middle'}
        >
          {name}
        </text>
      ))}
    </svg>
  );
};
