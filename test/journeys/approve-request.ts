/** What an account holder does with a request of a third party. */
import { cardValues, demoCodeOf, hiddenFields } from '../account-pages/approve-support.js';
import type { Browser } from '../oauth/provider-journey.js';

/** Looks at it in the browser that has logged in before, types the code of the demo phone, and approves. */
export const approveRequest = async (browser: Browser, scaRedirect: string): Promise<URL | undefined> => {
  const { page } = await browser.visit(scaRedirect);
  if (page.status !== 200)
    throw new Error(`the request was shown as ${page.status}: ${page.text.slice(0, 300)}`);
  const [account = ''] = cardValues(page.text);
  const { pathname } = new URL(scaRedirect);
  const form = { ...hiddenFields(page.text), account, term: 'open' };
  const { page: asked } = await browser.visit(`${pathname}/decision`, { ...form, decision: 'begin' });
  const decision = { ...form, code: demoCodeOf(asked.text), decision: 'approve' };
  return (await browser.visit(`${pathname}/decision`, decision)).leftTo;
};
