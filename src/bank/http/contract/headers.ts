/** The headers of the contract that have a meaning of their own. */

/** The consent on whose behalf a question is asked. */
export const CONSENT_ID = 'Consent-ID';
/** The person for whom a question about an account is asked. */
export const PSU_ID = 'PSU-ID';
/** The language of the person, `el` or `en`: for texts that the bank writes to this person or that they read here. */
export const LANGUAGE = 'Accept-Language';
/** What the bank wants to be reminded of with every later question on the same consent. */
export const CONSENT_DATA = 'Bank-Consent-Data';
/** The application of the third party that asks. What it tells about the person comes beside it, under its own names. */
export const APPLICATION_ID = 'Application-ID';
/** The trace that the call of the third party belongs to (W3C). */
export const TRACE = 'traceparent';
/** The moment after which a payment must not be begun any more: another node may be asking about it by then. */
export const NOT_AFTER = 'Not-After';
/** Bank time, which a simulator follows. Sent by the sandbox alone. */
export const SANDBOX_TIME = 'Sandbox-Time';
