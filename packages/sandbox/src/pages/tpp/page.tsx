/** What the pages of the demo third party share: the shell of the developer pages, and one cookie that knows the browser again. */
import type { ComponentChildren } from 'preact';
import { type Frame, htmlPage, type PageAnswer, type PageCookie } from 'trapeza/pages';
import { START } from './places.js';

export const BROWSER_COOKIE = 'trapeza_demo_tpp';

const NOTE = 'These pages set one necessary cookie and load nothing from other sites.';

export interface DemoPageProps {
  readonly frame: Frame;
  readonly title: string;
  readonly description: string;
  readonly children: ComponentChildren;
}

/** For one person: never kept by a cache. */
export const demoPage = (
  props: DemoPageProps,
  answer: { readonly status?: number; readonly cookies?: readonly PageCookie[] } = {},
): PageAnswer => ({
  ...htmlPage({ ...props, path: START, note: NOTE }),
  isPersonal: true,
  ...answer,
});
