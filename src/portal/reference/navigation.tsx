/** The ways through the reference: from area to area, and within a page. */

import type { Frame } from '../../web/frame.js';
import type { AreaView } from '../areas.js';

interface AreasProps {
  readonly frame: Frame;
  readonly areas: readonly AreaView[];
  /** The path of this page. */
  readonly path: string;
}

export const AreaNavigation = ({ frame, areas, path }: AreasProps) => (
  <nav class="area-tabs" aria-label="Areas">
    <ul>
      {[{ path: '/docs', title: 'Overview' }, ...areas].map((place) => (
        <li key={place.path}>
          <a href={frame.href(place.path)} aria-current={place.path === path ? 'page' : undefined}>
            {place.title}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

export interface Entry {
  readonly id: string;
  readonly title: string;
}

export const Contents = ({ entries }: { readonly entries: readonly Entry[] }) => (
  <nav class="contents" aria-label="On this page">
    <p>On this page</p>
    <ul>
      {entries.map(({ id, title }) => (
        <li key={id}>
          <a href={`#${id}`}>{title}</a>
        </li>
      ))}
    </ul>
  </nav>
);
