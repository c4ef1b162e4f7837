/** What a client does about a problem: a closed list, so that code can act without knowing every problem. */
interface AdviceKind {
  /** For headings and tables. */
  readonly title: string;
  /** Sending the very same request again can succeed. */
  readonly isRetryable: boolean;
  readonly text: string;
}

export const advices = {
  repeat: {
    title: 'Repeat the request',
    isRetryable: true,
    text: 'Send the same request again with the same X-Request-ID after the seconds in Retry-After. It is never carried out twice. If it still fails after several attempts, stop and tell the bank the X-Request-ID.',
  },
  wait: {
    title: 'Wait, then repeat',
    isRetryable: true,
    text: 'Nothing was done. Send the same request again after the seconds in Retry-After, which may be hours.',
  },
  'refresh-token': {
    title: 'Refresh the token',
    isRetryable: false,
    text: 'Get a new access token with the refresh token and send the request again, once. If the token endpoint answers invalid_grant, or the new token is refused as well, send the account holder to the authorization endpoint.',
  },
  authorize: {
    title: 'Authorize again',
    isRetryable: false,
    text: 'Send the account holder to the authorization endpoint and ask for the scope that WWW-Authenticate names. Refreshing the token does not help.',
  },
  'ask-account-holder': {
    title: 'Let the account holder decide',
    isRetryable: false,
    text: 'Send the account holder to the scaRedirect of the consent, and send the request again once its status is Valid. An event tells the change of status.',
  },
  'renew-consent': {
    title: 'Let the account holder authenticate',
    isRetryable: false,
    text: 'POST to the authorisations of the consent, send the account holder to the scaRedirect of the answer, then send the request again. The consent stays as it is.',
  },
  'ask-for-less': {
    title: 'Ask for less',
    isRetryable: false,
    text: 'Send a new request for no more than the extensions of the problem allow. Do not bother the account holder with it, unless they ask for more.',
  },
  'new-consent': {
    title: 'Create a new consent',
    isRetryable: false,
    text: 'Create a consent that covers the request, send the account holder to its scaRedirect, then send the request with the new consent.',
  },
  'read-existing': {
    title: 'Read what is there',
    isRetryable: false,
    text: 'The resource is in another state than the request expects. Read it and go on from its state; do not send the request again.',
  },
  'start-over': {
    title: 'Start over',
    isRetryable: false,
    text: 'Nothing is wrong with the program: what it was given before works no longer. Begin again with the first request, such as the first page of the list.',
  },
  'fix-request': {
    title: 'Fix the request',
    isRetryable: false,
    text: 'Stop and alert a developer: the program or its configuration has a mistake. Nothing was done.',
  },
  'contact-bank': {
    title: 'Contact the bank',
    isRetryable: false,
    text: 'Stop and alert somebody who can talk to the bank: only the bank can change this.',
  },
} as const satisfies Record<string, AdviceKind>;

export type Advice = keyof typeof advices;
