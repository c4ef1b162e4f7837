/** One turn of a walk: the visitor presses a button or comes back from the bank, and the third party makes its calls. */
import { createClient, OAuth, type OperationName, ProblemError, type TokenSource } from '@trapeza/client';
import type { Clock } from 'trapeza/base';
import type { DemoApplication } from '../applications.js';
import type { Capabilities } from './capabilities.js';
import type { Flow, Wanted } from './flows/flow.js';
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

const renewal = {
  title: 'Renew the access token',
  words:
    'Access tokens live ten minutes. The refresh token stays the same: without the credential of its application it is of no use.',
};

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

  async oauth(about: About): Promise<OAuth> {
    const { application, capabilities, clock } = this.parts;
    const { clientId, clientSecret } = application;
    const { baseUrl, redirectUri } = this;
    const { metadata } = await capabilities(baseUrl);
    return new OAuth({
      ...{ baseUrl, clientId, clientSecret, redirectUri, metadata, clock },
      fetch: this.fetch(about),
    });
  }

  async #token(): Promise<{ token?: TokenSource }> {
    const { tokens } = this.walk;
    if (!tokens) return {};
    const oauth = await this.oauth(renewal);
    return { token: oauth.tokenSource(tokens, async (renewed) => this.change({ tokens: renewed })) };
  }

  async #answerOf(about: About, operation: OperationName, wanted: Wanted): Promise<Answer | undefined> {
    try {
      const client = createClient({
        baseUrl: this.baseUrl,
        subscriptionKey: this.parts.application.subscriptionKey,
        fetch: this.fetch(about),
        // The visitor repeats it, if they want to.
        retries: 0,
        ...(await this.#token()),
      });
      // What was typed goes out as it is, so that the bank reports its faults: the types do not hold.
      const method = client[operation] as (call: object) => Promise<{ status: number; body: unknown }>;
      const { status, body } = await method(wanted);
      return { status, json: (body ?? {}) as Answer['json'] };
    } catch (error) {
      return error instanceof ProblemError ? { status: error.status, json: { ...error.problem } } : undefined;
    }
  }

  /** A call of the interface. Undefined: there was no answer, or no token for it, and the record says so. */
  async call(about: About, operation: OperationName, wanted: Wanted): Promise<Answer | undefined> {
    const psu = this.psuAddress ? { 'PSU-IP-Address': this.psuAddress } : {};
    const answer = await this.#answerOf(about, operation, {
      ...wanted,
      headers: { ...psu, ...wanted.headers },
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
}
