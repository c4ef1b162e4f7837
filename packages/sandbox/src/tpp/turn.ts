/** One turn of a walk: the visitor presses a button or comes back from the bank, and the third party makes its calls. */
import { type Clock, newId, SECOND } from 'trapeza/base';
import type { DemoApplication } from '../applications.js';
import type { Capabilities } from './capabilities.js';
import type { Flow } from './flows/flow.js';
import { flowOf } from './flows/index.js';
import { noted, type Walk } from './walk.js';
import { type About, type Fetch, recordingFetch } from './wire/wire.js';

export interface TurnParts {
  readonly site: { readonly baseUrl: string };
  readonly clock: Clock;
  readonly application: DemoApplication;
  readonly capabilities: (baseUrl: string) => Promise<Capabilities>;
}

export interface Answer {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Wanted {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

export class Turn {
  walk: Walk;
  readonly parts: TurnParts;
  readonly flow: Flow;
  /** Of the browser: with it the bank knows that the account holder is present. */
  readonly psuAddress: string;

  constructor(parts: TurnParts, walk: Walk, psuAddress: string) {
    this.parts = parts;
    this.psuAddress = psuAddress;
    this.flow = flowOf(walk.flow);
    this.walk = { ...walk, turn: walk.turn + 1 };
  }

  get baseUrl(): string {
    return this.parts.site.baseUrl.replace(/\/+$/, '');
  }

  get redirectUri(): string {
    return `${this.baseUrl}/sandbox/tpp/callback`;
  }

  change(changes: Partial<Walk>): void {
    this.walk = { ...this.walk, ...changes };
  }

  fetch(about: About): Fetch {
    return recordingFetch(this.baseUrl, about, (record) => {
      this.walk = noted(this.walk, record);
    });
  }

  /** A call without credentials. Undefined: there was no answer, and the record says so. */
  async ask(about: About, { method, path, headers = {}, body }: Wanted): Promise<Answer | undefined> {
    try {
      const response = await this.fetch(about)(`${this.baseUrl}${path}`, {
        method,
        headers: {
          Accept: 'application/json',
          ...(body ? { 'Content-Type': 'application/json' } : {}),
          ...headers,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const json: unknown = await response.json().catch(() => undefined);
      return {
        status: response.status,
        json: typeof json === 'object' && json !== null ? (json as Answer['json']) : {},
      };
    } catch {
      return undefined;
    }
  }

  /** A call of the interface, with everything a registered third party sends. */
  async call(about: About, wanted: Wanted): Promise<Answer | undefined> {
    const answer = await this.ask(about, {
      ...wanted,
      headers: {
        'Ocp-Apim-Subscription-Key': this.parts.application.subscriptionKey,
        Authorization: `Bearer ${this.walk.tokens?.access ?? ''}`,
        'X-Request-ID': newId(),
        ...(this.psuAddress ? { 'PSU-IP-Address': this.psuAddress } : {}),
        ...wanted.headers,
      },
    });
    if (answer) this.#noticeStatus(answer);
    return answer;
  }

  /** A refusal for the sake of the consent says which status it has. */
  #noticeStatus({ json }: Answer): void {
    const { consent } = (json.extensions ?? {}) as { consent?: { status?: unknown } };
    if (this.walk.consent && typeof consent?.status === 'string')
      this.change({ consent: { ...this.walk.consent, status: consent.status } });
  }

  hasGoodToken(): boolean {
    const { tokens } = this.walk;
    return tokens !== undefined && tokens.goodUntil > this.parts.clock.now() + 5 * SECOND;
  }
}
