/**
 * One exchange with a remote core about one order. An order that may have been sent before is queried first, and executed again,
 * under the same id and with the same instruction, only if the core never received it. An error leaves the outcome unknown.
 */

import type { PaymentProgress, RemoteBooks, SendBy } from '../../bank/payments.js';
import { within } from '../../lib/clock.js';
import { Problem } from '../../problem/problem.js';
import { mayFollow } from '../lifecycle.js';
import { instructionColumn } from './instruction.js';
import type { RemoteOrder } from './outbox.js';

/** What the core replied, or why that is unknown. */
export type CoreReply =
  | { readonly kind: 'progress'; readonly progress: PaymentProgress }
  | { readonly kind: 'unknown'; readonly fault: string }
  /** The core does not know an order that must not be sent again. */
  | { readonly kind: 'absent'; readonly fault: 'not-received' | 'forgotten' }
  /** Another node has taken over. */
  | { readonly kind: 'lost' };

export interface CallParts {
  readonly books: RemoteBooks;
  /** Time limit of one call. */
  readonly patienceMs: number;
  /** Commits that the order is being sent again; false if another node has taken over. */
  readonly mark: () => Promise<boolean>;
  /** From the claim as it is now. */
  readonly sendBy: () => SendBy;
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

/** A core may find an order correct and then wait for signatures: that is no way back. */
const forward = (order: RemoteOrder, progress: PaymentProgress): PaymentProgress =>
  order.status === 'ACTC' && progress.status === 'PDNG' ? { ...progress, status: 'ACTC' } : progress;

const replyOf = (order: RemoteOrder, answer: PaymentProgress): CoreReply => {
  const progress = forward(order, answer);
  const { status } = progress;
  return status === order.status || mayFollow(order.status, status)
    ? { kind: 'progress', progress }
    : { kind: 'unknown', fault: 'impossible-status' };
};

const execute = async ({ books, patienceMs, sendBy }: CallParts, order: RemoteOrder): Promise<CoreReply> => {
  const instruction = instructionColumn.read(order.instruction ?? '');
  // A process that was paused must not execute an order that another node is querying.
  const by = sendBy();
  if (!by.mayStart()) return { kind: 'lost' };
  return replyOf(order, await within(patienceMs, books.execute(instruction, by), noAnswer));
};

const query = async (parts: CallParts, order: RemoteOrder): Promise<CoreReply> => {
  const found = await within(parts.patienceMs, parts.books.find(order.id), noAnswer);
  if (found) return replyOf(order, found);
  if (order.status !== 'RCVD' || order.instruction === null) return { kind: 'absent', fault: 'forgotten' };
  if (order.unresolvedAt !== null && order.retriedAt === null)
    return { kind: 'absent', fault: 'not-received' };
  return (await parts.mark()) ? execute(parts, order) : { kind: 'lost' };
};

export const dispatch = async (parts: CallParts, order: RemoteOrder): Promise<CoreReply> => {
  try {
    return await (order.sentAt === null && order.instruction !== null
      ? execute(parts, order)
      : query(parts, order));
  } catch (error) {
    return { kind: 'unknown', fault: faultOf(error) };
  }
};
