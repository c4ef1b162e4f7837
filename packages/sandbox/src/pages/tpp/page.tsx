/** The sites of third parties that the sandbox plays: a browser bar with their address, their own name and colours. */
import type { ComponentChildren } from 'preact';
import { type Frame, htmlPage, type PageAnswer, type PageCookie } from 'trapeza/pages';
import { START } from './places.js';

export const BROWSER_COOKIE = 'trapeza_demo_tpp';

const NOTE = 'These pages set one necessary cookie and load nothing from other sites.';

/** The lighthouse of Alexandria. */
const Lighthouse = () => (
  <svg width="24" height="24" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
    <path d="M10 9h4l2 12H8zM9.5 4.5h5v3.6h-5zM12 1.6l3 2.1H9zM4 5l4 1.2L4 7.6zM20 5l-4 1.2 4 1.4z" />
  </svg>
);

export interface ThirdPartySite {
  readonly name: string;
  /** As its address bar would show it. The real one is this service's. */
  readonly host: string;
  /** Its first page here. */
  readonly home: string | undefined;
  readonly mark: ComponentChildren;
}

export const PHAROS: ThirdPartySite = {
  name: 'Pharos',
  host: 'pharos.example',
  home: START,
  mark: <Lighthouse />,
};

const Mark = ({ frame, site }: { readonly frame: Frame; readonly site: ThirdPartySite }) => {
  const content = (
    <>
      <span class="site-mark" aria-hidden="true">
        {site.mark}
      </span>
      {site.name}
    </>
  );
  return site.home === undefined ? (
    <span class="mark">{content}</span>
  ) : (
    <a class="mark" href={frame.href(site.home)}>
      {content}
    </a>
  );
};

const SiteHead = ({ frame, site }: { readonly frame: Frame; readonly site: ThirdPartySite }) => (
  <>
    <aside class="browser-bar" aria-label="Whose site this is">
      <div class="width-page">
        <svg width="46" height="12" viewBox="0 0 46 12" aria-hidden="true">
          <circle cx="6" cy="6" r="5" fill="#e0605a" />
          <circle cx="23" cy="6" r="5" fill="#e0ad3c" />
          <circle cx="40" cy="6" r="5" fill="#5aa860" />
        </svg>
        <span class="address">https://{site.host}</span>
        <span>A third party’s site, not the bank’s. Played by this sandbox.</span>
      </div>
    </aside>
    <header class="masthead">
      <div class="width-page">
        <Mark frame={frame} site={site} />
        <nav class="places" aria-label="Main">
          <ul>
            <li>
              <a href={frame.href('/')}>To the bank’s interface</a>
            </li>
          </ul>
        </nav>
      </div>
    </header>
  </>
);

export interface SitePageProps {
  readonly frame: Frame;
  readonly site: ThirdPartySite;
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly note?: string;
  readonly keepsInTab?: boolean;
  readonly children: ComponentChildren;
}

/** For one person: never kept by a cache. */
export const sitePage = ({ site, ...props }: SitePageProps): PageAnswer => ({
  ...htmlPage({
    ...props,
    site: { name: site.name, head: <SiteHead frame={props.frame} site={site} />, look: 'third-party' },
  }),
  isPersonal: true,
});

export type DemoPageProps = Omit<SitePageProps, 'site' | 'path' | 'note'>;

export const demoPage = (
  props: DemoPageProps,
  answer: { readonly status?: number; readonly cookies?: readonly PageCookie[] } = {},
): PageAnswer => ({ ...sitePage({ ...props, site: PHAROS, path: START, note: NOTE }), ...answer });
