/**
 * Requests that differ: thousands of account holders, consents and tokens of dozens of applications. Each is kept in two halves,
 * between which the load program writes a fresh X-Request-ID.
 */
import type { Dataset } from './data.js';
import type { Kind } from './report/result.js';

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

/** The ids of a person's consents are derived from the same number. */
const linesOf = (kind: Kind, index: number, person: Dataset['people'][number], etag: string): string[] => {
  if (kind === 'funds')
    return ['POST /piis/psd2/v1/funds-confirmations HTTP/1.1', bodyOf(index, person.iban)];
  if (kind === 'status') return [`GET /ais/psd2/v1/consents/${person.accessId}/status HTTP/1.1`];
  if (kind === 'payment') return [`GET /pis/psd2/v1/${person.paymentId} HTTP/1.1`];
  const query = kind === 'atms-304' ? `?if_None_Match=${encodeURIComponent(etag)}` : '';
  return [`GET /psd2/v1/opendata/atm${query} HTTP/1.1`];
};

export const requestsOf = (kind: Kind, data: Dataset, tokens: readonly string[]): Split[] =>
  data.people.map((person, index) => {
    const [line = '', body] = linesOf(kind, index, person, data.etag);
    const head = [
      line,
      'Host: bench.example',
      `Ocp-Apim-Subscription-Key: ${person.key}`,
      `Authorization: Bearer ${tokens[index]}`,
      'Accept: application/json',
      'User-Agent: bench/1.0',
      'X-Request-ID: ',
    ].join('\r\n');
    const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
    const type = body === undefined ? [] : ['Content-Type: application/json-patch+json'];
    return { head, tail: ['', ...type, ...length, '', body ?? ''].join('\r\n') };
  });
