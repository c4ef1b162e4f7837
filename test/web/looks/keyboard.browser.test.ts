/** An approval with the keyboard alone: every stop is seen, and the code and the decision are reached. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { shownCode, useJourney } from '../../account-pages/approve-browser.js';
import { hasBrowser } from '../../support/browser.js';
import { useService } from '../../support/use-service.js';

const MOST_STOPS = 40;
const stopAt = (selector: string): string => `(() => {
  const each = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(each);
  return {
    what: each.outerHTML.slice(0, 120),
    isSeen: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && each.getBoundingClientRect().width > 0,
    isWanted: each.matches('${selector}'),
  };
})()`;

interface Stop {
  readonly what: string;
  readonly isSeen: boolean;
  readonly isWanted: boolean;
}

const tabTo = async (page: Page, selector: string): Promise<void> => {
  const stops: string[] = [];
  while (stops.length < MOST_STOPS) {
    await page.keyboard.press('Tab');
    const { what, isSeen, isWanted } = await page.evaluate<Stop>(stopAt(selector));
    stops.push(what);
    expect(isSeen, stops.join('\n')).toBe(true);
    if (isWanted) return;
  }
  throw new Error(`${selector} is not reached`);
};

describe.skipIf(!hasBrowser)('with the keyboard alone', () => {
  const service = useService();
  const journey = useJourney(service);

  test('a person logs in, chooses, types the code and approves', async () => {
    const id = await journey.askForFunds({ accounts: [], expiresAt: null });
    await journey.visit(id, async (page) => {
      await tabTo(page, '#username');
      await page.keyboard.type('eleni');
      await tabTo(page, '#password');
      await page.keyboard.type('eleni-demo');
      await page.keyboard.press('Enter');
      await page.locator('button[value=begin]').waitFor();
      await tabTo(page, '[name=account]');
      await page.keyboard.press('Space');
      await tabTo(page, '[name=term]');
      await page.keyboard.press('ArrowDown');
      await tabTo(page, 'button[value=begin]');
      await page.keyboard.press('Enter');
      const code = await shownCode(page);
      await page.locator('input#code:focus').waitFor();
      await page.keyboard.type(code);
      await tabTo(page, 'button[value=approve]');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${journey.addresses.redirectUri}**`);
      expect(new URL(page.url()).searchParams.get('result')).toBe('approved');
    });
  });
});
