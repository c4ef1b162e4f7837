/** An account holder without a browser, who walks to a page and keeps cookies on the way. */

const MOST_REDIRECTS = 5;
const INPUT = /<input\b[^>]*>/g;
const CODE = /class="demo-code">([\d ]+)</;

const attribute = (tag: string, name: string): string =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

/** What a browser sends of a page on which nothing was entered. */
const presetFields = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(INPUT)]
      .map(([tag]) => tag)
      .filter((tag) => attribute(tag, 'type') === 'hidden' || /\schecked\b/.test(tag))
      .map((tag) => [attribute(tag, 'name'), attribute(tag, 'value')]),
  );

export class Visitor {
  readonly #base: string;
  readonly #lang: string;
  readonly #cookies = new Map<string, string>();
  #page = '';

  constructor(base: string, lang: string) {
    this.#base = base;
    this.#lang = lang;
  }

  /** The page that the visitor is on. */
  get page(): string {
    return this.#page;
  }

  async open(path: string): Promise<void> {
    this.#page = await this.#fetch(path);
  }

  /** Sends what the page has preset and what was entered. */
  async send(path: string, entered: Readonly<Record<string, string>>): Promise<void> {
    this.#page = await this.#fetch(path, new URLSearchParams({ ...presetFields(this.#page), ...entered }));
  }

  async logIn(path: string, username: string, password = `${username}-demo`): Promise<void> {
    await this.open(path);
    await this.send(`${path}/login`, { username, password });
  }

  async enterOverview(username: string): Promise<void> {
    await this.logIn('/dashboard', username);
    await this.send('/dashboard/code', { send: 'begin' });
    await this.send('/dashboard/code', { code: CODE.exec(this.#page)?.[1]?.replace(' ', '') ?? '' });
  }

  async #fetch(path: string, form?: URLSearchParams): Promise<string> {
    let address = new URL(path, this.#base);
    let body: URLSearchParams | undefined = form;
    for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
      const answer = await fetch(address, {
        method: body ? 'POST' : 'GET',
        redirect: 'manual',
        headers: { Accept: 'text/html', 'Accept-Language': this.#lang, Cookie: this.#cookieHeader() },
        ...(body ? { body } : {}),
      });
      this.#keep(answer.headers.getSetCookie());
      const location = answer.headers.get('location');
      const text = await answer.text();
      if (location === null) return text;
      address = new URL(location, address);
      body = undefined;
    }
    throw new Error(`${path} leads in a circle`);
  }

  #cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
  }
}
