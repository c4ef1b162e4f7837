/**
 * A client of the core under test, on the connection that Trapeza itself uses: bounded in time and size, never following redirects,
 * with the headers of the contract. `ask` tells what came; `answer` demands what the contract says. What it reports names
 * operations, statuses and members, never what is in them.
 */

import {
  acceptOf,
  CONSENT_DATA,
  CONSENT_ID,
  CoreConnection,
  CoreFault,
  type CoreOperation,
  type CoreOperations,
  type CoreTls,
  coreOperations,
  isOfConsent,
  PSU_ID,
} from 'trapeza/bank';
import { newId, type PsuId, parseStrictJson, sentencesOf, type Validator, validator } from 'trapeza/base';
import type { Static } from 'typebox';
import { Failure } from './verdict.js';

/** An id that no person has. */
export const NOBODY = '00000000-0000-4000-8000-000000000000';

export type OperationId = keyof CoreOperations;
export type Answer<Id extends OperationId> = Static<CoreOperations[Id]['answer']>;

export interface Wanted {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Text is sent as it is, everything else as JSON. */
  readonly body?: unknown;
  /** The person of the query, if it is not the subject's. */
  readonly psuId?: PsuId;
  /** Headers of the operation. */
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the consent of this run; null sends none. */
  readonly consentId?: string | null;
  /** In place of the configured one; null sends none. */
  readonly token?: string | null;
}

export interface Seen {
  readonly status: number;
  readonly contentType: string;
  /** undefined if the bytes are no JSON in UTF-8. */
  readonly json: unknown;
  readonly bytes: Buffer;
  /** What the core wants to be reminded of; undefined if it set nothing. */
  readonly consentData: string | undefined;
}

/** A question as it was sent, without what we are known by. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Of the answer; undefined if there was none. */
  status?: number;
}

const SIZE_LIMIT = 4_000_000;
const CONNECTIONS = 8;

const validators = new Map<OperationId, Validator>();

const validatorOf = (id: OperationId): Validator => {
  const known = validators.get(id);
  if (known) return known;
  const made = validator(coreOperations[id].answer);
  validators.set(id, made);
  return made;
};

const parsed = (bytes: Buffer): unknown => {
  try {
    return parseStrictJson(bytes);
  } catch {
    return undefined;
  }
};

const isConsentData = (text: string): boolean => /^[!-~]{1,1024}$/.test(text);

export interface ClientOptions {
  readonly url: string;
  readonly token?: string | undefined;
  readonly tls?: CoreTls | undefined;
  readonly timeoutMs: number;
}

export class CoreClient {
  readonly #options: ClientOptions;
  readonly #connection: CoreConnection;
  readonly #consentId = newId();
  /** What the core wanted to be reminded of, by consent. */
  readonly #notes = new Map<string, string>();
  /** Every question since it was emptied. */
  readonly sent: Sent[] = [];
  /** Whether the core shows its one-time codes; unknown before the first one was sent. */
  showsCodes: boolean | undefined;
  /** For whom accounts are asked about, unless a case says otherwise. */
  psuId: PsuId = NOBODY;

  constructor(options: ClientOptions) {
    this.#options = options;
    const { url, tls, timeoutMs } = options;
    this.#connection = new CoreConnection({
      ...{ url, tls, timeoutMs },
      connections: CONNECTIONS,
      responseLimit: SIZE_LIMIT,
    });
  }

  get token(): string | undefined {
    return this.#options.token;
  }

  /** A caller without our certificate; undefined if it does not know us by one either. */
  withoutCertificate(): CoreClient | undefined {
    const { tls, ...rest } = this.#options;
    return tls?.certificate ? new CoreClient({ ...rest, tls: { ca: tls.ca } }) : undefined;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  #headers({ psuId, consentId, headers }: Wanted): Record<string, string> {
    const note = consentId ? this.#notes.get(consentId) : undefined;
    return {
      'X-Request-ID': newId(),
      ...headers,
      ...(psuId === undefined ? {} : { [PSU_ID]: psuId }),
      ...(consentId ? { [CONSENT_ID]: consentId } : {}),
      ...(note === undefined ? {} : { [CONSENT_DATA]: note }),
    };
  }

  async fetch(method: CoreOperation['method'], path: string, wanted: Wanted = {}): Promise<Seen> {
    const { timeoutMs } = this.#options;
    const { body, consentId, token = this.#options.token } = wanted;
    const headers = this.#headers(wanted);
    const sent: Sent = { method, path, headers, ...(body === undefined ? {} : { body }) };
    this.sent.push(sent);
    const authorization = token ? { authorization: `Bearer ${token}` } : {};
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const request = { method, path, headers: { ...headers, ...authorization } };
    try {
      const answer = await this.#connection.send(
        body === undefined ? request : { ...request, body: text },
        timeoutMs,
      );
      sent.status = answer.status;
      const consentData = answer.headers[CONSENT_DATA.toLowerCase()]?.toString();
      if (consentId && consentData && isConsentData(consentData)) this.#notes.set(consentId, consentData);
      const contentType = answer.headers['content-type'] ?? '';
      const { status, bytes } = answer;
      return { status, contentType, json: parsed(bytes), bytes, consentData };
    } catch (error) {
      if (!(error instanceof CoreFault)) throw error;
      if (error.kind === 'late') throw new Failure(`an answer within ${timeoutMs} ms`, 'none');
      if (error.kind === 'too-large') throw new Failure('an answer of at most 4 MB', 'a larger one');
      throw new Failure('an answer', error.reason || 'the connection failed');
    }
  }

  ask(id: OperationId, wanted: Wanted = {}): Promise<Seen> {
    const operation: CoreOperation = coreOperations[id];
    const { params = {}, query = {}, consentId = this.#consentId, ...rest } = wanted;
    const filled = operation.path.replace(/:(\w+)/g, (_all, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    );
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) search.set(name, String(value));
    const text = search.size > 0 ? `?${search}` : '';
    const asked = {
      ...rest,
      headers: { ...acceptOf(operation), ...rest.headers },
      ...(operation.ofHolder ? { psuId: rest.psuId ?? this.psuId } : {}),
      ...(isOfConsent(operation) ? { consentId } : {}),
    };
    return this.fetch(operation.method, `${filled}${text}`, asked).catch((error: unknown) => {
      throw error instanceof Failure ? error.of(id) : error;
    });
  }

  /** 200, JSON, and nothing but what the contract says. */
  async answer<Id extends OperationId>(id: Id, wanted: Wanted = {}): Promise<Answer<Id>> {
    return this.valid(id, await this.ask(id, wanted));
  }

  valid<Id extends OperationId>(id: Id, { status, contentType, json, consentData }: Seen): Answer<Id> {
    if (status !== 200) throw new Failure(`200 from ${id}`, `status ${status}`, id);
    if (!/^application\/json\s*(;|$)/i.test(contentType))
      throw new Failure(`application/json from ${id}`, 'another content type', id);
    if (json === undefined) throw new Failure(`JSON in UTF-8 from ${id}`, 'bytes that are none', id);
    if (consentData !== undefined && !isConsentData(consentData))
      throw new Failure(`1 to 1024 visible ASCII characters in ${CONSENT_DATA}`, 'something else', id);
    const faults = validatorOf(id)(json);
    if (faults) {
      const words = Object.entries(sentencesOf(faults)).map(
        ([at, messages]) => `${at} ${messages.join(', ')}`,
      );
      throw new Failure(`an answer of ${id} that fits the contract`, words.slice(0, 3).join('; '), id);
    }
    return json as Answer<Id>;
  }
}
