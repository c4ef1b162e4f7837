/** Consents to try on: known ones of the credentials, or new ones that the account holder decides about. */
import { NotRun } from '../verdict.js';
import type { Bank, Caller } from './bank.js';
import type { ConsentType } from './credentials.js';
import type { Answer } from './http.js';
import type { Decision, Staged } from './person.js';

export const creationPaths: Readonly<Record<ConsentType, string>> = {
  ConfirmationOfFunds: '/piis/psd2/v1/consents',
  AccountAccess: '/ais/psd2/v1/consents',
  PaymentInitiation: '/pis/psd2/v1/transfers/domestic',
};

export const consentPath = (type: ConsentType, id: string): string =>
  type === 'PaymentInitiation' ? `/pis/psd2/v1/${id}` : `${creationPaths[type]}/${id}`;

export const REMITTANCE = 'Conformance 1';

/** A small one of its kind. */
export const creationBody = (bank: Bank, type: ConsentType): Record<string, unknown> => {
  if (type === 'AccountAccess')
    return {
      permissions: ['AccountsDetail', 'Balances', 'TransactionsDetail', 'Statements'],
      recurring: false,
    };
  const { iban, currency } = bank.given('account');
  if (type === 'ConfirmationOfFunds') return { account: { iban } };
  const creditor = bank.given('creditor');
  return {
    endToEndId: 'conformance-1',
    debitAccount: { iban },
    creditAccount: { iban: creditor.iban },
    creditorName: creditor.name,
    instructedAmount: { currency, amount: 1 },
    remittanceInformation: REMITTANCE,
  };
};

export interface Wish {
  readonly as?: Caller;
  readonly body?: Record<string, unknown>;
  readonly headers?: Readonly<Record<string, string | null>>;
}

/** The document names creation by its purpose only: a bank that has it at no such address is not judged by that. */
export const create = async (
  bank: Bank,
  type: ConsentType,
  { as, body, headers }: Wish = {},
): Promise<Answer> => {
  const path = creationPaths[type];
  const answer = await bank.call({
    method: 'POST',
    path,
    body: body ?? creationBody(bank, type),
    ...(as ? { as } : {}),
    ...(headers ? { headers } : {}),
  });
  if (answer.status === 404) throw new NotRun(`the bank has no ${path}`);
  return answer;
};

interface Created {
  readonly consentId?: unknown;
  readonly _links?: { readonly scaRedirect?: { readonly href?: string } };
}

export const stagedIn = ({ json }: Answer): Staged => {
  const { consentId, _links } = (json ?? {}) as Created;
  if (typeof consentId !== 'string') throw new NotRun('a created consent has no consentId');
  return { id: consentId, address: _links?.scaRedirect?.href };
};

export const end = (bank: Bank, type: ConsentType, id: string, as?: Caller): Promise<Answer> =>
  bank.call({ method: 'DELETE', path: consentPath(type, id), ...(as ? { as } : {}) });

/** Received; ended after the case. */
export const stage = async (bank: Bank, type: ConsentType, wish: Wish = {}): Promise<Staged> => {
  const answer = await create(bank, type, wish);
  if (answer.status !== 201) throw new NotRun(`POST ${creationPaths[type]} answered ${answer.status}`);
  const staged = stagedIn(answer);
  bank.leftovers.push(() => end(bank, type, staged.id, wish.as));
  return staged;
};

export const decided = async (
  bank: Bank,
  type: ConsentType,
  decision: Decision,
  wish: Wish = {},
): Promise<Staged> => {
  const staged = await stage(bank, type, wish);
  await bank.person.decide(staged, decision === 'revoke' ? 'approve' : decision);
  if (decision === 'revoke') await bank.person.decide(staged, 'revoke');
  return staged;
};

/** One that stays for all cases: of the credentials if they have one, else a new one. */
export const validConsent = (bank: Bank, type: ConsentType, wish: Wish = {}): Promise<string> =>
  bank.once(`an approved ${type} consent`, async () => {
    const known = bank.credentials.consents?.find((each) => each.type === type && each.status === 'Valid');
    if (known) return known.id;
    const { id } = await decided(bank, type, 'approve', wish);
    bank.leftovers.pop();
    return id;
  });

/** In any status. */
export const anyConsent = (bank: Bank, type: ConsentType): Promise<string> =>
  bank.once(`a ${type} consent`, async () => {
    const known = bank.credentials.consents?.find((each) => each.type === type);
    if (known) return known.id;
    const { id } = await stage(bank, type);
    bank.leftovers.pop();
    return id;
  });
