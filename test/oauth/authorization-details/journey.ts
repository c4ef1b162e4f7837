/** The way of an account holder through an authorization that asks for a consent: login, approval page, back. */
import type * as client from 'openid-client';
import { asksForCode, cardValues, demoCodeOf, hiddenFields } from '../../account-pages/approve-support.js';
import type { Answer } from '../../support/client.js';
import { ibanOf } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';
import {
  type AuthorizationWish,
  type Authorized,
  Browser,
  formOf,
  passwordOf,
  type Started,
  startAuthorization,
} from '../provider-journey.js';

export const accessDetail = {
  type: 'account_access',
  permissions: ['AccountsBasic', 'Balances'],
  recurring: true,
};
export const fundsDetail = { type: 'funds_confirmation', account: { iban: ibanOf('eleni', 102) } };
export const paymentDetail = {
  type: 'payment_initiation',
  paymentProduct: 'domestic',
  creditAccount: { iban: ibanOf('vasilis', 1101) },
  creditorName: 'Βασίλης Αλεξίου',
  instructedAmount: { currency: 'EUR', amount: 12.5 },
};

export interface Wish extends Omit<AuthorizationWish, 'more'> {
  /** One entry, or all of them, or whatever text. */
  readonly details: unknown;
  readonly more?: Readonly<Record<string, string>>;
}

/** The address that the application sends its customer to. Without a scope, unless one is wished for. */
export const ask = async (
  service: Service,
  configuration: client.Configuration,
  { details, scope = '', more = {}, ...wish }: Wish,
): Promise<Started> => {
  const entries = Array.isArray(details) || typeof details === 'string' ? details : [details];
  const text = typeof entries === 'string' ? entries : JSON.stringify(entries);
  return startAuthorization(service, configuration, {
    ...wish,
    scope,
    more: { ...more, authorization_details: text },
  });
};

export interface Approving extends Started {
  readonly browser: Browser;
  /** The approval page, and its path. */
  readonly page: Answer;
  readonly path: string;
  readonly consentId: string;
}

const APPROVAL = /^\/authorise\/([0-9a-f-]{36})$/;

/** Sends the login form of a page. */
export const sendLogin = (service: Service, browser: Browser, login: Answer, username = 'eleni') => {
  const { action, token } = formOf(login);
  const form = { form_token: token, username, password: passwordOf(service, username) };
  return browser.visit(action, form);
};

/** From the application to the approval page. */
export const toApproval = async (
  service: Service,
  configuration: client.Configuration,
  { psu, ...wish }: Wish & { readonly psu?: string },
): Promise<Approving> => {
  const started = await ask(service, configuration, wish);
  const browser = new Browser(service.url);
  const { page: login } = await browser.visit(started.url.href);
  const { page } = await sendLogin(service, browser, login, psu);
  const consentId = APPROVAL.exec(page.path)?.[1];
  if (!consentId) throw new Error(`no approval page: ${page.status} ${page.path} ${page.text.slice(0, 300)}`);
  return { ...started, browser, page, path: page.path, consentId };
};

/** The fields of the approval form, with everything filled in. */
export const decisionForm = (page: Answer, more: Readonly<Record<string, string>> = {}) => ({
  ...hiddenFields(page.text),
  account: cardValues(page.text)[0] ?? '',
  term: 'open',
  code: demoCodeOf(page.text),
  decision: 'approve',
  ...more,
});

type Shown = Pick<Approving, 'browser' | 'path' | 'page'>;

/** The page with a code, which is asked for now if there is none. */
export const withCode = async (
  { browser, path, page }: Shown,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  asksForCode(page)
    ? (await browser.visit(`${path}/decision`, decisionForm(page, { ...more, decision: 'begin' }))).page
    : page;

export const decide = async (
  approving: Shown,
  more: Readonly<Record<string, string>> = {},
): Promise<Awaited<ReturnType<Browser['visit']>>> => {
  const { browser, path, page } = approving;
  const isApproval = (more.decision ?? 'approve') === 'approve';
  const shown = isApproval ? await withCode(approving, more) : page;
  // There is nothing more to decide.
  if (shown !== page && shown.status !== 200) return { page: shown };
  return browser.visit(`${path}/decision`, decisionForm(shown, more));
};

/** To the address of the application, with a code. */
export const approve = async (approving: Approving): Promise<Authorized> => {
  const { leftTo, page } = await decide(approving);
  if (!leftTo) throw new Error(`the approval ended with ${page.status}: ${page.text.slice(0, 400)}`);
  return { ...approving, callback: leftTo };
};

export interface StoredConsent {
  readonly id: string;
  readonly status: string;
  readonly psu_id: string;
  readonly redirect_uri: string | null;
  readonly steps: readonly string[];
}

const BEGUN = `select id, status, psu_id, redirect_uri from consents
  where interaction_uid is not null order by created_at, id`;
const STEPS = 'select to_status from consent_history where consent_id = ? order by position';

/** All consents that began within an authorization, with the statuses they reached. */
export const begunConsents = (service: Service): Promise<StoredConsent[]> =>
  withStore(service, async (db) => {
    const rows = await db.all<Omit<StoredConsent, 'steps'>>(BEGUN);
    return Promise.all(
      rows.map(async (row) => {
        const steps = await db.all<{ to_status: string }>(STEPS, [row.id]);
        return { ...row, steps: steps.map((step) => step.to_status) };
      }),
    );
  });
