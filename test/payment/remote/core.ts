/**
 * A core that does what the test says, call by call. It is not idempotent: told twice, it pays twice, so that nothing but the
 * side that calls it keeps a payment from being carried out again.
 */
import type { BankAccount } from '../../../src/bank/bank.js';
import type { PaymentInstruction, PaymentProgress, RemoteBooks } from '../../../src/bank/payments.js';
import { bankWith } from '../../bank/banks.js';
import { account } from '../../support/operations.js';

/**
 * How a call ends: as it should, broken before or after it had its effect, never, with another state of the payment, or as if it
 * had never been heard of.
 */
export type Act = 'works' | 'refused' | 'silent' | 'hangs' | 'absent' | PaymentProgress;

const { id, iban, bban, msisdn, currency } = account('eleni', 101);
const payer: BankAccount = {
  id,
  iban,
  bban,
  msisdn,
  currency,
  name: 'Λογαριασμός',
  product: 'Current',
  type: 'CACC',
  ownerName: 'Ελένη',
  status: 'enabled',
  balanceMinor: 100_000,
};

class Broken extends Error {
  readonly kind = 'reset';
}

export class TestCore {
  readonly calls: string[] = [];
  readonly told: PaymentInstruction[] = [];
  /** How often each payment was carried out. */
  readonly executed = new Map<string, number>();
  held: readonly BankAccount[] = [payer];
  readonly #states = new Map<string, PaymentProgress>();
  #acts: Act[] = [];
  readonly #hanging: (() => void)[] = [];

  /** From here on, one after the other; when they are over, everything works. */
  play(...acts: Act[]): void {
    this.#acts = acts;
    this.calls.length = 0;
  }

  /** Breaks every call until something else is played. */
  breakDown(): void {
    this.play(...Array.from({ length: 1000 }, () => 'refused' as const));
  }

  /** Lets the calls that hang go on. */
  release(): void {
    for (const go of this.#hanging.splice(0)) go();
  }

  get hanging(): number {
    return this.#hanging.length;
  }

  async #perform<T>(effect: (state?: PaymentProgress) => T, absent: T): Promise<T> {
    const act = this.#acts.shift() ?? 'works';
    if (act === 'refused') throw new Broken();
    if (act === 'absent') return absent;
    if (act === 'hangs') await new Promise<void>((resolve) => this.#hanging.push(resolve));
    const result = effect(typeof act === 'object' ? act : undefined);
    if (act === 'silent') throw new Broken();
    return result;
  }

  readonly books: RemoteBooks = {
    kind: 'remote',
    execute: (instruction) => {
      this.calls.push('execute');
      this.told.push(instruction);
      const rejected: PaymentProgress = { status: 'RJCT', reason: { code: 'AM04', text: 'No funds.' } };
      return this.#perform((state = { status: 'ACSC' }) => {
        this.executed.set(instruction.id, (this.executed.get(instruction.id) ?? 0) + 1);
        this.#states.set(instruction.id, state);
        return state;
      }, rejected);
    },
    find: (paymentId) => {
      this.calls.push('find');
      return this.#perform((state) => state ?? this.#states.get(paymentId), undefined);
    },
    cancel: (paymentId) => {
      this.calls.push('cancel');
      return this.#perform((state) => {
        const known = state ?? this.#states.get(paymentId);
        if (known && 'lookAgainAt' in known) this.#states.set(paymentId, { status: 'CANC' });
        return this.#states.get(paymentId);
      }, undefined);
    },
  };

  readonly bank = bankWith({
    name: 'test core',
    accountsOf: async () => this.held,
    payments: this.books,
  });
}
