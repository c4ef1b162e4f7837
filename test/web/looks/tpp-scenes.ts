/** The demo third party: its start, and walks as far as each step. */
import type { Page } from 'playwright-core';
import { approve, logIn, refuse, typeCode } from '../../account-pages/approve-browser.js';
import { START } from '../../sandbox/walk-support.js';
import type { Scene } from './scenes.js';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const toBank = (page: Page) => press(page, 'Send the account holder to the bank');

type Step = (page: Page) => Promise<unknown>;

const begin: Step = (page) => press(page, 'Card issuer: in two redirects');
const push: Step = (page) => press(page, 'Push the request');
const login: Step = async (page) => {
  await toBank(page);
  await logIn(page);
};
const create: Step = (page) => press(page, 'Create the consent');
const decide =
  (decision: Step): Step =>
  async (page) => {
    await toBank(page);
    await page.locator('#term-open').check();
    await typeCode(page);
    await decision(page);
    await page.waitForURL(/\/walks\//);
  };
const use: Step = (page) => press(page, 'Check the funds');

const walked = (name: string, ...steps: readonly Step[]): Scene => ({
  name: `third party: ${name}`,
  isEnglishOnly: true,
  show: async ({ page, open }) => {
    await open(START);
    for (const step of steps) await step(page);
  },
});

export const tppScenes: readonly Scene[] = [
  walked('start'),
  walked('funds, begun', begin),
  walked('funds, logged in', begin, push, login),
  walked('funds, to be decided', begin, push, login, create),
  walked('funds, refused', begin, push, login, create, decide(refuse)),
  walked('funds, used', begin, push, login, create, decide(approve), use),
  walked('accounts, begun', (page) => press(page, 'Account information service: in one redirect')),
  walked('payment, begun', (page) => press(page, 'Payment initiator: in one redirect')),
  {
    name: 'third party: gone',
    isEnglishOnly: true,
    show: ({ open }) => open(`${START}/walks/00000000-0000-4000-8000-000000000000`),
  },
  {
    name: 'third party: misfit',
    isEnglishOnly: true,
    show: ({ open }) => open(`${START}/callback?code=x&state=y`),
  },
];
