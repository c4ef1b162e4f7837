/** The first call a newcomer pastes: a token, then the ATMs. */
import type { DemoApplication } from './applications.js';

/** Reads a token out of the answer with what is surely installed. */
export const tokenCommand = (baseUrl: string): string =>
  `TOKEN=$(curl -s -X POST ${baseUrl}/sandbox/tokens | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;

export const firstCall = (baseUrl: string, [application]: readonly DemoApplication[]): string =>
  [
    tokenCommand(baseUrl),
    `curl -s ${baseUrl}/psd2/v1/opendata/atm \\`,
    `  -H 'Ocp-Apim-Subscription-Key: ${application?.subscriptionKey}' \\`,
    `  -H "Authorization: Bearer $TOKEN"`,
  ].join('\n');
