/** The page shell: masthead, the notice of the sandbox, main part, footer. */

import type { ComponentChildren, VNode } from 'preact';
import { render } from 'preact-render-to-string';
import type { PageAnswer } from '../../http/pages.js';
import { copyScript, logo, stylesheet } from '../assets/index.js';
import type { Frame } from '../frame.js';
import { Environment } from './environment.js';

export interface ShellProps {
  readonly frame: Frame;
  readonly title: string;
  readonly description: string;
  /** The path of this page, to mark it in the navigation. */
  readonly path: string;
  /** Full-width part above the main column, which then holds the page's heading. */
  readonly opening?: VNode;
  /** What the footer says of cookies, if there are any. */
  readonly note?: string;
  readonly children: ComponentChildren;
}

const places = [
  { path: '/docs', name: 'Reference' },
  { path: '/problems', name: 'Problems' },
  { path: '/docs/changes', name: 'Changes' },
  { path: '/openapi.json', name: 'OpenAPI' },
] as const;

/** `page` for the place itself, `true` for something below it. */
const currentMark = (place: string, path: string): 'page' | 'true' | undefined => {
  if (place === path) return 'page';
  return path.startsWith(`${place}/`) && !places.some((other) => other.path === path) ? 'true' : undefined;
};

const Masthead = ({ frame, path }: Pick<ShellProps, 'frame' | 'path'>) => (
  <header class="masthead">
    <div class="width-page">
      <a class="mark" href={frame.href('/')}>
        <img src={frame.href(logo.path)} width="34" height="34" alt="" />
        Trapeza
      </a>
      <nav aria-label="Main">
        <ul>
          {places.map((place) => (
            <li key={place.path}>
              <a href={frame.href(place.path)} aria-current={currentMark(place.path, path)}>
                {place.name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  </header>
);

const NO_COOKIES = 'These pages set no cookies and load nothing from other sites.';

const Footer = ({ frame, note = NO_COOKIES }: Pick<ShellProps, 'frame' | 'note'>) => (
  <footer class="footer">
    <div class="width-page">
      <p>Trapeza {frame.version}, under the Apache 2.0 licence</p>
      <p>{note}</p>
    </div>
  </footer>
);

const Shell = ({ frame, title, description, path, opening, note, children }: ShellProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{path === '/' ? title : `${title} – Trapeza`}</title>
      <meta name="description" content={description} />
      <link rel="stylesheet" href={frame.href(stylesheet.path)} />
      <link rel="icon" href={frame.href(logo.path)} type="image/svg+xml" />
      <script src={frame.href(copyScript.path)} defer />
    </head>
    <body>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Masthead frame={frame} path={path} />
      {frame.additions && <Environment {...frame.additions.environment.en} label="Environment" />}
      {opening}
      <main id="main" class="width-page">
        {children}
      </main>
      <Footer frame={frame} {...(note === undefined ? {} : { note })} />
    </body>
  </html>
);

export const htmlPage = (props: ShellProps): PageAnswer => ({
  status: 200,
  type: 'text/html',
  body: `<!doctype html>${render(<Shell {...props} />)}`,
  hasScript: true,
});
