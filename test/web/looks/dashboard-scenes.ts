/** The dashboard: the way in, every list with and without entries, a permission, and its withdrawal. */

import { logIn, typeCode } from '../../account-pages/approve-browser.js';
import { addRequest } from '../../account-pages/approve-support.js';
import { addAccess, askForFunds, DASHBOARD } from '../../account-pages/dashboard/support.js';
import { ABROAD, approved, submit } from '../../payment/support.js';
import { account } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import type { Scene, Visit } from './scenes.js';

const enter = async ({ page, open }: Visit, username = 'eleni'): Promise<void> => {
  await open(DASHBOARD);
  await logIn(page, username);
  await typeCode(page);
  await page.locator('form.sections .actions button').click();
  await page.locator('.tabs').waitFor();
};

/** Fills the lists of uses, which the demo bank begins without. */
export const prepareUses = async (service: Service): Promise<void> => {
  for (const [index, amount] of [12.5, 5000, 99.99].entries())
    await askForFunds(service, amount, index === 1 ? {} : { payee: 'Super Market Ο Κήπος του Νότου ΑΕ' });
  const consentId = service.consent('AccountAccess').id;
  for (const kind of ['accounts', 'transactions'] as const)
    await addAccess(service, { consentId, kind, at: service.clock.now(), isAttended: kind === 'accounts' });
};

const inside = (name: string, pathOf: (visit: Visit) => string, username?: string): Scene => ({
  name: `dashboard: ${name}`,
  show: async (visit) => {
    await enter(visit, username);
    await visit.open(`${DASHBOARD}${pathOf(visit)}`);
  },
});

const permissionOf = ({ service }: Visit): string => `/permissions/${service.consent('AccountAccess').id}`;

export const dashboardScenes: readonly Scene[] = [
  { name: 'dashboard: login', show: ({ open }) => open(DASHBOARD) },
  {
    name: 'dashboard: code',
    show: async ({ page, open }) => {
      await open(DASHBOARD);
      await logIn(page);
    },
  },
  {
    name: 'dashboard: code missing',
    show: async ({ page, open }) => {
      await open(DASHBOARD);
      await logIn(page);
      await page.locator('form.sections .actions button').click();
    },
  },
  inside('permissions', () => ''),
  inside('one person, one account', () => '', 'petros'),
  inside('one app', ({ service }) => `/apps/${service.consent('AccountAccess').application}`),
  inside('payments', () => '/payments?q=app'),
  inside('wrong days', () => '/payments?from=2027-01-01&to=2026-01-01'),
  inside('permission', permissionOf),
  inside('withdraw?', (visit) => `${permissionOf(visit)}/withdraw`),
  {
    name: 'dashboard: withdrawn',
    show: async (visit) => {
      const id = await addRequest(visit.service, {
        status: 'Valid',
        psu: 'anna',
        accounts: [account('anna', 902)],
      });
      await enter(visit, 'anna');
      await visit.open(`${DASHBOARD}/permissions/${id}/withdraw`);
      await visit.page.locator('main form button').last().click();
      await visit.page.locator('[role=status]').waitFor();
    },
  },
  inside('block all?', () => '/blocks/all/add'),
  ...(['blocked', 'lift?'] as const).map(
    (name): Scene => ({
      name: `dashboard: ${name}`,
      show: async (visit) => {
        await enter(visit, 'anna');
        await visit.open(`${DASHBOARD}/blocks/all/add`);
        await visit.page.locator('main form.decision button').click();
        await visit.page.locator('[role=status]').waitFor();
        if (name === 'lift?') await visit.open(`${DASHBOARD}/blocks/all/lift`);
      },
    }),
  ),
  {
    name: 'dashboard: cancel?',
    show: async (visit) => {
      const body = { creditAccount: { iban: ABROAD } };
      const id = await approved(visit.service, { product: 'international', body });
      await submit(visit.service, id);
      await enter(visit);
      await visit.open(`${DASHBOARD}/permissions/${id}/cancel`);
    },
  },
  inside('funds', () => '/funds?from=2026-01-01'),
  inside('accesses', () => '/accesses?from=2026-01-01'),
  inside('no funds', () => '/funds', 'kostas'),
];
