/**
 * Which status of the interface is proven on which operation, and why the rest cannot occur. A tested status has a block
 * of its own, named by the status, in the tests of the operation.
 */

import type { OperationId } from '../support/operations.js';
import { type ReadId, readIds } from './ais/support.js';

export type Verdict = 'tested' | `impossible: ${string}`;

const everywhere = {
  200: 'tested',
  400: 'tested',
  401: 'tested',
  403: 'tested',
  404: 'tested',
  405: 'tested',
  406: 'tested',
  408: 'tested',
  415: 'tested',
  429: 'tested',
  500: 'tested',
  503: 'tested',
} as const satisfies Record<number, Verdict>;

const readHasNoConflict =
  'impossible: a read changes nothing and may repeat any X-Request-ID, so there is nothing to be in conflict with';

/** The four operations of the document, and the reads of account data. */
export type ListedId = OperationId | ReadId;

const forReads = <T>(value: T): Readonly<Record<ReadId, T>> =>
  Object.fromEntries(readIds.map((id) => [id, value])) as Record<ReadId, T>;

export const statuses: Readonly<Record<ListedId, Readonly<Record<number, Verdict>>>> = {
  confirmFunds: {
    ...everywhere,
    304: 'impossible: only the ATM read is conditional',
    409: 'tested',
  },
  getAtms: { ...everywhere, 304: 'tested', 409: readHasNoConflict },
  getConsentStatus: {
    ...everywhere,
    304: 'impossible: only the ATM read is conditional',
    409: readHasNoConflict,
  },
  getPaymentConsent: {
    ...everywhere,
    304: 'impossible: only the ATM read is conditional',
    409: readHasNoConflict,
  },
  getEvents: {
    ...everywhere,
    304: 'impossible: only the ATM read is conditional',
    409: readHasNoConflict,
  },
  ...forReads({
    ...everywhere,
    304: 'impossible: only the ATM read is conditional',
    409: readHasNoConflict,
  }),
};

/** Problems of a tested status that one operation cannot have, although another one can. */
export const impossibleProblems: Readonly<Record<ListedId, Readonly<Record<string, string>>>> = {
  ...forReads({}),
  getAccounts: { 'resource-not-found': 'there is no id in the path; what the consent covers is listed' },
  confirmFunds: {
    'resource-not-found': 'there is no id in the path; an unknown account is 403 consent-required',
  },
  getAtms: {
    'resource-not-found': 'there is one list and no id in the path',
    'insufficient-scope': 'open data takes any valid token',
    'role-not-permitted': 'open data is for every third party',
    'consent-required': 'open data needs no consent',
    'consent-not-valid': 'open data needs no consent',
  },
  getConsentStatus: {
    'consent-required': 'an absent consent is 404',
    'consent-not-valid': 'the status can be read in every state',
  },
  getPaymentConsent: {
    'consent-required': 'an absent consent is 404',
    'consent-not-valid': 'the record can be read in every state',
  },
  getEvents: {
    'resource-not-found': 'there is one feed and no id in the path',
    'product-not-subscribed': 'the feed is part of every subscription',
    'insufficient-scope': 'the feed takes any valid token of the application',
    'role-not-permitted': 'the feed is for every third party',
    'consent-required': 'the feed needs no consent',
    'consent-not-valid': 'the feed needs no consent',
  },
};
