/** Somebody who walks a flow with the demo third party: presses its buttons, and plays the account holder at the bank. */
import { expect } from 'vitest';
import { asksForCode, cardValues, demoCodeOf, hiddenFields } from '../account-pages/approve-support.js';
import { Browser, formOf, passwordOf } from '../oauth/provider-journey.js';
import type { Answer } from '../support/client.js';
import type { Service } from '../support/service.js';

export const START = '/sandbox/tpp';

/** As a reader sees it. */
export const textOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

type Fields = Readonly<Record<string, string>>;

export class Walker {
  readonly browser: Browser;
  readonly #service: Service;
  #path = '';
  page: Answer | undefined;

  constructor(service: Service) {
    this.#service = service;
    this.browser = new Browser(service.url);
  }

  get path(): string {
    return this.#path;
  }

  get text(): string {
    return textOf(this.page?.text ?? '');
  }

  /** The page of the walk, whatever was last looked at. */
  async look(): Promise<string> {
    this.page = await this.browser.request(this.#path);
    return this.text;
  }

  async begin(flow: string, way: 'one' | 'two'): Promise<void> {
    const answer = await this.browser.request(`${START}/walks`, { flow, way });
    expect(answer.status).toBe(303);
    this.#path = String(answer.headers.location);
    await this.look();
  }

  async press(action: string, fields: Fields = {}): Promise<Answer> {
    const { page } = await this.browser.visit(`${this.#path}/${action}`, fields);
    this.page = page;
    return page;
  }

  /** Logs in on the page of the bank that is shown. */
  async logIn(username = 'eleni'): Promise<Answer> {
    if (!this.page) throw new Error('there is no page');
    const { action, token } = formOf(this.page);
    const password = passwordOf(this.#service, username);
    const { page } = await this.browser.visit(action, { form_token: token, username, password });
    this.page = page;
    return page;
  }

  /** Decides on the approval page that is shown. */
  async decide(decision: 'approve' | 'refuse', fields: Fields = {}): Promise<Answer> {
    if (decision === 'approve' && this.page && asksForCode(this.page)) {
      await this.#decide('begin', fields);
      if (this.page.status !== 200) return this.page;
    }
    return this.#decide(decision, fields);
  }

  async #decide(decision: 'approve' | 'refuse' | 'begin', fields: Fields): Promise<Answer> {
    const html = this.page?.text ?? '';
    const action = /<form[^>]* action="([^"]+\/decision[^"]*)"/.exec(html)?.[1];
    if (!action) throw new Error(`no approval page: ${html.slice(0, 400)}`);
    const [account = ''] = cardValues(html);
    const { page } = await this.browser.visit(action, {
      ...hiddenFields(html),
      account,
      term: 'open',
      code: demoCodeOf(html),
      ...fields,
      decision,
    });
    this.page = page;
    return page;
  }

  /** From the start to an approved consent, in two redirects. */
  async approveInTwo(flow: string, fields: Fields): Promise<void> {
    await this.begin(flow, 'two');
    await this.press('push');
    await this.press('bank');
    await this.logIn();
    await this.press('create', fields);
    await this.press('bank');
    await this.decide('approve');
  }

  async approveInOne(flow: string, fields: Fields): Promise<void> {
    await this.begin(flow, 'one');
    await this.press('push', fields);
    await this.press('bank');
    await this.logIn();
    await this.decide('approve');
  }

  consentId(): string {
    const found = /"consentId": "([0-9a-f-]{36})"/.exec(this.text)?.[1];
    if (!found) throw new Error('no consent on the page');
    return found;
  }
}
