/**
 * `npm run prove -- look`: pictures of every page in both languages, two widths and both colour schemes, on a few sheets in `.look/`,
 * so that looking at all of them takes a minute. Fails only if a scene cannot be played; `npm test` leaves it out.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { root } from '../../lib/source.js';
import { portalOptions } from '../../portal/support.js';
import { hasBrowser, useBrowser } from '../../support/browser.js';
import { useService } from '../../support/use-service.js';
import { prepareUses } from './dashboard-scenes.js';
import { performances } from './scenes.js';
import { play } from './stage.js';

const folder = join(root, '.look');
const MAX_HEIGHT = 2200;
const views = (['light', 'dark'] as const).flatMap((colorScheme) => [
  { colorScheme, width: 1280, thumb: 300 },
  { colorScheme, width: 375, thumb: 120 },
]);

interface Picture {
  readonly title: string;
  readonly shots: readonly { readonly file: string; readonly thumb: number }[];
}

const picture = async (page: Page, name: string): Promise<Picture['shots']> => {
  const shots = [];
  for (const { colorScheme, width, thumb } of views) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 600 });
    const tall = await page.evaluate<number>('document.documentElement.scrollHeight');
    // The window is as tall as the page: a picture of what lies outside of it takes many times as long.
    await page.setViewportSize({ width, height: Math.min(tall, MAX_HEIGHT) });
    // A picture that is taken at once can show half of a page that has just grown.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const file = `${name}-${width}-${colorScheme}.png`;
    await page.screenshot({ path: join(folder, file) });
    shots.push({ file, thumb });
  }
  return shots;
};

const sheetOf = (
  pictures: readonly Picture[],
): string => `<!doctype html><meta charset="utf-8"><title>All pages</title>
<style>body{font:13px system-ui;margin:12px;background:#888}main{display:flex;flex-wrap:wrap;gap:12px;align-items:start}
section{background:#fff;padding:6px;border-radius:6px}h2{font-size:13px;margin:0 0 6px}div{display:flex;gap:6px;align-items:start}
img{display:block;border:1px solid #999;max-height:520px;object-fit:cover;object-position:top}</style><main>${pictures
  .map(
    ({ title, shots }) =>
      `<section><h2>${title}</h2><div>${shots
        .map(({ file, thumb }) => `<a href="${file}"><img src="${file}" width="${thumb}"></a>`)
        .join('')}</div></section>`,
  )
  .join('')}</main>`;

const A_SHEET = 12;
const only = process.env.TEST_LOOK ?? '';

describe.skipIf(!hasBrowser || only === '')('the contact sheet', () => {
  const service = useService(portalOptions, prepareUses);
  const browser = useBrowser();

  test('is made', { timeout: 1_200_000 }, async () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const pictures: Picture[] = [];
    const missing: string[] = [];
    const wanted = performances.filter(({ scene }) => only === 'all' || scene.name.includes(only));
    for (const [index, each] of wanted.entries()) {
      const title = `${each.scene.name} (${each.lang})`;
      const name = String(index + 1).padStart(3, '0');
      try {
        await play(browser(), service(), each, async (page) => {
          pictures.push({ title: `${name} ${title}`, shots: await picture(page, name) });
        });
      } catch (error) {
        missing.push(`${title}: ${error instanceof Error ? error.message : error}`);
      }
    }
    writeFileSync(join(folder, 'index.html'), sheetOf(pictures));
    const context = await browser().newContext({ viewport: { width: 1840, height: 1000 } });
    const page = await context.newPage();
    for (let from = 0; from < pictures.length; from += A_SHEET) {
      const sheet = join(folder, `sheet-${String(from / A_SHEET + 1).padStart(2, '0')}`);
      writeFileSync(`${sheet}.html`, sheetOf(pictures.slice(from, from + A_SHEET)));
      await page.goto(`file://${sheet}.html`);
      await page.screenshot({ path: `${sheet}.png`, fullPage: true });
    }
    await context.close();
    console.log(`${pictures.length} pages: ${join(folder, 'index.html')} and ${folder}/sheet-*.png`);
    expect(missing).toEqual([]);
  });
});
