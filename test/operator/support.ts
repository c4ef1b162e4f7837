/** An operator who has set up an account, and a payment that needs a decision. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { OperatorRole } from '../../src/acts/role.js';
import { totpCode } from '../../src/lib/totp.js';
import type { Caller } from '../../src/model/caller.js';
import { insertOrder } from '../../src/payment/orders.js';
import type { Service } from '../support/service.js';
import { withStore } from '../support/use-service.js';
import { Visitor } from './visitor.js';

const PAYMENT_CONSENT = `
  select id as "consentId", client_id as "clientId", psu_id as "psuId" from consents
  where kind like 'Payment%' and status = 'Valid' and id not in (select consent_id from payment_orders) limit 1`;
/** Whatever a job has made of it. */
export const UNRESOLVE = `
  update payment_orders set status = 'RCVD', unresolved_at = 1, look_again_at = 9999999999999 where id = ?`;
const PASSPHRASE = 'a long passphrase';

export const enrolOperator = async (service: Service, name: string, role: OperatorRole): Promise<Visitor> => {
  const link = await service.app.admin.addOperator(name, { role });
  const visitor = new Visitor(service.app.consoleUrl);
  const page = await visitor.get(`/operator/enrol/${link}`);
  const totp = /<code>([A-Z2-7 ]{39})<\/code>/.exec(page.body)?.[1]?.replaceAll(' ', '') ?? '';
  const form = { passphrase: PASSPHRASE, code: totpCode(totp, service.clock.now()) };
  const done = await visitor.post(`/operator/enrol/${link}`, form);
  expect(done.status).toBe(303);
  expect((await visitor.get(`/operator/enrol/${link}`)).status).toBe(404);
  return visitor;
};

export const insertPayment = (service: Service): Promise<string> =>
  withStore(service, async (db) => {
    const id = randomUUID();
    const consent = await db.one<{ consentId: string; clientId: string; psuId: string }>(PAYMENT_CONSENT);
    if (!consent) throw new Error('the sandbox has no payment');
    const { consentId: of, ...caller } = consent;
    const order = { id, consentId: of, caller: caller as Caller, at: service.clock.now() };
    await db.transaction((tx) => insertOrder(tx, order));
    return id;
  });
