/** Problems of who asks: credentials that must change (401) and things that are not allowed (403). */
import type { ProblemKind } from './kind.js';

export const accessProblems = {
  'subscription-key-missing': {
    status: 401,
    title: 'Subscription key missing',
    code: 'SUBSCRIPTION_KEY_MISSING',
    advice: 'fix-request',
    when: 'The request has no Ocp-Apim-Subscription-Key header.',
    remedy: 'Send the primary or secondary key of your subscription in the Ocp-Apim-Subscription-Key header.',
  },
  'subscription-key-invalid': {
    status: 401,
    title: 'Subscription key not accepted',
    code: 'SUBSCRIPTION_KEY_INVALID',
    advice: 'fix-request',
    when: 'The subscription key is unknown or was replaced.',
    remedy: 'Use a current key of your subscription; roll it if it was lost.',
  },
  'token-missing': {
    status: 401,
    title: 'Access token missing',
    code: 'TOKEN_MISSING',
    advice: 'fix-request',
    when: 'The request has no Authorization header with a Bearer token.',
    remedy: 'Send "Authorization: Bearer <access token>" with a token from the authorization code grant.',
  },
  'token-invalid': {
    status: 401,
    title: 'Access token not accepted',
    code: 'TOKEN_INVALID',
    advice: 'refresh-token',
    exception: {
      advice: 'fix-request',
      when: 'the token is bound to a certificate or a key: send it with that certificate, or with a new proof',
    },
    when: 'The access token is malformed, revoked, meant for another service, or bound to another certificate or key than the call was made with.',
    remedy: 'Get a new token; send a bound one with its certificate, or as DPoP with a new proof.',
  },
  'token-expired': {
    status: 401,
    title: 'Access token expired',
    code: 'TOKEN_EXPIRED',
    advice: 'refresh-token',
    when: 'The access token is genuine, but its time is over.',
    remedy: 'Get a new one with the refresh token. expires_in of the token response says how long it lives.',
  },
  'token-of-another-application': {
    status: 401,
    title: 'Access token of another application',
    code: 'TOKEN_UNKNOWN',
    advice: 'fix-request',
    when: 'The access token was issued to another application than the one that owns the subscription key.',
    remedy: 'Send key and token of the same application. A new token of the same client does not help.',
  },
  'signature-required': {
    status: 401,
    title: 'Signature required',
    code: 'SIGNATURE_MISSING',
    advice: 'fix-request',
    when: 'The bank demands that this request is signed.',
    remedy:
      'Sign the request and send Digest, Signature and TPP-Signature-Certificate; /docs/guides/signatures has samples to paste.',
  },
  'signature-invalid': {
    status: 401,
    title: 'Signature not accepted',
    code: 'SIGNATURE_INVALID',
    advice: 'fix-request',
    when: 'The signature cannot be read, covers too little, is too old, or is not the one of this request and this certificate. The check that failed is in extensions.signature.failed.',
    remedy:
      'Build the signing string from the headers exactly as they are sent and sign it with the key of the certificate. In the sandbox, POST /sandbox/signature-check shows the signing string that the bank builds; /docs/guides/signatures has samples to paste.',
  },
  'certificate-invalid': {
    status: 401,
    title: 'Certificate not accepted',
    code: 'CERTIFICATE_INVALID',
    advice: 'fix-request',
    when: 'The certificate of the signature or of the connection is missing, expired, revoked, not trusted, not yours, or without the role of the area. The check of a signature that failed is in extensions.signature.failed, and the code of the reason in extensions.error.code.',
    remedy:
      'Use a valid qualified certificate of your organisation from a trusted provider. In the sandbox, POST /sandbox/pki/certificates issues one, and POST /sandbox/signature-check shows every check of a certificate with its verdict.',
  },
  'access-blocked': {
    status: 403,
    title: 'Access blocked',
    code: 'SERVICE_BLOCKED',
    advice: 'contact-bank',
    when: 'The bank has suspended this third party, application or key.',
    remedy: 'Contact the bank.',
  },
  'product-not-subscribed': {
    status: 403,
    title: 'Product not subscribed',
    code: 'PRODUCT_NOT_SUBSCRIBED',
    advice: 'contact-bank',
    when: 'The subscription of this key does not include the API area that was called.',
    remedy: 'Ask the bank to add the product to your subscription, or use the key of another one.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'Token scope not sufficient',
    code: 'INSUFFICIENT_SCOPE',
    advice: 'authorize',
    when: 'The access token was granted without the scope of this API area.',
    remedy:
      'Request a token with the scope that WWW-Authenticate names; it is the name of the area: piis, ais or pis.',
  },
  'role-not-permitted': {
    status: 403,
    title: 'Role not permitted',
    code: 'ROLE_INVALID',
    advice: 'contact-bank',
    when: 'The third party is not registered with the role that this API area demands.',
    remedy: 'Call only areas of your registered roles: PSP_IC for piis, PSP_AI for ais, PSP_PI for pis.',
  },
  'consent-required': {
    status: 403,
    title: 'No consent for this account',
    code: 'CONSENT_UNKNOWN',
    advice: 'new-consent',
    when: 'No consent of this application and account holder covers the account.',
    remedy: 'Have the account holder approve a consent for this account and this kind of data first.',
  },
  'consent-not-valid': {
    status: 403,
    title: 'Consent is not valid',
    code: 'CONSENT_INVALID',
    advice: 'new-consent',
    exception: {
      advice: 'ask-account-holder',
      when: 'extensions.consent.status is Received',
    },
    when: 'A consent exists, but its status does not allow this use; extensions.consent.status names it.',
    remedy: 'Wait for the approval of a Received consent; in any other status create a new consent.',
  },
  'sca-renewal-required': {
    status: 403,
    title: 'Account holder must authenticate again',
    code: 'SCA_RENEWAL_REQUIRED',
    advice: 'renew-consent',
    when: 'The account holder has not authenticated for 180 days (PSD2; a bank that applies the PSR leaves this to the third party and never answers so). extensions.consent.scaValidUntil says since when account data is closed.',
    remedy:
      'POST to extensions._links.startAuthorisation and send the account holder to the scaRedirect of the answer. The consent stays Valid.',
  },
  'history-needs-authentication': {
    status: 403,
    title: 'Older history needs an authentication',
    code: 'HISTORY_NEEDS_AUTHENTICATION',
    advice: 'ask-for-less',
    exception: {
      advice: 'renew-consent',
      when: 'extensions.history has no dateFrom: all days of the consent are more than 90 days ago',
    },
    when: 'Days before the last 90 are given only within 60 minutes of an authentication of the account holder. extensions.history.dateFrom is the first day that can be read without one.',
    remedy:
      'Read from extensions.history.dateFrom on. If the account holder is there and wants the older days, POST to extensions._links.startAuthorisation, send the account holder to the scaRedirect of the answer, and repeat the read within 60 minutes.',
  },
} as const satisfies Record<string, ProblemKind>;
