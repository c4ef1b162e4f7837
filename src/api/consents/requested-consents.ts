/**
 * Consents out of an authorization request: an entry of `authorization_details` has the members of the body of the operation
 * that creates such a consent, and is checked, drafted and stored by the same code.
 */
import type { TObject } from 'typebox';
import { findConsent, receiveConsent } from '../../consent/consents.js';
import {
  bindToInteraction,
  findInteractionConsent,
  type InteractionConsent,
} from '../../consent/interaction-consents.js';
import { statusAt } from '../../consent/lifecycle.js';
import type { ConsentKind } from '../../consent/record.js';
import { parseJson } from '../../http/json.js';
import { type Validator, validator } from '../../http/validate.js';
import type { BankTime, Clock } from '../../lib/clock.js';
import type { ClientId } from '../../model/ids.js';
import {
  type ConsentRequests,
  type Detail,
  type DetailType,
  type InteractionDecision,
  ONE_ENTRY,
} from '../../oauth/authorization-details.js';
import { interactionHash, lockInteraction } from '../../oauth/records.js';
import { type FieldErrors, fieldFault, isNoneOf } from '../../problem/field.js';
import { Problem } from '../../problem/problem.js';
import type { Db } from '../../store/db.js';
import { AccountConsentDetails, accountDrafting } from '../ais/create-account-consent.js';
import { FundsConsentDetails, fundsDrafting } from '../piis/create-funds-consent.js';
import { paymentDrafting, paymentProducts } from '../pis/create-payment-consent.js';
import { PaymentDetailsSchema } from '../pis/schema.js';
import {
  creationBody,
  type Drafting,
  type DraftParts,
  receivedConsent,
  withoutPurpose,
} from './create-consent.js';

export interface RequestParts extends DraftParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly bankTime: () => Promise<BankTime>;
}

/** The kind of each type, and the public members of its consent. */
const kinds: Readonly<Record<DetailType, { readonly kind: ConsentKind; readonly details: TObject }>> = {
  account_access: { kind: 'AccountAccess', details: AccountConsentDetails },
  funds_confirmation: { kind: 'ConfirmationOfFunds', details: FundsConsentDetails },
  payment_initiation: { kind: 'PaymentInitiation', details: PaymentDetailsSchema },
};

interface Checked {
  readonly drafting: Drafting;
  readonly faultsOf: Validator;
}

const checked = (drafting: Drafting): Checked => ({ drafting, faultsOf: validator(creationBody(drafting)) });

const access = checked(accountDrafting);
const funds = checked(fundsDrafting);
const payments: ReadonlyMap<unknown, Checked> = new Map<unknown, Checked>(
  paymentProducts.map((product) => [product, checked(paymentDrafting(product))]),
);

/** How an entry is drafted, and its body without what picks that. Undefined for a product that does not exist. */
const readEntry = ({ type, ...body }: Detail): (Checked & { readonly body: object }) | undefined => {
  if (type !== 'payment_initiation') return { ...(type === 'account_access' ? access : funds), body };
  const { paymentProduct, ...order } = body;
  const payment = payments.get(paymentProduct);
  return payment && { ...payment, body: order };
};

const MAX_FAULT_TEXT = 600;

/** RFC 6749 allows neither quotes nor anything outside ASCII in a description. */
const faultText = (errors: FieldErrors): string =>
  Object.entries(errors)
    .flatMap(([at, faults]) => faults.map(({ message }) => `${at} ${message}`))
    .join('; ')
    .replace(/["\\]/g, "'")
    .replace(/[^ -~]/g, '?')
    .slice(0, MAX_FAULT_TEXT);

const faultOf = async (
  parts: RequestParts,
  entries: string,
  clientId: ClientId,
): Promise<string | undefined> => {
  try {
    // As strict as with a body: depth, width, and what may stand in a text.
    const [detail, ...more] = parseJson(Buffer.from(entries)) as Detail[];
    if (!detail || more.length > 0) return ONE_ENTRY;
    const entry = readEntry(detail);
    if (!entry) return faultText({ paymentProduct: [isNoneOf(paymentProducts)] });
    const errors = entry.faultsOf(entry.body);
    if (errors) return faultText(errors);
    await entry.drafting.check?.(parts, withoutPurpose(entry.body).body, await parts.bankTime(), clientId);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem) || error.kind.status !== 400) throw error;
    const { errors, detail = error.slug } = error.details;
    return faultText(errors ?? { authorization_details: [fieldFault('format', detail)] });
  }
};

const decisionOf = (consent: InteractionConsent, bankNow: BankTime): InteractionDecision['decision'] => {
  const status = statusAt(consent, bankNow);
  if (status === 'Received') return 'open';
  return status === 'Valid' ? 'approved' : 'refused';
};

const interactionDecision = (consent: InteractionConsent, bankNow: BankTime): InteractionDecision => ({
  id: consent.id,
  psuId: consent.psuId,
  decision: decisionOf(consent, bankNow),
});

const begin = async (
  parts: RequestParts,
  ...[uid, caller, detail]: Parameters<ConsentRequests['begin']>
): Promise<InteractionDecision | undefined> => {
  const bankNow = await parts.bankTime();
  const entry = readEntry(detail);
  if (!entry) throw new Error('an entry that was checked has no kind');
  const { purpose, body } = withoutPurpose(entry.body);
  const draft = await entry.drafting.draft(parts, caller, body, bankNow);
  const hash = interactionHash(uid);
  return parts.db.transaction(async (tx) => {
    if (!(await lockInteraction(tx, hash, parts.clock.now()))) return undefined;
    const known = await findInteractionConsent(tx, hash, caller.clientId);
    if (known) return interactionDecision(known, bankNow);
    const consent = receivedConsent(draft, caller, parts, bankNow);
    const history = [{ from: null, to: 'Received', by: 'tpp', reason: 'created', at: bankNow } as const];
    await receiveConsent(parts.db.engine, tx, { ...consent, purpose, history });
    await bindToInteraction(tx, consent, hash);
    return interactionDecision(consent, bankNow);
  });
};

/** Only members of the contract leave the store. */
const publicMembers = (details: object, { properties }: TObject): object =>
  Object.fromEntries(Object.entries(details).filter(([name]) => Object.hasOwn(properties, name)));

export const createConsentRequests = (parts: RequestParts): ConsentRequests => ({
  faultOf: (entries, clientId) => faultOf(parts, entries, clientId),
  begin: (...request) => begin(parts, ...request),
  find: async (uid, clientId) => {
    const consent = await findInteractionConsent(parts.db, interactionHash(uid), clientId);
    return consent && interactionDecision(consent, await parts.bankTime());
  },
  granted: async ({ type, consentId }, caller) => {
    const { kind, details } = kinds[type];
    const consent = await findConsent(parts.db, consentId, caller, kind);
    if (!consent) return { type, consentId };
    const consentStatus = statusAt(consent, await parts.bankTime());
    return { type, consentId, consentStatus, ...publicMembers(consent.details, details) };
  },
});
