/** A browser without a screen: cookies, and the token of the forms of a page. */
import { formTokenIn, posted } from '../support/form.js';

export interface Seen {
  readonly status: number;
  readonly body: string;
  readonly location: string | null;
}

export class Visitor {
  readonly #base: string;
  readonly #cookies = new Map<string, string>();

  constructor(base: string) {
    this.#base = base;
  }

  async #send(path: string, init: RequestInit): Promise<Seen> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${this.#base}${path}`, {
      ...init,
      redirect: 'manual',
      headers: { 'Accept-Language': 'en', ...init.headers, cookie },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return {
      status: response.status,
      body: await response.text(),
      location: response.headers.get('location'),
    };
  }

  /** For requests that are sent in another way. */
  async session(): Promise<{ readonly cookie: string; readonly token: string }> {
    const token = await this.#tokenOf('/operator');
    return { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '), token };
  }

  get(path: string): Promise<Seen> {
    return this.#send(path, {});
  }

  async post(path: string, form: object, headers: Record<string, string> = {}): Promise<Seen> {
    const fields = { form_token: '', ...form };
    if (fields.form_token === '') fields.form_token = await this.#tokenOf(path);
    const sent = posted(path, fields as Record<string, string>);
    const body = new URLSearchParams(sent.fields);
    return this.#send(sent.path, { method: 'POST', body, headers: { origin: this.#base, ...headers } });
  }

  /** Of the page itself, or of the search for those who are logged in. */
  async #tokenOf(path: string): Promise<string> {
    const page = path.includes('/enrol/') || path.endsWith('/login') ? path : '/operator';
    return formTokenIn((await this.get(page)).body);
  }

  /** A form with a file. */
  async upload(path: string, file: Uint8Array | string, headers: Record<string, string> = {}): Promise<Seen> {
    const body = new FormData();
    body.set('file', new Blob([file as BlobPart]), 'list.json');
    const sent = posted(path, { form_token: await this.#tokenOf(path) });
    return this.#send(sent.path, { method: 'POST', body, headers: { origin: this.#base, ...headers } });
  }

  press(path: string, form: object, headers?: Record<string, string>): Promise<Seen> {
    return this.post(path, form, headers);
  }

  logIn(form: object): Promise<Seen> {
    return this.post('/operator/login', form);
  }
}
