/** A person in a browser who counts: screens of the bank, logins, authentications, what is entered, and clicks. */
import type { Page } from 'playwright-core';
import { shownCode } from '../account-pages/approve-browser.js';

export interface Count {
  screens: number;
  logins: number;
  authentications: number;
  inputs: number;
  clicks: number;
}

/** Fields into which something is typed, by name. An account is picked, never typed. */
const TYPED = `[...document.querySelectorAll('input:not([type=hidden], [type=submit], [type=radio], [type=checkbox]), textarea')]
  .filter((each) => each.checkVisibility()).map((each) => each.name)`;

export class Walker {
  readonly count: Count = { screens: 0, logins: 0, authentications: 0, inputs: 0, clicks: 0 };
  /** The names of all fields that a journey asks to type into. */
  readonly typed = new Set<string>();
  /** What the pages say. */
  readonly texts: string[] = [];
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** One more screen of the bank, once its heading is there. */
  async see(): Promise<void> {
    await this.#page.locator('main h1').waitFor();
    this.count.screens += 1;
    this.texts.push(await this.#page.locator('main').innerText());
    for (const name of await this.#page.evaluate<string[]>(TYPED)) this.typed.add(name);
  }

  async logIn(username = 'eleni'): Promise<void> {
    await this.see();
    await this.#page.locator('#username').fill(username);
    await this.#page.locator('#password').fill(`${username}-demo`);
    this.count.inputs += 2;
    this.count.logins += 1;
    await this.press('.login-form button');
  }

  async pick(selector: string): Promise<void> {
    await this.#page.locator(selector).first().check();
    this.count.inputs += 1;
  }

  async enterCode(): Promise<void> {
    await this.press('button[value=begin]');
    await this.#page.locator('#code').fill(await shownCode(this.#page));
    this.count.inputs += 1;
    this.count.authentications += 1;
  }

  async press(selector: string): Promise<void> {
    await this.#page.locator(selector).first().click();
    this.count.clicks += 1;
  }
}
