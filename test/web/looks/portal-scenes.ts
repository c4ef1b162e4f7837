/** The portal of a demo third party, with calls that went well and calls that did not. */
import { expect } from 'vitest';
import { VISITOR } from '../../portal/support.js';
import { send } from '../../support/client.js';
import { FUNDS, fundsBody } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import type { Scene, Visit } from './scenes.js';

const REGISTRATION = 'PSDGR-BOG-DEMO0002';
const CLIENT = 'demo-budget-app';
const RECEIVER = 'http://127.0.0.1:1/hook';

const prepare = async (service: Service): Promise<void> => {
  const { admin } = service.app;
  const as = { application: CLIENT };
  await service.call({ path: '/psd2/v1/opendata/atm', as });
  await service.call({ method: 'POST', path: FUNDS, body: { ...fundsBody(), instructedAmount: {} }, as });
  await service.call({ method: 'POST', path: FUNDS, body: fundsBody(), as, headers: { Authorization: '' } });
  const key = { 'Ocp-Apim-Subscription-Key': service.keyOf(CLIENT) };
  await send(service.url, { path: '/psd2/v1/atm', headers: key });
  await admin.setWebhook(CLIENT, { url: RECEIVER });
  await expect.poll(async () => (await admin.requests(CLIENT)).length).toBe(4);
};

const enter = async ({ page, service }: Visit): Promise<void> => {
  const { admin } = service.app;
  if ((await admin.requests(CLIENT)).length === 0) await prepare(service);
  const found = (await admin.tpps()).find(({ registration }) => registration === REGISTRATION);
  await page.context().addCookies([{ name: VISITOR, value: found?.id ?? '', url: service.url }]);
};

const portal = (name: string, path: string, press?: string): Scene => ({
  name: `portal: ${name}`,
  show: async (visit) => {
    await enter(visit);
    await visit.open(path);
    if (press !== undefined) await visit.page.locator(press).click();
  },
});

const own = `/portal/applications/${CLIENT}`;

export const portalScenes: readonly Scene[] = [
  portal('overview', '/portal'),
  portal('new application', '/portal', 'form[action*="/applications?"] button'),
  portal('keys', own, 'form[action*="/secret?"] button'),
  portal('application', own),
  portal('refused address', own, 'form[action*="/redirects?"] button'),
  portal('log', `${own}/log`),
  portal('usage', `${own}/usage`),
  portal('notifications', `${own}/webhook`, 'form[action*="/test?"] button'),
  portal('certificates', '/portal/certificates', 'form[action*="/certificates?"] button'),
];
