/** What an extension of the service is, how a command starts it, and the rooms that an extension may ask. */

export { clearRecords } from '../admin/clear-records.js';
export { type App, startApp } from '../app/app.js';
export type { Extension, ExtensionBase, ExtensionParts, OpenExtension, PageParts } from '../app/extension.js';
export { type Atm, LOCATION_CATEGORIES, type LocationCategory, MINIMUM_VALUES } from '../atms/atm.js';
export { publishAtms, publishAtmsIn } from '../atms/publication.js';
export { canonicalAtm } from '../atms/publishable.js';
export { addPortOption, runServer } from '../cli/serve.js';
export { type AskedConsent, findAsked, shownHash } from '../consent/asked.js';
export { claimForSubmission, insertConsent, type NewConsent } from '../consent/consents.js';
export { addAccess } from '../consent/data-accesses.js';
export {
  approveConsent,
  type DecisionOutcome,
  pendingDecision,
  refuseConsent,
  renewConsent,
  withdrawConsent,
} from '../consent/decide.js';
export { addFundsRecord } from '../consent/funds/records.js';
export { statusAt } from '../consent/lifecycle.js';
export {
  type ConsentAccount,
  type ConsentKind,
  type ConsentStatus,
  consentAccount,
  consentStatuses,
  permissions,
} from '../consent/record.js';
export { normalTarget, targetFault } from '../events/target.js';
export { checkHeadersAndQuery } from '../gate/message.js';
export {
  asksCertificate,
  checkDigest,
  checkSignature,
  createExamine,
  isSignable,
  type SignedCall,
} from '../gate/signature.js';
export { redirectFault } from '../lib/net/redirect.js';
export { ACCESS_TOKEN_SECONDS } from '../oauth/access-token.js';
export { errorFields } from '../observe/log.js';
export { insertOrder, moveOrder } from '../payment/orders.js';
export { payerFault, termsOf } from '../payment/payable.js';
export { askPersonalTerms } from '../payment/personal-terms.js';
export { orderStatuses } from '../payment/record.js';
export type { DeveloperPortal } from '../portal/developer/port.js';
export { SESSION_COOKIE, type Session, Sessions } from '../psu/sessions.js';
export { digestOf } from '../signature/digest.js';
export type { SignatureCheck, SignatureVerifier } from '../signature/verify.js';
export { putChannelDays } from '../statistics/channels.js';
export { Counts } from '../statistics/counts.js';
export { type NodeSpan, putNotes } from '../statistics/notes.js';
export { insertCertificate } from '../tpp/certificates.js';
export { redirectUrisColumn } from '../tpp/columns.js';
export { findNumber, hasKey } from '../tpp/registrant-keys.js';
export { createApplication, createSubscription, createTpp, removeTpp } from '../tpp/registry.js';
export { type Addresses, setAddresses } from '../tpp/webhook.js';
