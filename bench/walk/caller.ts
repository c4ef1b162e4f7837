/** A third party and an account holder of the demo bank, without a browser. */
import { randomUUID } from 'node:crypto';

const DEBTOR = 'GR0599900010000000000000101';
const CREDITOR = 'GR6899900010000000000001101';
const USER = 'eleni';

const attribute = (tag: string, name: string): string =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

/** What a browser sends of a form, with its first account picked. */
const fieldsOf = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input\b[^>]*>/g)]
      .map(([tag]) => [attribute(tag, 'type'), attribute(tag, 'name'), attribute(tag, 'value')] as const)
      .filter(([type, name]) => type === 'hidden' || name === 'account')
      .reverse()
      .map(([, name, value]) => [name, value]),
  );

const demoCodeOf = (html: string): string =>
  (/class="demo-code">([\d ]+)</.exec(html)?.[1] ?? '').replace(' ', '');

export class Caller {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();
  #headers: Record<string, string> = {};

  constructor(url: string) {
    this.#url = url;
  }

  async begin(): Promise<void> {
    const { applications } = (await this.#call('GET', '/sandbox/credentials')) as {
      applications: { subscriptionKey: string }[];
    };
    const { access_token } = (await this.#call('POST', '/sandbox/tokens', {})) as { access_token: string };
    this.#headers = {
      'Ocp-Apim-Subscription-Key': applications[0]?.subscriptionKey ?? '',
      Authorization: `Bearer ${access_token}`,
    };
  }

  async askForFunds(): Promise<void> {
    await this.#call('POST', '/piis/psd2/v1/funds-confirmations', {
      account: { iban: DEBTOR },
      instructedAmount: { currency: 'EUR', amount: 25.5 },
    });
  }

  async stagePayment(): Promise<string> {
    const { consentId } = (await this.#call('POST', '/pis/psd2/v1/transfers/domestic', {
      debitAccount: { iban: DEBTOR },
      creditAccount: { iban: CREDITOR },
      creditorName: 'Βασίλης Αλεξίου',
      instructedAmount: { currency: 'EUR', amount: 10 },
    })) as { consentId: string };
    return consentId;
  }

  async submit(id: string): Promise<void> {
    await this.#call('POST', `/pis/psd2/v1/${id}/payment`);
  }

  /** Logs in on the first form. */
  async openForm(id: string): Promise<string> {
    const page = await this.#page(`/authorise/${id}`);
    if (!page.includes('name="password"')) return page;
    await this.#page(`/authorise/${id}/login`, {
      ...fieldsOf(page),
      username: USER,
      password: `${USER}-demo`,
    });
    return this.#page(`/authorise/${id}`);
  }

  async approve(id: string, form: string): Promise<void> {
    const action = `/authorise/${id}/decision`;
    const fields = fieldsOf(form);
    const asked = await this.#page(action, { ...fields, decision: 'begin' });
    const answer = await this.#page(action, { ...fields, code: demoCodeOf(asked), decision: 'approve' });
    if (answer !== '') throw new Error(`not approved: ${answer.slice(0, 2000)}`);
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(this.#url + path, {
      method,
      headers: {
        ...this.#headers,
        'X-Request-ID': randomUUID(),
        Accept: 'application/json',
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  /** A page, or nothing if the answer is a redirect to another site. */
  async #page(path: string, fields?: Record<string, string>): Promise<string> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(this.#url + path, {
      method: fields ? 'POST' : 'GET',
      headers: { Cookie: cookie },
      ...(fields ? { body: new URLSearchParams(fields) } : {}),
      redirect: 'manual',
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return answer.text();
  }
}
