/** What a third party of a campaign knows of its consents and payments, and answers that fit it. */
import { type Answer, slugOf } from '../../../support/client.js';

export const kinds = {
  funds: { path: '/piis/psd2/v1/consents', create: '/piis/psd2/v1/consents' },
  access: { path: '/ais/psd2/v1/consents', create: '/ais/psd2/v1/consents' },
  payment: { path: '/pis/psd2/v1', create: '/pis/psd2/v1/transfers/domestic' },
} as const;

export const orderPath = (consentId: string): string => `${kinds.payment.path}/${consentId}/payment`;

export interface KnownConsent {
  readonly id: string;
  readonly kind: keyof typeof kinds;
  /** Every status it had; the last is the present one. */
  readonly statuses: string[];
}

export interface KnownPayment {
  readonly consentId: string;
  readonly paymentId: string;
  status: string;
}

export const statusOf = (consent: KnownConsent): string => consent.statuses.at(-1) ?? '';

/** The bank itself ends the consent of a payment that is settled. */
export const possibleStatuses = (consent: KnownConsent, payments: readonly KnownPayment[]): string[] => {
  const isPaid = payments.some(({ consentId }) => consentId === consent.id);
  return isPaid ? [statusOf(consent), 'Expired'] : [statusOf(consent)];
};

/** Undefined if the answer is right, else what was expected. */
export type Judgement = (answer: Answer) => string | undefined;

export const is =
  (...statuses: number[]): Judgement =>
  ({ status }) =>
    statuses.includes(status) ? undefined : statuses.join(' or ');

export const problem =
  (status: number, ...slugs: string[]): Judgement =>
  (answer) =>
    answer.status === status && slugs.includes(slugOf(answer))
      ? undefined
      : `${status} ${slugs.join(' or ')}`;

/** With exactly this body. */
export const body =
  (status: number, text: string): Judgement =>
  (answer) =>
    answer.status === status && answer.text === text ? undefined : `${status} ${text}`;

/** 200 with a body of which this is true. */
export const found =
  <T>(said: string, isRight: (json: T) => boolean): Judgement =>
  ({ status, json }) =>
    status === 200 && isRight(json as T) ? undefined : `200 ${said}`;

export interface Listed {
  readonly accounts: { readonly iban?: string; readonly resourceId: string }[];
}
export interface Balances {
  readonly balances: { readonly balanceType: string; readonly balanceAmount: { readonly amount: number } }[];
}
export interface Order {
  readonly paymentId: string;
  readonly transactionStatus: string;
}

export const amountOf = (minor: number): number => Number(`${minor}e-2`);
