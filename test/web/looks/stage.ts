/** A browser that plays scenes on a running service. */
import type { Browser, Page } from 'playwright-core';
import { MINUTE } from '../../../src/lib/clock.js';
import type { Service } from '../../support/service.js';
import type { Language, Scene } from './scenes.js';

/** Shows a scene to `look`, in a browser of its own; the window can be changed and the page stays. */
export const play = async (
  browser: Browser,
  service: Service,
  { scene, lang }: { readonly scene: Scene; readonly lang: Language },
  look: (page: Page) => Promise<void>,
): Promise<void> => {
  // How many codes a person is sent in a while is limited.
  service.clock.advance(8 * MINUTE);
  const context = await browser.newContext({ locale: lang === 'el' ? 'el-GR' : 'en-GB' });
  try {
    const page = await context.newPage();
    const open = async (path: string): Promise<void> => {
      await page.goto(`${service.url}${path}`);
    };
    await scene.show({ page, service, open });
    await look(page);
  } finally {
    await context.close();
  }
};
