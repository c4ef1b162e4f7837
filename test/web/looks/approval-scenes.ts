/** The approval journey from the login to what became of the request, and the logins of the authorization server. */
import { randomUUID } from 'node:crypto';
import { DAY } from '../../../src/lib/clock.js';
import { endOfDay } from '../../../src/lib/day.js';
import { approve, logIn, refuse, typeCode, ZONE } from '../../account-pages/approve-browser.js';
import {
  accessDetails,
  addRequest,
  paymentDetails,
  smallPayment,
  type WantedRequest,
} from '../../account-pages/approve-support.js';
import { addAccess } from '../../api/ais/support.js';
import { account, FINANCE, freshToken, ibanOf } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import type { Scene, Visit } from './scenes.js';

const back = (service: Service): string => `${service.url}/sandbox/return/${FINANCE}`;

const openRequest = async ({ service, open }: Visit, wanted: WantedRequest = {}): Promise<string> => {
  const address = back(service);
  const id = await addRequest(service, { redirectUri: address, nokRedirectUri: address, ...wanted });
  await open(`/authorise/${id}`);
  return id;
};

/** A call of the third party, with a token that is as young as the scene. */
const post = async (service: Service, path: string): Promise<void> => {
  const as = { psu: 'eleni', application: FINANCE };
  const headers = { Authorization: `Bearer ${await freshToken(service, as)}` };
  const { status } = await service.call({ method: 'POST', path, as, headers });
  if (status !== 201) throw new Error(`${path}: ${status}`);
};

const funds: WantedRequest = {
  kind: 'ConfirmationOfFunds',
  accounts: [account('eleni', 101)],
  details: {
    account: { iban: ibanOf('eleni', 101) },
    cardInformation: 'Visa Classic',
    registrationInformation: 'Αγορές',
  },
  expiresAt: endOfDay('2031-05-14', ZONE),
};

const international: WantedRequest = {
  details: {
    ...paymentDetails,
    paymentProduct: 'international',
    instructedAmount: { currency: 'USD', amount: 120 },
    remittanceInformation: 'Invoice 2041 for the translation of a very long contract, second half of it',
    expenses: { currency: 'USD', amount: 0.3 },
  },
};

const asked = (name: string, wanted: WantedRequest, username = 'eleni'): Scene => ({
  name: `approve: ${name}`,
  show: async (visit) => {
    await openRequest(visit, { psu: username, ...wanted });
    await logIn(visit.page, username);
  },
});

/** What a link says that is opened again after the decision. */
const decided = (name: string, decide: (visit: Visit) => Promise<void>): Scene => ({
  name: `outcome: ${name}`,
  show: async (visit) => {
    const id = await openRequest(visit, funds);
    await logIn(visit.page);
    await decide(visit);
    await visit.page.waitForURL('**/sandbox/return/**');
    await visit.open(`/authorise/${id}`);
  },
});

const approveIt = async ({ page }: Visit): Promise<void> => {
  await typeCode(page);
  await approve(page);
};

const returned = (name: string, decide: (visit: Visit) => Promise<void>): Scene => ({
  name: `return: ${name}`,
  isEnglishOnly: true,
  show: async (visit) => {
    await openRequest(visit, funds);
    await logIn(visit.page);
    await decide(visit);
    await visit.page.waitForURL('**/sandbox/return/**');
  },
});

const authorizePath = (service: Service): string =>
  `/oauth/authorize?${new URLSearchParams({
    client_id: FINANCE,
    response_type: 'code',
    scope: 'piis ais pis',
    redirect_uri: back(service),
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 'af0ifjsldkj',
  })}`;

const approvals: readonly Scene[] = [
  { name: 'login', show: async (visit) => void (await openRequest(visit)) },
  {
    name: 'login: demo people',
    show: async (visit) => {
      await openRequest(visit);
      await visit.page.locator('.demo-people summary').click();
    },
  },
  {
    name: 'login: refused',
    show: async (visit) => {
      await openRequest(visit);
      await logIn(visit.page, 'eleni', 'not this');
    },
  },
  asked('payment', {}),
  asked('payment, confirmed in the app', { accounts: [account('katerina', 501)] }, 'katerina'),
  {
    name: 'approve: waiting for the app',
    show: async (visit) => {
      await openRequest(visit, {
        psu: 'katerina',
        details: smallPayment,
        accounts: [account('katerina', 501)],
      });
      await logIn(visit.page, 'katerina');
      await approve(visit.page);
      await visit.page.waitForURL('**/waiting**');
    },
  },
  asked('international payment', international, 'nikos'),
  asked('international payment, no such currency', international),
  asked('account access', { kind: 'AccountAccess', details: accessDetails }),
  asked('account access, all of it', {
    kind: 'AccountAccess',
    accounts: [account('eleni', 101), account('eleni', 102)],
    details: {
      ...accessDetails,
      permissions: ['AccountsDetail', 'Balances', 'TransactionsDetail', 'Statements'],
      transactionFrom: '2025-01-01',
    },
    expiresAt: endOfDay('2027-01-31', ZONE),
  }),
  {
    name: 'approve: account access that ends earlier ones',
    show: async (visit) => {
      const [first, second] = [account('eleni', 101), account('eleni', 102)];
      for (const accounts of [[first], [first, second]]) await addAccess(visit.service, { accounts });
      await openRequest(visit, { kind: 'AccountAccess', details: accessDetails, isRecurring: true });
      await logIn(visit.page);
    },
  },
  asked('several currencies', { kind: 'AccountAccess', details: accessDetails }, 'nikos'),
  asked('funds', funds),
  asked('impossible', { ...funds, accounts: [account('nikos', 201)] }),
  asked('impossible payment', { accounts: [account('maria', 301)] }, 'maria'),
  {
    name: 'approve: errors',
    show: async (visit) => {
      await openRequest(visit, { ...funds, accounts: [], expiresAt: null });
      await logIn(visit.page);
      await visit.page.locator('button[value=begin]').click();
    },
  },
  {
    name: 'renewal',
    show: async ({ service, page, open }) => {
      const access = await addAccess(service, { scaAgeMs: 181 * DAY, accounts: [account('eleni', 101)] });
      await post(service, `/ais/psd2/v1/consents/${access.id}/authorisations`);
      await open(`/authorise/${access.id}`);
      await logIn(page);
    },
  },
];

const outcomes: readonly Scene[] = [
  decided('approved', approveIt),
  decided('refused', ({ page }) => refuse(page)),
  {
    name: 'outcome: too late',
    show: async (visit) => {
      await openRequest(visit, { createdAt: visit.service.clock.now() - 2 * DAY });
      await logIn(visit.page);
    },
  },
  {
    name: 'outcome: not found',
    show: async ({ page, open }) => {
      await open(`/authorise/${randomUUID()}`);
      await logIn(page);
    },
  },
  {
    name: 'outcome: paid',
    show: async (visit) => {
      const id = await openRequest(visit, {
        accounts: [account('eleni', 101)],
        details: {
          ...paymentDetails,
          creditAccount: { iban: ibanOf('vasilis', 1101) },
          instructedAmount: { currency: 'EUR', amount: 12.5 },
          debitAccount: { iban: ibanOf('eleni', 101) },
        },
      });
      await logIn(visit.page);
      await approveIt(visit);
      await visit.page.waitForURL('**/sandbox/return/**');
      await post(visit.service, `/pis/psd2/v1/${id}/payment`);
      await visit.open(`/authorise/${id}`);
    },
  },
  returned('approved', approveIt),
  returned('refused', ({ page }) => refuse(page)),
];

const authorizations: readonly Scene[] = [
  { name: 'oauth: login', show: ({ service, open }) => open(authorizePath(service)) },
  {
    name: 'oauth: returned with a code',
    isEnglishOnly: true,
    show: async ({ service, page, open }) => {
      await open(authorizePath(service));
      await logIn(page);
      await page.waitForURL('**/sandbox/return/**');
    },
  },
  { name: 'oauth: not known', show: ({ open }) => open('/oauth/authorize?client_id=nobody') },
];

export const approvalScenes: readonly Scene[] = [...approvals, ...outcomes, ...authorizations];
