/** The books of a tiny bank in memory, for cores that are written as a bank would write them: from the contract, each in its own style. */
import { randomInt, randomUUID } from 'node:crypto';

export interface Entry {
  readonly no: number;
  readonly day: string;
  readonly at: number;
  readonly cents: number;
  /** What the account had after it; not known while it is pending. */
  readonly after: number;
  readonly text: string;
}

export interface Held {
  readonly no: number;
  readonly holders: readonly number[];
  readonly state: 'open' | 'blocked' | 'closed';
  readonly entries: Entry[];
  readonly pending: Entry[];
}

export interface Period {
  readonly first: string;
  readonly last: string;
  readonly entries: readonly Entry[];
  readonly opening: number;
  readonly closing: number;
}

export interface Person {
  readonly no: number;
  readonly name: string;
  readonly user: string;
  readonly password: string;
}

export interface Order {
  readonly id: string;
  /** Everything that was sent, to recognise another payment under the same id. */
  readonly content: string;
  readonly isPaid: boolean;
}

const DAY = 86_400_000;
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const people: readonly Person[] = [
  { no: 4711, name: 'Ελένη Παπαδοπούλου', user: 'eleni', password: 'eleni-pass' },
  { no: 4712, name: 'Νίκος Γεωργίου', user: 'nikos', password: 'nikos-pass' },
];

interface Challenge {
  readonly person: number;
  readonly shown: string;
  readonly code: string;
  isUsed: boolean;
}

/** Accounts 7001 and 7002 (blocked) of the first person, 7003 of the second. */
export class Books {
  readonly #accounts = new Map<number, Held>();
  readonly #orders = new Map<string, Order>();
  readonly #challenges = new Map<string, Challenge>();
  readonly #wrong = new Map<number, number>();
  #last = 100_000;

  /** `hasPending`: whether it knows what is not booked yet. */
  constructor(
    readonly now: () => number,
    readonly hasPending = true,
  ) {
    this.#open(7001, 4711, 'open');
    this.#open(7002, 4711, 'blocked');
    this.#open(7003, 4712, 'open');
  }

  #open(no: number, holder: number, state: Held['state']): void {
    const account: Held = { no, holders: [holder], state, entries: [], pending: [] };
    this.#accounts.set(no, account);
    for (let days = 120; days > 0; days -= 2) {
      const at = this.now() - days * DAY;
      this.#book(
        account,
        days % 30 === 0 ? 90_000 : -1_000 - days * 7,
        at,
        days % 30 === 0 ? 'Wages' : 'Shop',
      );
    }
    if (!this.hasPending) return;
    account.pending.push(
      this.#entry(account, -1_234, this.now(), 'Card'),
      this.#entry(account, 500, this.now(), 'Refund'),
    );
  }

  #entry({ entries }: Held, cents: number, at: number, text: string): Entry {
    this.#last += 1;
    const after = (entries.at(-1)?.after ?? 100_000) + cents;
    return { no: this.#last, day: dayOf(at), at, cents, after, text };
  }

  #book(account: Held, cents: number, at: number, text: string): void {
    account.entries.push(this.#entry(account, cents, at, text));
  }

  person(user: string, password: string): Person | undefined {
    return people.find((each) => each.user === user && each.password === password);
  }

  hasPerson(no: number): boolean {
    return people.some((each) => each.no === no);
  }

  nameOf(no: number): string {
    return people.find((each) => each.no === no)?.name ?? '';
  }

  of(person: number): readonly Held[] {
    return [...this.#accounts.values()].filter(({ holders }) => holders.includes(person));
  }

  /** Undefined if this person does not hold it. */
  account(no: number, person: number): Held | undefined {
    const found = this.#accounts.get(no);
    return found?.holders.includes(person) ? found : undefined;
  }

  booked({ entries }: Held): number {
    return entries.at(-1)?.after ?? 0;
  }

  available(account: Held): number {
    const debits = account.pending
      .filter(({ cents }) => cents < 0)
      .reduce((sum, { cents }) => sum + cents, 0);
    return this.booked(account) + debits;
  }

  /** Calendar months that are over, or halves of them, newest first. */
  periods({ entries }: Held, isHalf: boolean): readonly Period[] {
    const firstOf = (day: string): string =>
      `${day.slice(0, 7)}-${isHalf && day.slice(8) > '15' ? '16' : '01'}`;
    const running = firstOf(dayOf(this.now()));
    const begun = [...new Set(entries.map(({ day }) => firstOf(day)))].filter((first) => first < running);
    return begun.toReversed().map((first) => {
      const own = entries.filter(({ day }) => firstOf(day) === first);
      const [year = 0, month = 0, day] = first.split('-').map(Number);
      const last = isHalf && day === 1 ? `${first.slice(0, 7)}-15` : dayOf(Date.UTC(year, month, 0));
      const opening = (own[0]?.after ?? 0) - (own[0]?.cents ?? 0);
      return { first, last, entries: own, opening, closing: own.at(-1)?.after ?? 0 };
    });
  }

  order(id: string): Order | undefined {
    return this.#orders.get(id);
  }

  /** Carried out once for each id; another content under a known id is not looked at. */
  pay(id: string, content: string, payer: number, cents: number): Order | 'other' {
    const known = this.#orders.get(id);
    if (known) return known.content === content ? known : 'other';
    const account = this.#accounts.get(payer);
    const isPaid = account?.state === 'open' && this.available(account) >= cents;
    if (account && isPaid) this.#book(account, -cents, this.now(), 'Transfer');
    const order = { id, content, isPaid };
    this.#orders.set(id, order);
    return order;
  }

  challenge(person: number, shown: string): { readonly id: string; readonly code: string } {
    const id = randomUUID();
    const code = String(randomInt(100_000, 1_000_000));
    this.#challenges.set(id, { person, shown, code, isUsed: false });
    return { id, code };
  }

  attempt(id: string, person: number, shown: string, code: string): 'right' | 'wrong' | 'spent' {
    const challenge = this.#challenges.get(id);
    const wrong = this.#wrong.get(person) ?? 0;
    if (!challenge || challenge.person !== person || challenge.isUsed || wrong >= 5) return 'spent';
    if (challenge.shown === shown && challenge.code === code) {
      challenge.isUsed = true;
      return 'right';
    }
    this.#wrong.set(person, wrong + 1);
    return 'wrong';
  }
}
