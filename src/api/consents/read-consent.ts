/** Reading a consent, its status, and ending it: the same in the three areas, for the owning application and account holder. */

import type { TSchema } from 'typebox';
import { findConsent, findStatus } from '../../consent/consents.js';
import { isFinal, scaValidUntil, statusAt } from '../../consent/lifecycle.js';
import { moveConsent, settle } from '../../consent/move.js';
import { standingAt } from '../../consent/reason.js';
import type { Consent, ConsentKind } from '../../consent/record.js';
import { once, type ReplayParts, replayOf } from '../../gate/request-ids.js';
import { type Call, type Field, operation } from '../../http/operation.js';
import type { BankTime } from '../../lib/clock.js';
import { instantText } from '../../lib/instant.js';
import type { Area } from '../../model/caller.js';
import type { Regime } from '../../model/regime.js';
import { Problem } from '../../problem/problem.js';
import type { Queries } from '../../store/db.js';
import { credentialHeaders, psuHeaders, requestId, signatureHeaders } from '../headers.js';
import type { ConsentReadParts } from '../parts.js';
import { ConsentStatusResponse } from './schema.js';

/** Where consents of a kind live and what they are called. */
export interface ConsentPlace {
  readonly kind: ConsentKind;
  readonly area: Area;
  /** With the id's parameter at its end. */
  readonly path: string;
  readonly param: string;
  /** In operation ids and words: "FundsConsent", "funds consent". */
  readonly name: string;
  readonly noun: string;
}

/** "a funds consent", "an account access consent" */
const one = ({ noun }: ConsentPlace): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

const idField = (place: ConsentPlace): Field => ({
  name: place.param,
  schema: { type: 'string' },
  description: `Id of the ${place.noun} as returned when it was created.`,
});

const common = (place: ConsentPlace) => ({
  area: place.area,
  headers: [requestId, ...signatureHeaders, ...psuHeaders, ...credentialHeaders],
  query: [],
  params: [idField(place)],
});

const own = async (
  { db, bankTime }: ConsentReadParts,
  place: ConsentPlace,
  call: Call,
): Promise<{ consent: Consent; bankNow: BankTime }> => {
  const id = call.params[place.param] ?? '';
  const [bankNow, consent] = await Promise.all([
    bankTime(),
    findConsent(db.batchedReads, id, call.caller, place.kind),
  ]);
  if (!consent) throw new Problem('resource-not-found');
  return { consent, bankNow };
};

/** The record of a payment consent is the contract's and has none of these. */
const standingMembers = (consent: Consent, bankNow: BankTime, regime: Regime): object => {
  const { kind, approvedAt, scaAt, expiresAt } = consent;
  if (kind === 'PaymentInitiation') return {};
  const { status, ...why } = standingAt(consent, bankNow);
  const isOpen = kind === 'AccountAccess' && status === 'Valid' && scaAt !== null;
  const until = isOpen ? scaValidUntil({ scaAt, expiresAt }, regime) : undefined;
  return {
    ...(approvedAt === null ? {} : { approvedDate: instantText(approvedAt) }),
    ...(until === undefined ? {} : { scaValidUntil: instantText(until) }),
    ...why,
  };
};

export const getConsentRecord = (
  parts: ConsentReadParts,
  place: ConsentPlace,
  schema: TSchema,
  example: unknown,
) =>
  operation({
    ...common(place),
    id: `get${place.name}`,
    method: 'GET',
    path: place.path,
    ...(place.kind === 'PaymentInitiation' ? { isSpecified: true } : {}),
    summary: place.kind === 'PaymentInitiation' ? 'Get payment information' : `Get ${one(place)}`,
    description: `Reads ${one(place)} of the calling application and account holder, with its status and details.`,
    success: { status: 200, description: 'The record.', schema, example },
    repeat: 'ignored',
    async handle(call) {
      const { consent, bankNow } = await own(parts, place, call);
      const { kind, id, clientId, createdAt, details } = consent;
      const body = {
        type: kind,
        id,
        tpp: clientId,
        createdDate: instantText(createdAt),
        consentStatus: statusAt(consent, bankNow),
        ...standingMembers(consent, bankNow, parts.regime),
        details,
      };
      return { status: 200, body };
    },
  });

export const getConsentStatus = (parts: ConsentReadParts, place: ConsentPlace) =>
  operation({
    ...common(place),
    id: `get${place.name}Status`,
    method: 'GET',
    path: `${place.path}/status`,
    ...(place.kind === 'AccountAccess' ? { isSpecified: true } : {}),
    summary: place.kind === 'AccountAccess' ? 'Get consent status' : `Get the status of ${one(place)}`,
    description: `Reads the status of ${one(place)} of the calling application and account holder.`,
    success: {
      status: 200,
      description: 'The status.',
      schema: ConsentStatusResponse,
      example: { status: 'Valid' },
    },
    repeat: 'ignored',
    async handle(call) {
      const id = call.params[place.param] ?? '';
      const [bankNow, consent] = await Promise.all([
        parts.bankTime(),
        findStatus(parts.db.batchedReads, id, call.caller, place.kind),
      ]);
      if (!consent) throw new Problem('resource-not-found');
      return { status: 200, body: { status: statusAt(consent, bankNow) } };
    },
  });

const SUBMITTED = 'The payment was submitted and can no longer be ended; read its order instead.';

/** For the second of two concurrent deletions: the consent has already ended, as requested. */
const checkEnded = async (tx: Queries, place: ConsentPlace, call: Call): Promise<void> => {
  const consent = await findConsent(tx, call.params[place.param] ?? '', call.caller, place.kind);
  if (consent && isFinal(consent.status)) return;
  throw new Problem('state-conflict', { detail: 'The consent was changed at the same moment.' });
};

/** Ends a consent for good. Ending it again changes nothing and is answered alike. */
export const deleteConsent = (parts: ConsentReadParts & ReplayParts, place: ConsentPlace) =>
  operation({
    ...common(place),
    id: `end${place.name}`,
    method: 'DELETE',
    path: place.path,
    summary: `End ${one(place)}`,
    description: `Ends ${one(place)}: it becomes TerminatedByTpp, unless it is over already.`,
    success: { status: 204, description: 'It is over.' },
    problems: ['state-conflict'],
    repeat: 'replayed',
    async handle(call) {
      const earlier = await replayOf(parts, call);
      if (earlier) return earlier;
      const { consent, bankNow } = await own(parts, place, call);
      if (consent.submittedAt !== null) throw new Problem('state-conflict', { detail: SUBMITTED });
      return once(parts, call, async (tx) => {
        const status = await settle(tx, consent, bankNow);
        if (!isFinal(status)) {
          const move = {
            id: consent.id,
            psuId: consent.psuId,
            from: status,
            to: 'TerminatedByTpp',
            by: 'tpp',
            reason: 'ended-by-tpp',
          } as const;
          const isMoved = await moveConsent(tx, { ...move, at: bankNow, requestId: call.requestId });
          if (!isMoved) await checkEnded(tx, place, call);
        }
        return { status: 204 };
      });
    },
  });
