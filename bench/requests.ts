/**
 * Requests that differ: thousands of account holders, consents and tokens of dozens of applications. Each is kept in two halves,
 * between which the load program writes a fresh X-Request-ID.
 */
import type { Dataset } from './data.js';

export type Kind = 'funds' | 'status';

export interface Split {
  readonly head: string;
  readonly tail: string;
}

const amounts = [4.2, 12, 19.99, 25.5, 60, 149.9, 310, 999.95, 2500, 12_000];
const payees = ['Βιβλιοπωλείο Αθηνά', 'Super Market Ήλιος', 'Taxi Πειραιάς', 'Cafe Nero'];

const bodyOf = (index: number, iban: string): string =>
  JSON.stringify({
    account: { iban },
    payee: payees[index % payees.length],
    instructedAmount: { currency: 'EUR', amount: amounts[index % amounts.length] },
  });

export const requestsOf = (
  kind: Kind,
  { people }: Pick<Dataset, 'people'>,
  tokens: readonly string[],
): Split[] =>
  people.map((person, index) => {
    const isFunds = kind === 'funds';
    const head = [
      isFunds
        ? 'POST /piis/psd2/v1/funds-confirmations HTTP/1.1'
        : `GET /ais/psd2/v1/consents/${person.accessId}/status HTTP/1.1`,
      'Host: bench.example',
      `Ocp-Apim-Subscription-Key: ${person.key}`,
      `Authorization: Bearer ${tokens[index]}`,
      'Accept: application/json',
      'User-Agent: bench/1.0',
      'X-Request-ID: ',
    ].join('\r\n');
    const body = isFunds ? bodyOf(index, person.iban) : '';
    const content = isFunds
      ? ['Content-Type: application/json-patch+json', `Content-Length: ${Buffer.byteLength(body)}`]
      : [];
    return { head, tail: ['', ...content, '', body].join('\r\n') };
  });
