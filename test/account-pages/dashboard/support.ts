/** Visitors of the dashboard, and the uses of permissions that they find there. */
import { randomUUID } from 'node:crypto';
import type { AccessKind } from '../../../src/consent/uses.js';
import type { Answer } from '../../support/client.js';
import { account, FINANCE, FUNDS, fundsBody, psuId } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';
import { asksForCode, demoCodeOf, hiddenFields, Visitor } from '../approve-support.js';

export const DASHBOARD = '/dashboard';

export class DashboardVisitor extends Visitor {
  /** The first factor alone: returns the page that asks for the code. */
  async logIn(username = 'eleni', password = `${username}-demo`): Promise<Answer> {
    const login = await this.get(DASHBOARD);
    await this.post(`${DASHBOARD}/login`, { ...hiddenFields(login.text), username, password });
    return this.sendCode(await this.get(DASHBOARD));
  }

  /** Presses the button that asks for a code, if the page has one. */
  async sendCode(page: Answer, action = `${DASHBOARD}/code`): Promise<Answer> {
    return asksForCode(page) ? this.post(action, { ...hiddenFields(page.text), send: 'begin' }) : page;
  }

  tryCode(page: Answer, code = demoCodeOf(page.text)): Promise<Answer> {
    return this.post(`${DASHBOARD}/code`, { ...hiddenFields(page.text), code });
  }

  /** Both factors: returns the list of permissions. */
  async enter(username = 'eleni'): Promise<Answer> {
    await this.tryCode(await this.logIn(username));
    return this.get(DASHBOARD);
  }

  async withdraw(id: string): Promise<Answer> {
    const page = await this.get(`${DASHBOARD}/permissions/${id}/withdraw`);
    return this.post(`${DASHBOARD}/permissions/${id}/withdraw`, hiddenFields(page.text));
  }
}

export const enter = async (service: Service, username = 'eleni'): Promise<DashboardVisitor> => {
  const visitor = new DashboardVisitor(service);
  await visitor.enter(username);
  return visitor;
};

/** A question of a third party about the first account of the first account holder. */
export const askForFunds = (
  service: Service,
  amount: number,
  more: { readonly application?: string; readonly payee?: string } = {},
): Promise<Answer> =>
  service.call({
    method: 'POST',
    path: FUNDS,
    body: fundsBody({
      instructedAmount: { currency: 'EUR', amount },
      ...(more.payee === undefined ? {} : { payee: more.payee }),
    }),
    as: { psu: 'eleni', application: more.application ?? FINANCE },
  });

export interface WantedAccess {
  readonly consentId: string;
  readonly kind: AccessKind;
  readonly at: number;
  readonly isAttended?: boolean;
  readonly isOfAll?: boolean;
  readonly psu?: string;
}

/** An access to data, written down as the API does. */
export const addAccess = (service: Service, wanted: WantedAccess): Promise<number> =>
  withStore(service, (db) =>
    db.run(
      `insert into data_accesses (id, consent_id, client_id, psu_id, account_id, kind, attended, request_id, accessed_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        randomUUID(),
        wanted.consentId,
        FINANCE,
        psuId(wanted.psu ?? 'eleni'),
        wanted.isOfAll ? null : account('eleni', 101).id,
        wanted.kind,
        wanted.isAttended ? 1 : 0,
        randomUUID(),
        wanted.at,
      ],
    ),
  );
