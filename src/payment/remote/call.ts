/**
 * One turn with a bank elsewhere about one order. What may have been told before is asked for first; only what the bank says it
 * never got is told again, under the same id and in the same words. Whatever is thrown leaves the outcome unknown.
 */
import type { PaymentInstruction, PaymentProgress, RemoteBooks } from '../../bank/payments.js';
import { within } from '../../lib/clock.js';
import { Problem } from '../../problem.js';
import { mayFollow } from '../lifecycle.js';
import type { RemoteOrder } from './outbox.js';

/** What the bank said, or why that is not known. */
export type Heard =
  | { readonly kind: 'progress'; readonly progress: PaymentProgress }
  | { readonly kind: 'unknown'; readonly fault: string }
  /** It knows nothing of an order that it must not be told again. */
  | { readonly kind: 'absent'; readonly fault: 'not-received' | 'forgotten' }
  /** Somebody else has taken over. */
  | { readonly kind: 'lost' };

export interface CallParts {
  readonly books: RemoteBooks;
  /** How long one call is waited for. */
  readonly patienceMs: number;
  /** Commits that the bank is being told again; false where somebody else has taken over. */
  readonly mark: () => Promise<boolean>;
  /** Whether the claim still holds. */
  readonly isHeld: () => boolean;
}

class NoAnswer extends Error {
  readonly kind = 'late';
}

const noAnswer = (): Error => new NoAnswer();

const KIND = /^[a-z][a-z0-9-]{0,39}$/;

/** The kind of a fault: adapters name it, on the error or its cause. Texts may quote what must not be kept. */
const faultOf = (error: unknown): string => {
  for (const each of [error, (error as { cause?: unknown } | null)?.cause]) {
    const kind = (each as { kind?: unknown } | null | undefined)?.kind;
    if (typeof kind === 'string' && KIND.test(kind)) return kind;
  }
  return error instanceof Problem ? error.slug : 'failed';
};

const said = (order: RemoteOrder, progress: PaymentProgress): Heard => {
  const { status } = progress;
  return status === order.status || mayFollow(order.status, status)
    ? { kind: 'progress', progress }
    : { kind: 'unknown', fault: 'impossible-status' };
};

const tell = async ({ books, patienceMs, isHeld }: CallParts, order: RemoteOrder): Promise<Heard> => {
  const instruction = JSON.parse(order.instruction ?? '') as PaymentInstruction;
  // A process that was held up for long must not tell the bank what another one is asking about.
  if (!isHeld()) return { kind: 'lost' };
  return said(order, await within(patienceMs, books.execute(instruction), noAnswer));
};

const ask = async (parts: CallParts, order: RemoteOrder): Promise<Heard> => {
  const found = await within(parts.patienceMs, parts.books.find(order.id), noAnswer);
  if (found) return said(order, found);
  if (order.status !== 'RCVD' || order.instruction === null) return { kind: 'absent', fault: 'forgotten' };
  if (order.unresolvedAt !== null) return { kind: 'absent', fault: 'not-received' };
  return (await parts.mark()) ? tell(parts, order) : { kind: 'lost' };
};

export const hear = async (parts: CallParts, order: RemoteOrder): Promise<Heard> => {
  try {
    return await (order.sentAt === null && order.instruction !== null
      ? tell(parts, order)
      : ask(parts, order));
  } catch (error) {
    return { kind: 'unknown', fault: faultOf(error) };
  }
};
