/** Funds consents that the seed does not have: put into the store as the approval pages would. */
import { randomUUID } from 'node:crypto';
import type { DemoAccount } from '../../packages/sandbox/src/bank/people.js';
import { insertConsent } from '../../src/consent/consents.js';
import type { ConsentStatus } from '../../src/consent/record.js';
import { HOUR } from '../../src/lib/clock.js';
import { Vault } from '../../src/lib/vault.js';
import { FINANCE, psuId } from './operations.js';
import { type Service, testSecret } from './service.js';
import { withStore } from './use-service.js';

export interface WantedConsent {
  readonly psu: string;
  readonly accounts: readonly DemoAccount[];
  readonly status: ConsentStatus;
  readonly application?: string;
  readonly cardNumber?: string;
  /** How long ago it was made. */
  readonly ageMs?: number;
  readonly expiresInMs?: number;
}

export const addFundsConsent = async (service: Service, wanted: WantedConsent): Promise<string> => {
  const { ageMs = HOUR, expiresInMs, cardNumber } = wanted;
  const now = service.clock.now();
  const id = randomUUID();
  const card = cardNumber && {
    cardHash: new Vault(testSecret).mark('card-number', cardNumber),
    cardLastFour: cardNumber.slice(-4),
  };
  await withStore(service, (db) =>
    db.transaction((tx) =>
      insertConsent(tx, {
        id,
        kind: 'ConfirmationOfFunds',
        clientId: wanted.application ?? FINANCE,
        psuId: psuId(wanted.psu),
        status: wanted.status,
        createdAt: now - ageMs,
        expiresAt: expiresInMs === undefined ? null : now + expiresInMs,
        details: {},
        ...card,
        accounts: wanted.accounts.map(({ id: accountId, iban, bban, msisdn, currency }) => ({
          accountId,
          iban,
          bban,
          msisdn,
          currency,
        })),
        history: [],
      }),
    ),
  );
  return id;
};

export interface FundsRecord {
  readonly consent_id: string;
  readonly client_id: string;
  readonly psu_id: string;
  readonly account_id: string;
  readonly payee: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly available: number;
  readonly request_id: string;
  readonly session_consent_id: string | null;
  readonly asked_at: number;
}

/** The durable records of the answers to one request id. */
export const fundsRecords = (service: Service, requestId: string): Promise<FundsRecord[]> =>
  withStore(service, (db) =>
    db.all<FundsRecord>('select * from funds_confirmations where request_id = ? order by asked_at', [
      requestId,
    ]),
  );

export const countFundsRecords = (service: Service): Promise<number> =>
  withStore(service, async (db) => {
    const row = await db.one<{ count: number }>('select count(*) as count from funds_confirmations');
    return row?.count ?? 0;
  });
