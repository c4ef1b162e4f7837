/** The bank under test, as a third party sees it: calls with the credentials, and what cases share. */
import { randomUUID } from 'node:crypto';
import { pause } from '../clock.js';
import { Failure, NotRun } from '../verdict.js';
import type { Application, Credentials } from './credentials.js';
import type { Answer, Http, Wanted } from './http.js';
import type { Person } from './person.js';
import type { Seal } from './seal.js';

export type Caller = 'application' | 'other' | 'limited' | Application;

export interface Called extends Wanted {
  readonly as?: Caller;
}

/** A bank that asks for patience gets it, up to this. */
const PATIENCE_S = 61;

export interface BankOptions {
  readonly http: Http;
  readonly credentials: Credentials;
  readonly person: Person;
  readonly seal?: Seal | undefined;
}

export class Bank {
  readonly http: Http;
  readonly credentials: Credentials;
  readonly person: Person;
  /** What the present case leaves behind is ended after it. */
  readonly leftovers: (() => Promise<unknown>)[] = [];
  readonly #seal: Seal | undefined;
  readonly #made = new Map<string, Promise<unknown>>();

  constructor({ http, credentials, person, seal }: BankOptions) {
    this.http = http;
    this.credentials = credentials;
    this.person = person;
    this.#seal = seal;
  }

  given<Name extends keyof Credentials>(name: Name): NonNullable<Credentials[Name]> {
    const value = this.credentials[name];
    if (value === undefined) throw new NotRun(`the credentials have no ${name}`);
    return value;
  }

  application(as: Caller = 'application'): Application {
    return typeof as === 'object' ? as : this.given(as);
  }

  async token(as: Caller = 'application'): Promise<string> {
    const application = this.application(as);
    return this.once(`a token of ${application.clientId}`, () => this.person.token(application));
  }

  seal(): Seal {
    if (!this.#seal) throw new NotRun('the credentials have no seal');
    return this.#seal;
  }

  /** Without credentials. */
  async send(wanted: Wanted): Promise<Answer> {
    for (let rounds = 0; ; rounds += 1) {
      const answer = await this.http.send(wanted);
      const seconds = Number(answer.headers['retry-after'] ?? Number.NaN);
      if (answer.status !== 429 || rounds > 1 || !(seconds <= PATIENCE_S)) return answer;
      await pause(seconds * 1000);
    }
  }

  /** With key, token and a new X-Request-ID; a header that is null is left out. */
  async call({ as = 'application', headers = {}, ...wanted }: Called): Promise<Answer> {
    const isNamed = (name: string): boolean =>
      Object.keys(headers).some((each) => each.toLowerCase() === name);
    return this.send({
      ...wanted,
      headers: {
        ...(isNamed('authorization') ? {} : { Authorization: `Bearer ${await this.token(as)}` }),
        'Ocp-Apim-Subscription-Key': this.application(as).subscriptionKey,
        'X-Request-ID': randomUUID(),
        ...(wanted.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
    });
  }

  /** Made for the first case that needs it, and for all after it. If it cannot be made, none of them is judged by that. */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const known = this.#made.get(name);
    if (known) return known as Promise<T>;
    const made = make().catch((error: unknown) => {
      throw error instanceof Failure ? new NotRun(`it needs ${name}: ${error.message}`) : error;
    });
    this.#made.set(name, made);
    return made;
  }
}
