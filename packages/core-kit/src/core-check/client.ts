/**
 * A client of the core under test: bounded in time and size, never following redirects. `ask` tells what came; `answer` demands
 * what the contract says. What it reports names operations, statuses and members, never what is in them.
 */

import { type CoreOperation, type CoreOperations, coreOperations, PSU_ID } from 'trapeza/bank';
import { newId, type PsuId, sentencesOf, type Validator, validator } from 'trapeza/base';
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
  /** In place of the configured one; null sends none. */
  readonly token?: string | null;
}

export interface Seen {
  readonly status: number;
  readonly contentType: string;
  /** undefined if the bytes are no JSON in UTF-8. */
  readonly json: unknown;
}

const SIZE_LIMIT = 4_000_000;
const utf8 = new TextDecoder('utf-8', { fatal: true });

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
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
};

const readAll = async (response: Response): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > SIZE_LIMIT) throw new Failure('an answer of at most 4 MB', 'a larger one');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

const causeOf = (error: unknown): string => {
  const { cause, code } = error as { readonly cause?: { readonly code?: unknown }; readonly code?: unknown };
  const name = cause?.code ?? code;
  return typeof name === 'string' && /^\w{1,40}$/.test(name) ? name : 'the connection failed';
};

export interface ClientOptions {
  readonly url: string;
  readonly token?: string;
  readonly timeoutMs: number;
}

export class CoreClient {
  readonly #options: ClientOptions;
  /** Whether the core shows its one-time codes; unknown before the first one was sent. */
  showsCodes: boolean | undefined;
  /** For whom accounts are asked about, unless a case says otherwise. */
  psuId: PsuId = NOBODY;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  get token(): string | undefined {
    return this.#options.token;
  }

  #headers({ token = this.#options.token, body, psuId }: Wanted): Record<string, string> {
    return {
      Accept: 'application/json',
      'X-Request-ID': newId(),
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(psuId === undefined ? {} : { [PSU_ID]: psuId }),
    };
  }

  async fetch(method: string, path: string, wanted: Wanted = {}): Promise<Seen> {
    const { url, timeoutMs } = this.#options;
    const { body } = wanted;
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: this.#headers(wanted),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const json = parsed(await readAll(response));
      return { status: response.status, contentType: response.headers.get('content-type') ?? '', json };
    } catch (error) {
      if (error instanceof Failure) throw error;
      if ((error as Error).name === 'TimeoutError')
        throw new Failure(`an answer within ${timeoutMs} ms`, 'none');
      throw new Failure('an answer', causeOf(error));
    }
  }

  ask(id: OperationId, wanted: Wanted = {}): Promise<Seen> {
    const { method, path, ofHolder }: CoreOperation = coreOperations[id];
    const { params = {}, query = {}, psuId = this.psuId, ...rest } = wanted;
    const filled = path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) search.set(name, String(value));
    const text = search.size > 0 ? `?${search}` : '';
    const asked = ofHolder ? { ...rest, psuId } : rest;
    return this.fetch(method, `${filled}${text}`, asked).catch((error: unknown) => {
      throw error instanceof Failure ? error.of(id) : error;
    });
  }

  /** 200, JSON, and nothing but what the contract says. */
  async answer<Id extends OperationId>(id: Id, wanted: Wanted = {}): Promise<Answer<Id>> {
    const { status, contentType, json } = await this.ask(id, wanted);
    if (status !== 200) throw new Failure(`200 from ${id}`, `status ${status}`, id);
    if (!/^application\/json\s*(;|$)/i.test(contentType))
      throw new Failure(`application/json from ${id}`, 'another content type', id);
    if (json === undefined) throw new Failure(`JSON in UTF-8 from ${id}`, 'bytes that are none', id);
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
