/**
 * What a screen reader is given of a page, and where its parts are: nothing is wider than the screen or cut off, tables are tables, nothing lies on anything else.
 * Every scene is played once in each language and measured at every width; `npm test` measures a sample.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { portalOptions } from '../../portal/support.js';
import { areAllPagesWanted, hasBrowser, useBrowser } from '../../support/browser.js';
import { useService } from '../../support/use-service.js';
import { accessibilityFaults } from './accessibility.js';
import { prepareUses } from './dashboard-scenes.js';
import { performances } from './scenes.js';
import { play } from './stage.js';

/** The faults of a page. A text, because it runs in the browser. */
const measure = `(() => {
  const faults = [];
  const nameOf = (each) => each.tagName.toLowerCase() + (each.className ? '.' + each.className : '') + ' “' + (each.textContent || each.value || '').trim().slice(0, 40) + '”';
  const isSeen = (each) => {
    if (!each.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    for (let at = each; at; at = at.parentElement) if (getComputedStyle(at).clipPath !== 'none') return false;
    return true;
  };
  const seen = (selector) => [...document.querySelectorAll(selector)].filter(isSeen);

  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) {
    const widest = seen('body *').sort((a, b) => b.getBoundingClientRect().right - a.getBoundingClientRect().right)[0];
    faults.push('the page is ' + scrollWidth + ' px wide: ' + nameOf(widest));
  }
  for (const each of seen('body :not(input, textarea)')) {
    const { overflowX, textOverflow } = getComputedStyle(each);
    if (['hidden', 'clip'].includes(overflowX) && textOverflow !== 'ellipsis' && each.scrollWidth > each.clientWidth + 1)
      faults.push('cut off: ' + nameOf(each));
  }
  if (innerWidth >= 720) for (const table of seen('table')) {
    const { display } = getComputedStyle(table);
    if (display !== 'table') faults.push('a table is laid out as ' + display + ': ' + nameOf(table));
    const [head, body] = [table.tHead, table.tBodies[0]].map((part) => part?.getBoundingClientRect().left);
    if (head !== undefined && body !== undefined && Math.abs(head - body) > 1)
      faults.push('a head at ' + head + ' px, its body at ' + body + ' px: ' + nameOf(table));
  }
  for (const picture of seen('.sequence svg')) for (const text of picture.querySelectorAll('text')) {
    const { width } = picture.viewBox.baseVal;
    const [words, place] = [text.getBBox(), text.parentElement.querySelector('rect')?.getBBox() ?? { x: 0, width }];
    if (words.x < place.x || words.x + words.width > place.x + place.width) faults.push('beside its place: ' + text.textContent);
  }

  const parts = 'a, button, input, select, textarea, summary, label, legend, th, td, p, li, dt, dd, pre, h1, h2, h3, h4, h5, h6';
  const clipOf = (each) => {
    let [left, right, top, bottom] = [-Infinity, Infinity, -Infinity, Infinity];
    for (let at = each.parentElement; at; at = at.parentElement) if (getComputedStyle(at).overflowX !== 'visible') {
      const box = at.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return { left, right, top, bottom };
  };
  // What is for screen readers alone has no place.
  const textBoxes = (each) => {
    const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) if (isSeen(texts.currentNode.parentElement)) {
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      found.push(...range.getClientRects());
    }
    return found;
  };
  const boxes = seen(parts).filter((each) => ![...each.querySelectorAll(parts)].some(isSeen)).flatMap((each) => {
    const clip = clipOf(each);
    return [...each.getClientRects(), ...(each.tagName === 'PRE' ? [] : textBoxes(each))].map((box) => ({
      each, top: Math.max(box.top, clip.top), bottom: Math.min(box.bottom, clip.bottom), left: Math.max(box.left, clip.left), right: Math.min(box.right, clip.right),
    }));
  }).filter(({ top, bottom }) => bottom > top).sort((a, b) => a.top - b.top);
  const overlaps = new Set();
  for (const [index, a] of boxes.entries()) for (let next = index + 1; boxes[next]?.top < a.bottom - 3; next += 1) {
    const b = boxes[next];
    if (a.each === b.each || a.each.contains(b.each) || b.each.contains(a.each)) continue;
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - b.top;
    if (across > 3 && down > 3) overlaps.add(nameOf(a.each) + ' lies on ' + nameOf(b.each));
  }
  return [...faults, ...overlaps].slice(0, 8);
})()`;

const sample: readonly string[] = [
  '/sandbox/credentials',
  '/docs/guides/payment',
  '/docs/guides/signatures',
  '/docs/guides/notifications',
  'ATMs',
  'no page here',
  'login',
  'approve: errors',
  'approve: international payment',
  'dashboard: permissions',
  'dashboard: funds',
  'portal: log',
];

const shown = performances.filter(({ scene }) =>
  areAllPagesWanted ? !scene.isAlike : sample.includes(scene.name),
);
const reference = performances.filter(({ scene }) => scene.name === '/problems');
const widthsOf = (lang: string): readonly number[] => {
  if (areAllPagesWanted) return [1280, 768, 375, 320];
  return lang === 'en' ? [1280] : [375];
};

const faultsOf = async (page: Page, widths: readonly number[]): Promise<string[]> => {
  // Closed parts are pages too.
  await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true; })');
  const faults: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const found = await page.evaluate<string[]>(measure);
    faults.push(...found.map((fault) => `${width} px: ${fault}`));
  }
  return faults;
};

const landing = performances.filter(({ scene }) => scene.name === '/');
const firstScreens = [
  { width: 1280, height: 720 },
  { width: 375, height: 667 },
];

describe.skipIf(!hasBrowser)('where things are', () => {
  const service = useService(portalOptions, prepareUses);
  const browser = useBrowser();

  test.each(landing)(
    'ux 9: the first screen says what this is, for whom, and has three ways on ($lang)',
    async (performance) => {
      await play(browser(), service(), performance, async (page) => {
        for (const size of firstScreens) {
          await page.setViewportSize(size);
          const parts = page.locator('h1, .opening .lead, .ways-on li, .ways-on a');
          const boxes = await Promise.all((await parts.all()).map((part) => part.boundingBox()));
          expect(await page.locator('.ways-on li').count()).toBe(3);
          const bottoms = boxes.map((box) => (box ? box.y + box.height : Number.NaN));
          expect(bottoms.filter((bottom) => !(bottom <= size.height))).toEqual([]);
          expect(await faultsOf(page, [size.width])).toEqual([]);
        }
      });
    },
  );

  test.each(reference)('ux 1: the tables of the reference are tables', async (performance) => {
    await play(browser(), service(), performance, async (page) => {
      expect(await page.locator('table').count()).toBeGreaterThan(10);
      expect(await faultsOf(page, [1280, 768])).toEqual([]);
    });
  });

  test.each(shown)('$scene.name ($lang)', async (performance) => {
    await play(browser(), service(), performance, async (page) => {
      expect(await accessibilityFaults(page, performance.lang)).toEqual([]);
      expect(await faultsOf(page, widthsOf(performance.lang))).toEqual([]);
    });
  });
});
