/** The layout of the documentation: navigation, text, and code if there is some; one column on a phone, the navigation last. */
import type { ComponentChildren } from 'preact';
import type { ShellProps } from '../../web/components/shell.js';
import type { Frame } from '../../web/frame.js';
import { type AreaView, operationPath } from '../areas.js';

interface Place {
  readonly path: string;
  readonly title: string;
}

export interface NavigationParts {
  readonly frame: Frame;
  readonly areas: readonly AreaView[];
  readonly guides: readonly Place[];
}

interface NavigationProps extends NavigationParts {
  /** The path of this page. */
  readonly path: string;
}

const before: readonly Place[] = [{ path: '/docs', title: 'Overview' }];
const after: readonly Place[] = [
  { path: '/problems', title: 'Problems' },
  { path: '/docs/changes', title: 'Changes' },
];

const Places = ({
  frame,
  path,
  places,
}: Pick<NavigationProps, 'frame' | 'path'> & { places: readonly Place[] }) => (
  <ul>
    {places.map((place) => (
      <li key={place.path}>
        <a href={frame.href(place.path)} aria-current={place.path === path ? 'page' : undefined}>
          {place.title}
        </a>
      </li>
    ))}
  </ul>
);

const placesOf = (area: AreaView): readonly Place[] => [
  { path: area.path, title: 'Overview' },
  ...area.operations.map((operation) => ({ path: operationPath(area, operation), title: operation.summary })),
];

const Navigation = ({ frame, areas, guides, path }: NavigationProps) => (
  <nav class="docs-navigation" id="pages" aria-label="Documentation">
    <Places frame={frame} path={path} places={before} />
    {guides.length > 0 && (
      <details open={guides.some((each) => each.path === path)}>
        <summary>Guides</summary>
        <Places frame={frame} path={path} places={guides} />
      </details>
    )}
    {areas.map((area) => (
      <details key={area.id} open={`${path}/`.startsWith(`${area.path}/`)}>
        <summary>{area.title}</summary>
        <Places frame={frame} path={path} places={placesOf(area)} />
      </details>
    ))}
    <Places frame={frame} path={path} places={after} />
  </nav>
);

interface Content extends Pick<ShellProps, 'title' | 'description' | 'path' | 'lang' | 'hasConsole'> {
  readonly text: ComponentChildren;
  readonly code?: ComponentChildren;
}

export const docsPage = (
  { frame, areas, guides }: NavigationParts,
  { text, code, ...content }: Content,
): ShellProps => ({
  frame,
  ...content,
  isWide: true,
  children: (
    <div class={code === undefined ? 'docs' : 'docs with-code'}>
      <nav class="docs-jump" aria-label="To the navigation">
        <a href="#pages">All pages</a>
      </nav>
      <article class="docs-text">{text}</article>
      {code !== undefined && <div class="docs-code">{code}</div>}
      <Navigation frame={frame} areas={areas} guides={guides} path={content.path} />
    </div>
  ),
});
