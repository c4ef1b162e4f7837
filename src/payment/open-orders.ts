/** Orders that are not final, for operators. */
import type { BankTime } from '../lib/clock.js';
import type { ClientId, ConsentId } from '../model/ids.js';
import type { Queries } from '../store/db.js';
import type { OrderStatus } from './record.js';
import { instructionColumn } from './remote/instruction.js';

interface OpenRow {
  readonly id: string;
  readonly consentId: ConsentId;
  readonly clientId: ClientId;
  readonly status: OrderStatus;
  readonly submittedAt: BankTime;
  /** A remote core may have received it then; null: it certainly has not. */
  readonly sentAt: BankTime | null;
  readonly askedAt: BankTime | null;
  /** Why the last question has no answer. */
  readonly fault: string | null;
  readonly attempts: number;
  readonly lookAgainAt: BankTime;
  readonly unresolvedAt: BankTime | null;
}

export interface OpenOrder extends OpenRow {
  /** Null if it was not kept, because the books are in our own store. */
  readonly instant: boolean | null;
  readonly currency: string | null;
  readonly amountMinor: number | null;
}

/** Of one application, or of all. */
const LIST = `
  select id, consent_id as "consentId", client_id as "clientId", status, created_at as "submittedAt", sent_at as "sentAt",
         asked_at as "askedAt", fault, attempts, look_again_at as "lookAgainAt", unresolved_at as "unresolvedAt", instruction
  from payment_orders where look_again_at is not null and client_id = coalesce(cast(? as text), client_id)
  order by created_at, id`;

export const listOpenOrders = async (db: Queries, clientId?: ClientId): Promise<OpenOrder[]> => {
  const rows = await db.all<OpenRow & { readonly instruction: string | null }>(LIST, [clientId ?? null]);
  return rows.map(({ instruction, ...row }) => {
    const stored = instruction === null ? undefined : instructionColumn.read(instruction);
    return {
      ...row,
      instant: stored ? stored.instant === true : null,
      currency: stored?.currency ?? null,
      amountMinor: stored?.amountMinor ?? null,
    };
  });
};
