/** Every page that account holders meet, in the states that differ, with the demo people and their consents. */
import { derivedId, newId } from 'trapeza/base';
import { demoPsus } from '../bank/people.js';
import type { Visitor } from './visitor.js';

export interface PreviewScene {
  readonly name: string;
  show(visitor: Visitor): Promise<void>;
}

const APP = 'demo-finance-app';
const access = derivedId(`consent:access:${APP}:Received`);
const payment = derivedId(`consent:payment:${APP}:Received`);
const savings = demoPsus[0]?.accounts.find(({ product }) => product === 'Savings account')?.iban;
const funds = derivedId(`consent:funds:eleni:${savings}`);
const waiting = derivedId('past:katerina:waiting');

const requestPath = (id: string): string => `/authorise/${id}`;

const request = (name: string, id: string, username = 'eleni'): PreviewScene => ({
  name,
  show: (visitor) => visitor.logIn(requestPath(id), username),
});

const decided = (
  name: string,
  { id, username = 'eleni' }: { readonly id: string; readonly username?: string },
  entered: Readonly<Record<string, string>>,
): PreviewScene => ({
  name,
  show: async (visitor) => {
    await visitor.logIn(requestPath(id), username);
    if ('code' in entered)
      await visitor.send(`${requestPath(id)}/decision`, { ...entered, decision: 'begin' });
    await visitor.send(`${requestPath(id)}/decision`, { decision: 'approve', ...entered });
  },
});

const overview = (name: string, path: string, username = 'eleni'): PreviewScene => ({
  name,
  show: async (visitor) => {
    await visitor.enterOverview(username);
    await visitor.open(`/dashboard${path}`);
  },
});

const plain = (name: string, path: string): PreviewScene => ({
  name,
  show: (visitor) => visitor.open(path),
});

const permission = `/permissions/${derivedId(`consent:access:${APP}:Valid`)}`;

export const previewScenes: readonly PreviewScene[] = [
  plain('Login', requestPath(payment)),
  {
    name: 'Login refused',
    show: (visitor) => visitor.logIn(requestPath(payment), 'eleni', 'not this one'),
  },
  request('Payment', payment),
  request('Account access', access),
  request('Balance checks', funds),
  request('Account access, confirmed in the app', waiting, 'katerina'),
  decided('Waiting for the app', { id: waiting, username: 'katerina' }, {}),
  decided('Nothing entered', { id: funds }, { account: '', term: '', code: '' }),
  decided('Payment, code sent', { id: payment }, { decision: 'begin' }),
  decided('Wrong code', { id: payment }, { code: '000000' }),
  request('Approved before', derivedId(`consent:payment:${APP}:Valid`)),
  request('Refused before', derivedId(`consent:access:${APP}:Rejected`)),
  request('Expired', derivedId(`consent:access:${APP}:Expired`)),
  request('Paid', derivedId('past:eleni:payment:ACSC')),
  request('Not paid', derivedId('past:eleni:payment:RJCT')),
  request('Not found', newId()),
  plain('Overview: login', '/dashboard'),
  { name: 'Overview: confirm', show: (visitor) => visitor.logIn('/dashboard', 'eleni') },
  {
    name: 'Overview: code',
    show: async (visitor) => {
      await visitor.logIn('/dashboard', 'eleni');
      await visitor.send('/dashboard/code', { send: 'begin' });
    },
  },
  overview('Overview: permissions', ''),
  overview('Overview: one app', `/apps/${APP}`),
  overview('Overview: one permission', permission),
  overview('Overview: withdraw?', `${permission}/withdraw`),
  overview('Overview: payments', '/payments'),
  overview('Overview: days that are wrong', '/payments?from=2027-01-01&to=2026-01-01'),
  overview('Overview: balance checks', '/funds'),
  overview('Overview: account reads', '/accesses'),
  overview('Overview: nothing yet', '/payments', 'kostas'),
  plain('App not known', '/oauth/authorize?client_id=nobody'),
  plain('Accessibility statement', '/accessibility'),
];
