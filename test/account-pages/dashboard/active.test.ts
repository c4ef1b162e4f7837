/** The overview has every permission that an app may use now, with the figures of these alone. */
import { expect, test } from 'vitest';
import { momentText } from '../../../src/account-pages/approve/format.js';
import { DAY, HOUR } from '../../../src/lib/clock.js';
import { account, FINANCE } from '../../support/operations.js';
import { useService } from '../../support/use-service.js';
import { addRequests } from '../approve-support.js';
import { addAccess, enter } from './support.js';

const use = useService();

test('all active permissions are shown, and an ended one adds neither to their number nor to their use', async () => {
  const now = use().clock.now();
  const kostas = [account('kostas', 801)];
  const funds = { kind: 'ConfirmationOfFunds', psu: 'kostas', accounts: kostas, details: {} } as const;
  const times = { createdAt: now - 9 * DAY, approvedAt: now - 8 * DAY };
  const active = await addRequests(
    use(),
    Array.from({ length: 14 }, () => ({ ...funds, ...times, status: 'Valid' as const })),
  );
  const [ended = ''] = await addRequests(use(), [{ ...funds, ...times, status: 'Expired' }]);
  const used = { kind: 'accounts', isAttended: true } as const;
  await addAccess(use(), { ...used, consentId: ended, at: now - HOUR, psu: 'kostas' });
  await addAccess(use(), { ...used, consentId: active[0] ?? '', at: now - 3 * DAY, psu: 'kostas' });
  const { text } = await (await enter(use(), 'kostas')).get('/dashboard');
  const card = text.slice(text.indexOf(`id="app-${FINANCE}"`)).replace(/<\/section>.*/s, '');
  for (const id of active) expect(card).toContain(`/permissions/${id}`);
  expect(card).not.toContain(`/permissions/${ended}`);
  const shown = card.match(/\/permissions\/[0-9a-f-]{36}"/g) ?? [];
  expect(card).toContain(`${new Set(shown).size} άδειες σε ισχύ από τις `);
  expect(card).toContain(`τελευταία χρήση ${momentText(now - 3 * DAY, 'el-GR', 'Europe/Athens')}<`);
});
