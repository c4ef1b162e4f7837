/** Requests for approval, put into the store as the API would, and a visitor who walks the journey without a browser. */
import { randomUUID } from 'node:crypto';
import type { DemoAccount } from '../../packages/sandbox/src/bank/people.js';
import { insertConsent, type NewConsent } from '../../src/consent/consents.js';
import { consentAccount } from '../../src/consent/record.js';
import { HOUR } from '../../src/lib/clock.js';
import { type Answer, send } from '../support/client.js';
import { formTokenIn, posted } from '../support/form.js';
import { FINANCE, psuId } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { withStore } from '../support/use-service.js';

export const BACK = 'https://demo-finance-app.example/callback';
export const NOK = 'https://refused.example/sorry?from=bank';
export const STATE = 'a b&c=d';

export interface WantedRequest extends Partial<Omit<NewConsent, 'psuId' | 'accounts'>> {
  readonly psu?: string;
  readonly accounts?: readonly DemoAccount[];
}

export const paymentDetails = {
  endToEndId: 'INV-2041',
  paymentService: 'transfers',
  paymentProduct: 'domestic',
  creditAccount: { iban: 'DE89370400440532013000' },
  creditorName: 'Βασίλης Αλεξίου',
  instructedAmount: { currency: 'EUR', amount: 1120.5 },
  chargeBearer: 'sha',
  expenses: { currency: 'EUR', amount: 0.3 },
} as const;

/** Of which everybody has enough. */
export const smallPayment = {
  ...paymentDetails,
  instructedAmount: { currency: 'EUR', amount: 12.5 },
} as const;

export const accessDetails = {
  permissions: ['AccountsBasic', 'Balances', 'TransactionsDetail'],
  recurring: true,
  frequencyPerDay: 4,
} as const;

/** Received consents with a way back, unless a wish says otherwise. */
export const addRequests = async (service: Service, wanted: readonly WantedRequest[]): Promise<string[]> => {
  const createdAt = service.clock.now() - HOUR;
  const consents = wanted.map(
    ({ psu = 'eleni', accounts = [], ...rest }): NewConsent => ({
      id: randomUUID(),
      kind: 'PaymentInitiation',
      clientId: FINANCE,
      psuId: psuId(psu),
      status: 'Received',
      createdAt,
      expiresAt: null,
      details: paymentDetails,
      accounts: accounts.map(consentAccount),
      redirectUri: BACK,
      nokRedirectUri: NOK,
      tppState: STATE,
      history: [{ from: null, to: 'Received', by: 'tpp', at: createdAt }],
      ...rest,
    }),
  );
  await withStore(service, (db) =>
    db.transaction(async (tx) => {
      for (const consent of consents) await insertConsent(tx, consent);
    }),
  );
  return consents.map(({ id }) => id);
};

export const addRequest = async (service: Service, wanted: WantedRequest = {}): Promise<string> =>
  (await addRequests(service, [wanted]))[0] ?? '';

interface Stored {
  readonly status: string;
  readonly expiresAt: number | null;
  readonly details: Record<string, unknown>;
  readonly accounts: string[];
  readonly steps: string[];
}

/** What the store has of a consent: its accounts by their bank ids, its history by the statuses reached. */
export const stored = (service: Service, id: string): Promise<Stored> =>
  withStore(service, async (db) => {
    const row = await db.one<{ status: string; expires_at: number | null; details: string }>(
      'select status, expires_at, details from consents where id = ?',
      [id],
    );
    const accounts = await db.all<{ account_id: string }>(
      'select account_id from consent_accounts where consent_id = ? order by position',
      [id],
    );
    const steps = await db.all<{ to_status: string }>(
      'select to_status from consent_history where consent_id = ? order by position',
      [id],
    );
    return {
      status: row?.status ?? 'none',
      expiresAt: row?.expires_at ?? null,
      details: JSON.parse(row?.details ?? '{}') as Record<string, unknown>,
      accounts: accounts.map((each) => each.account_id),
      steps: steps.map((each) => each.to_status),
    };
  });

/** Changes what no third party can: the details of a consent that is being looked at. */
export const changeDetails = (service: Service, id: string, details: object): Promise<number> =>
  withStore(service, (db) =>
    db.run('update consents set details = ? where id = ?', [JSON.stringify(details), id]),
  );

/** As if a quarter of an hour had passed: every wrong code and every code that was sent. */
export const forgetCodes = (service: Service): Promise<number> =>
  withStore(service, (db) => db.run('delete from recent_times'));

/** What was sent to whom, and is not yet forgotten. */
export const challenges = (service: Service): Promise<number> =>
  withStore(service, async (db) => {
    const row = await db.one<{ n: number }>('select count(*) as n from demo_challenges');
    return row?.n ?? 0;
  });

const INPUT = /<input\b[^>]*>/g;
const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];

/** The hidden fields of the last page with the token of its forms, as `posted` takes them. */
export const hiddenFields = (html: string): Record<string, string> => {
  const fields = Object.fromEntries(
    [...html.matchAll(INPUT)]
      .map(([tag]) => tag)
      .filter((tag) => attribute(tag, 'type') === 'hidden')
      .map((tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? '']),
  );
  const token = formTokenIn(html);
  return token === '' ? fields : { ...fields, form_token: token };
};

export const demoCodeOf = (html: string): string =>
  (/class="demo-code">([\d ]+)</.exec(html)?.[1] ?? '').replace(' ', '');

/** The button that asks for a code is on the page. */
export const asksForCode = ({ text }: Pick<Answer, 'text'>): boolean => text.includes('value="begin"');

export const cardValues = (html: string): string[] =>
  [...html.matchAll(INPUT)]
    .map(([tag]) => tag)
    .filter((tag) => attribute(tag, 'name') === 'account')
    .map((tag) => attribute(tag, 'value') ?? '');

type Fields = Readonly<Record<string, string | readonly string[]>>;

const encoded = (fields: Fields): string => {
  const body = new URLSearchParams();
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat()) body.append(name, value);
  return body.toString();
};

/** Keeps cookies as a browser does. */
export const mayHoldSecret = ({ headers, text }: Answer): boolean =>
  headers['cache-control'] === 'no-store' ||
  headers['set-cookie'] !== undefined ||
  /type="hidden"|method="post"/.test(text);

export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly #service: Pick<Service, 'url'>;

  constructor(service: Pick<Service, 'url'>) {
    this.#service = service;
  }

  #headers(more: Readonly<Record<string, string>>): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return {
      'Accept-Language': 'el',
      'Accept-Encoding': 'gzip, br',
      ...(cookie ? { Cookie: cookie } : {}),
      ...more,
    };
  }

  #keep(answer: Answer): Answer {
    if (answer.headers['content-encoding'] && mayHoldSecret(answer))
      throw new Error(`${answer.path} may hold a secret and is compressed (BREACH)`);
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  async get(path: string): Promise<Answer> {
    const headers = this.#headers({});
    return this.#keep(await send(this.#service.url, { path, headers, outsideContract: true }));
  }

  async post(path: string, fields: Fields, more: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const headers = this.#headers({ 'Content-Type': 'application/x-www-form-urlencoded', ...more });
    const sent = posted(path, fields);
    const body = encoded(sent.fields);
    const wanted = { method: 'POST', path: sent.path, headers, body, outsideContract: true };
    return this.#keep(await send(this.#service.url, wanted));
  }

  /** Logs in on the page of a request and returns the page that follows. */
  async open(id: string, username = 'eleni', password = `${username}-demo`): Promise<Answer> {
    const login = await this.get(`/authorise/${id}`);
    await this.post(`/authorise/${id}/login`, { ...hiddenFields(login.text), username, password });
    return this.get(`/authorise/${id}`);
  }

  /** Presses the button that asks for a code, if the page has one. */
  async askForCode(id: string, page: Answer, fields: Fields = {}): Promise<Answer> {
    if (!asksForCode(page)) return page;
    return this.post(`/authorise/${id}/decision`, {
      ...hiddenFields(page.text),
      ...fields,
      decision: 'begin',
    });
  }

  /** Sends the form of a page, with its code, unless the fields say otherwise. */
  async decide(id: string, page: Answer, fields: Fields = {}): Promise<Answer> {
    const { decision = 'approve' } = fields;
    const shown = decision === 'approve' ? await this.askForCode(id, page, fields) : page;
    // What was entered is wrong, so no code was sent.
    if (shown !== page && shown.status !== 200) return shown;
    return this.post(`/authorise/${id}/decision`, {
      ...hiddenFields(shown.text),
      code: demoCodeOf(shown.text),
      decision,
      ...fields,
    });
  }
}

export const titleOf = ({ text }: Answer): string => /<h1>([^<]*)<\/h1>/.exec(text)?.[1] ?? '';
