/** The journeys in the other ways to confirm and to log in, and those that end without an approval. */
import { DAY } from '../../src/lib/clock.js';
import { approve, localService, logIn, openDevice, typeCode } from '../account-pages/approve-browser.js';
import { smallPayment } from '../account-pages/approve-support.js';
import { OpenIdProvider } from '../bank/authentication/openid-provider.js';
import { psuId } from '../support/operations.js';
import { withStore } from '../support/use-service.js';
import { ANY_ACCOUNT, access, type Journey, openRequest, renew, type Stage } from './journeys.js';

const EVERY_WAY = 'RTS 30(2), 32(3); EBA/OP/2020/10 (14), (15), (26); PSR 44(1)(h), (i), (k), (l)';
const NO_SCREEN = 'DNB Q&A 2023-07-05 (no redirection screen)';
const BACK_BY_ITSELF = 'EBA/OP/2020/10 (16); DNB Q&A 2023-07-05';

/** As the person who chose this way the last time. */
const inWay = async ({ service, walker }: Stage, username: string, method: string): Promise<void> => {
  await withStore(service, (db) =>
    db.run(
      'insert into last_methods (psu_id, method_id, used_at) values (?, ?, ?) on conflict (psu_id) do update set method_id = excluded.method_id',
      [psuId(username), method, service.clock.now()],
    ),
  );
  await walker.logIn(username);
  await walker.see();
  await walker.pick(ANY_ACCOUNT);
  await walker.press('button[value=approve]');
  walker.count.authentications += 1;
};

const inApp = async (stage: Stage): Promise<void> => {
  const { service, page, walker } = stage;
  await openRequest(stage, { psu: 'katerina', details: smallPayment });
  await inWay(stage, 'katerina', 'app');
  await walker.see();
  const phone = await page.context().newPage();
  await phone.goto(`${service.url}/sandbox/phone`);
  await phone.locator('button[value=right]').first().click();
  await phone.locator('.callout.good').waitFor();
};

const withPasskey = async (stage: Stage): Promise<void> => {
  const { service, page } = stage;
  await openDevice(page);
  await page.goto(`${service.url}/dashboard`);
  await logIn(page);
  await typeCode(page);
  await page.locator('form.sections button.button').first().click();
  await page.locator('nav.tabs').waitFor();
  await page.goto(`${service.url}/sandbox/devices`);
  await page.locator('input[data-request] ~ p button').click();
  await page.locator('button[name=remove]').waitFor();
  await page.context().clearCookies();
  await openRequest(stage, {});
  await inWay(stage, 'eleni', 'passkey');
  await page.waitForURL((url) => url.search.includes('result='));
  await withStore(service, (db) => db.run('delete from demo_passkeys'));
};

const atProvider = async (stage: Stage): Promise<void> => {
  await openRequest(stage, { psu: 'dimitris', details: smallPayment });
  await inWay(stage, 'dimitris', 'bank-login');
  await stage.walker.see();
  await stage.walker.press('button[value=right]');
};

/** At a service of its own. */
const elsewhere =
  (env: Readonly<Record<string, string>>, walk: (stage: Stage) => Promise<void>) => async (stage: Stage) => {
    const service = await localService('sqlite', env);
    try {
      await walk({ ...stage, service });
      await stage.page.waitForURL((url) => url.search.includes('result='));
    } finally {
      await service.close();
    }
  };

/** The login and the confirmation are the provider's; its own pages are not counted. */
const ownLogin = async (stage: Stage): Promise<void> => {
  const provider = new OpenIdProvider();
  await provider.up();
  provider.visit = { sub: psuId('eleni') };
  const env = {
    TRAPEZA_LOGIN_ISSUER: provider.issuer,
    TRAPEZA_LOGIN_CLIENT_ID: 'trapeza',
    TRAPEZA_LOGIN_CLIENT_SECRET: 'secret',
  };
  const walk = elsewhere(env, async (there) => {
    const { walker } = there;
    await openRequest(there, access);
    walker.count.logins += 1;
    await walker.see();
    await walker.pick(ANY_ACCOUNT);
    await walker.enterCode();
    await approve(there.page);
    walker.count.clicks += 1;
  });
  try {
    await walk(stage);
  } finally {
    await provider.down();
  }
};

/** What a person reads who comes too late, and the way back from there. */
const over =
  (wanted: Parameters<typeof openRequest>[1]) =>
  async (stage: Stage): Promise<void> => {
    const { service, walker } = stage;
    await openRequest(stage, { ...wanted, createdAt: service.clock.now() - 2 * DAY });
    await walker.logIn();
    await walker.see();
    await walker.press('.outcome a.button');
  };

const one = { screens: 2, inputs: 3, clicks: 2 };

export const otherJourneys: readonly Journey[] = [
  {
    name: 'Payment, confirmed in the bank’s app',
    clauses: EVERY_WAY,
    atMost: { ...one, screens: 3 },
    back: 'result=approved',
    walk: inApp,
  },
  {
    name: 'Payment, confirmed with a passkey',
    clauses: EVERY_WAY,
    atMost: one,
    back: 'result=approved',
    walk: withPasskey,
  },
  {
    name: 'Payment, confirmed at the bank’s OpenID login',
    clauses: EVERY_WAY,
    atMost: { ...one, screens: 3, clicks: 3 },
    back: 'result=approved',
    walk: atProvider,
  },
  {
    name: 'Account access, logged in at the bank’s OpenID provider',
    clauses: `${EVERY_WAY}; ${NO_SCREEN}`,
    atMost: { screens: 1, inputs: 2, clicks: 2 },
    back: 'result=approved',
    walk: ownLogin,
  },
  {
    name: 'Renewal that a third party asks for (`psr`)',
    clauses: 'PSR 86(4)',
    atMost: { ...one, clicks: 3 },
    back: 'result=approved',
    walk: elsewhere({ TRAPEZA_REGIME: 'psr' }, renew),
  },
  {
    name: 'A request that nobody decided in time',
    clauses: BACK_BY_ITSELF,
    atMost: { screens: 2, inputs: 2, clicks: 2 },
    back: 'result=expired',
    walk: over({}),
  },
  {
    name: 'A request that the app has ended',
    clauses: BACK_BY_ITSELF,
    atMost: { screens: 2, inputs: 2, clicks: 2 },
    back: 'result=failed',
    walk: over({ status: 'TerminatedByTpp' }),
  },
];
