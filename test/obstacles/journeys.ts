/** Every journey of an account holder, as people walk it, with what it may cost at most and the clauses that say so. */
import type { Page } from 'playwright-core';
import { accessDetails, addRequest, type WantedRequest } from '../account-pages/approve-support.js';
import { addAccess } from '../api/ais/support.js';
import { accessDetail, ask, paymentDetail } from '../oauth/authorization-details/journey.js';
import { discover, startAuthorization } from '../oauth/provider-journey.js';
import { ABROAD, stage as stagePayment } from '../payment/support.js';
import { account, FINANCE, ibanOf } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { withStore } from '../support/use-service.js';
import type { Count, Walker } from './walker.js';

export interface Stage {
  readonly service: Service;
  readonly page: Page;
  readonly walker: Walker;
  /** Where the third party waits. */
  readonly redirectUri: string;
}

export interface Journey {
  readonly name: string;
  readonly clauses: string;
  /** One authentication, unless it says otherwise. */
  readonly atMost: Pick<Count, 'screens' | 'inputs' | 'clicks'> & Partial<Pick<Count, 'authentications'>>;
  /** What the address of the third party says at the end; absent if the journey ends at the bank. */
  readonly back?: string;
  walk(stage: Stage): Promise<void>;
}

const ACCOUNTS = 'EBA/OP/2020/10 (34), Q&A 2021_5763; PSR 44(1)(j)';
const ONE_SCA = 'RTS 32(3); EBA/OP/2020/10 (26); PSR 44(1)(h), (l)';

const approve = async ({ walker }: Stage, accounts?: string): Promise<void> => {
  await walker.see();
  if (accounts !== undefined) await walker.pick(accounts);
  await walker.enterCode();
  await walker.press('button[value=approve]');
};

export const openRequest = async (
  { service, page, redirectUri }: Stage,
  wanted: WantedRequest,
): Promise<void> => {
  const id = await addRequest(service, { redirectUri, nokRedirectUri: redirectUri, ...wanted });
  await page.goto(`${service.url}/authorise/${id}`);
};

const asked = (wanted: WantedRequest, accounts?: string) => async (stage: Stage) => {
  await openRequest(stage, wanted);
  await stage.walker.logIn();
  await approve(stage, accounts);
};

export const access: WantedRequest = { kind: 'AccountAccess', details: accessDetails };
const funds: WantedRequest = {
  kind: 'ConfirmationOfFunds',
  accounts: [account('eleni', 101)],
  details: { account: { iban: ibanOf('eleni', 101) } },
};
export const ANY_ACCOUNT = 'input[name=account]:not([disabled])';

const authorize = (details: object) => async (stage: Stage) => {
  const { service, page, walker } = stage;
  const { url } = await ask(service, await discover(service), { details, withPar: true });
  await page.goto(url.href);
  await walker.logIn();
  await approve(stage, ANY_ACCOUNT);
};

const payAbroad = async (stage: Stage): Promise<void> => {
  const { service, page, walker } = stage;
  const instructedAmount = { currency: 'USD', amount: 100 };
  const payee = { creditAccount: { iban: ABROAD }, creditorName: 'Buchhandlung Morgenstern' };
  const body = { debitAccount: undefined, ...payee, instructedAmount };
  const { json } = await stagePayment(service, { product: 'international', body });
  await page.goto(`${service.url}/authorise/${(json as { consentId: string }).consentId}`);
  await walker.logIn();
  await approve(stage, ANY_ACCOUNT);
};

/** As many bills as somebody pays on one evening. */
const payTenTimes = async (stage: Stage): Promise<void> => {
  for (let paid = 0; paid < 10; paid += 1) {
    await openRequest(stage, { accounts: [account('eleni', 101)] });
    if (paid === 0) await stage.walker.logIn();
    await approve(stage);
    await stage.page.waitForURL((url) => url.search.includes('result=approved'));
  }
};

export const renew = async (stage: Stage): Promise<void> => {
  const { service, page, walker, redirectUri } = stage;
  const { id, as } = await addAccess(service, { accounts: [account('eleni', 101)] });
  await service.call({ method: 'POST', path: `/ais/psd2/v1/consents/${id}/authorisations`, as });
  await withStore(service, (db) =>
    db.run('update consents set redirect_uri = ? where id = ?', [redirectUri, id]),
  );
  await page.goto(`${service.url}/authorise/${id}`);
  await walker.logIn();
  await approve(stage);
};

const tokenFirst = async (stage: Stage): Promise<void> => {
  const { service, page, walker } = stage;
  const { url } = await startAuthorization(service, await discover(service));
  await page.goto(url.href);
  await walker.logIn();
  await page.waitForURL('**/sandbox/return/**');
  await openRequest(stage, access);
  await approve(stage, ANY_ACCOUNT);
};

const withdraw = async ({ service, page, walker }: Stage): Promise<void> => {
  // A person whose permissions no other walk adds to: an app with several is one page more.
  const theirs = { psu: 'kostas', accounts: [account('kostas', 801)] };
  const id = await addRequest(service, { ...access, status: 'Valid', ...theirs });
  await page.goto(`${service.url}/dashboard`);
  await walker.logIn(theirs.psu);
  await walker.see();
  await walker.enterCode();
  await walker.press('form.sections .actions button');
  await walker.see();
  // As deep as a link leads: to the app, to its permission, to the withdrawal.
  const ways = [`a[href$="/${id}/withdraw"]`, `a[href$="/permissions/${id}"]`, `main a[href*="${FINANCE}"]`];
  for (let steps = 0; steps < ways.length && !page.url().endsWith('/withdraw'); steps += 1) {
    const found = await Promise.all(ways.map((way) => page.locator(way).count()));
    await walker.press(ways[found.findIndex((count) => count > 0)] ?? 'no way on');
    await walker.see();
  }
  await walker.press('main form.decision button');
  await page.locator('[role=status]').waitFor();
};

const refuse = async (stage: Stage): Promise<void> => {
  await openRequest(stage, {});
  await stage.walker.logIn();
  await stage.walker.see();
  await stage.walker.press('button[value=refuse]');
};

export const journeys: readonly Journey[] = [
  {
    name: 'Account access',
    clauses: `RTS 32(3), 36(1)(a); ${ACCOUNTS}`,
    atMost: { screens: 2, inputs: 4, clicks: 3 },
    back: 'result=approved',
    walk: asked(access, ANY_ACCOUNT),
  },
  {
    name: 'Account access, one redirect (RAR)',
    clauses: `${ONE_SCA}; ${ACCOUNTS}`,
    atMost: { screens: 2, inputs: 4, clicks: 3 },
    back: 'code=',
    walk: authorize(accessDetail),
  },
  {
    name: 'Account access, token and consent apart',
    clauses: `${ONE_SCA}; DNB Q&A 2023-07-05 (no second login)`,
    atMost: { screens: 2, inputs: 4, clicks: 3 },
    back: 'result=approved',
    walk: tokenFirst,
  },
  {
    name: 'Renewal of account access',
    clauses: 'RTS 10a',
    atMost: { screens: 2, inputs: 3, clicks: 3 },
    back: 'result=approved',
    walk: renew,
  },
  {
    name: 'Confirmation of funds',
    clauses: 'PSD2 Art. 65; RTS 36(1)(c); PSR 44(1)(j)',
    atMost: { screens: 2, inputs: 4, clicks: 3 },
    back: 'result=approved',
    walk: asked({ ...funds, expiresAt: null }, 'input[name=term][value=open]'),
  },
  {
    name: 'Payment, domestic',
    clauses: ONE_SCA,
    atMost: { screens: 2, inputs: 4, clicks: 3 },
    back: 'result=approved',
    walk: asked({}, ANY_ACCOUNT),
  },
  {
    name: 'Payment, the app names the account',
    clauses: ONE_SCA,
    atMost: { screens: 2, inputs: 3, clicks: 3 },
    back: 'result=approved',
    walk: asked({ accounts: [account('eleni', 101)] }),
  },
  {
    name: 'Ten payments, one after the other',
    clauses: ONE_SCA,
    atMost: { screens: 11, authentications: 10, inputs: 12, clicks: 21 },
    back: 'result=approved',
    walk: payTenTimes,
  },
  {
    name: 'Payment, one redirect (RAR)',
    clauses: ONE_SCA,
    atMost: { screens: 2, inputs: 4, clicks: 3 },
    back: 'code=',
    walk: authorize(paymentDetail),
  },
  {
    name: 'Payment, international',
    clauses: ONE_SCA,
    atMost: { screens: 2, inputs: 4, clicks: 3 },
    back: 'result=approved',
    walk: payAbroad,
  },
  {
    name: 'Refusal',
    clauses: 'PSR 44(1)(j); DNB Q&A 2023-07-05; EBA/OP/2020/10 (16)',
    atMost: { screens: 2, inputs: 2, clicks: 2 },
    back: 'result=refused',
    walk: refuse,
  },
  {
    name: 'Withdrawal on the dashboard',
    clauses: 'PSR 43',
    atMost: { screens: 4, inputs: 3, clicks: 5 },
    walk: withdraw,
  },
];
