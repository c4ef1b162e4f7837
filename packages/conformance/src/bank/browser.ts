/** As much of a browser as a login page needs: cookies, redirects and one form. */
import { NotRun } from '../verdict.js';
import type { Answer, Http } from './http.js';

export interface Login {
  readonly username: string;
  readonly password: string;
}

const MOST_STEPS = 12;

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&');

interface Form {
  /** Where it is sent. */
  readonly url: URL;
  readonly fields: URLSearchParams;
  /** Of the page that it is on. */
  readonly origin: string;
}

/** Hidden fields as they are; the first field for text and the one for a password filled in. */
const filledForm = (html: string, page: URL, { username, password }: Login): Form => {
  const form =
    /<form\b[\s\S]*?<\/form>/.exec(
      html.slice(
        html.search(/type="password"/) > 0 ? html.lastIndexOf('<form', html.search(/type="password"/)) : 0,
      ),
    )?.[0] ?? '';
  const fields = new URLSearchParams();
  for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
    const name = attribute(tag, 'name');
    const type = attribute(tag, 'type') ?? 'text';
    if (name === undefined || type === 'submit' || type === 'checkbox') continue;
    if (type === 'password') fields.set(name, password);
    else fields.set(name, type === 'hidden' ? (attribute(tag, 'value') ?? '') : username);
  }
  const [opening = ''] = /^<form\b[^>]*>/.exec(form) ?? [];
  return { url: new URL(attribute(opening, 'action') ?? '', page), fields, origin: page.origin };
};

export class Browser {
  readonly #http: Http;
  readonly #login: Login;
  readonly #cookies = new Map<string, string>();

  constructor(http: Http, login: Login) {
    this.#http = http;
    this.#login = login;
  }

  /** Goes on until the bank sends the visitor to an address that begins with `end`, or to a page without a login. */
  async visit(address: string, end: string): Promise<{ readonly url: URL; readonly isBack: boolean }> {
    let url = this.#http.urlOf(address);
    let form: Form | undefined;
    let hasLoggedIn = false;
    for (let step = 0; step < MOST_STEPS; step += 1) {
      if (url.href.startsWith(end)) return { url, isBack: true };
      const answer = await this.#load(url, form);
      const { location } = answer.headers;
      form = undefined;
      if (answer.status >= 300 && answer.status < 400 && location !== undefined) url = new URL(location, url);
      else if (!hasLoggedIn && answer.status === 200 && answer.text.includes('type="password"')) {
        form = filledForm(answer.text, url, this.#login);
        url = form.url;
        hasLoggedIn = true;
      } else return { url, isBack: false };
    }
    throw new NotRun('the login does not come to an end');
  }

  async #load(url: URL, form: Form | undefined): Promise<Answer> {
    const answer = await this.#http.send({
      method: form ? 'POST' : 'GET',
      path: url.href,
      headers: {
        Accept: 'text/html',
        Cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') || null,
        Origin: form?.origin ?? null,
        'Content-Type': form ? 'application/x-www-form-urlencoded' : null,
      },
      ...(form ? { body: form.fields.toString() } : {}),
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }
}
