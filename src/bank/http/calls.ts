/**
 * Calls of the core by the contract: path, headers and body from the operation, the answer checked against its schema. Only 200
 * with a valid body is an answer; 404 is "absent" if the contract says so.
 */

import type { Static } from 'typebox';
import { breachFinder } from '../../http/validate.js';
import { monotonicMs } from '../../lib/clock.js';
import { JsonFault, parseStrictJson } from '../../lib/format/strict-json.js';
import { newId } from '../../lib/id.js';
import type { OpenSpan, Tracer } from '../../observe/trace/tracer.js';
import { NoSuchAccount } from '../bank.js';
import type { ConsentNote } from '../consent-note.js';
import { WrongAnswer } from '../guard/answers.js';
import type { CoreClient, RawAnswer, RawRequest } from './client.js';
import { CONSENT_DATA } from './contract/headers.js';
import { type CoreOperation, type CoreOperations, coreOperations } from './contract/operations.js';
import { asCoreProblem, CoreFault, faultKinds, isOutage, statusFault, wrongFault } from './fault.js';
import { FundsBatches } from './funds-batches.js';
import { type Question, requestOf } from './question.js';
import type { Guard } from './resilience.js';

type OperationId = keyof CoreOperations;
export type AnswerOf<Id extends OperationId> = Static<CoreOperations[Id]['answer']>;
type OfferedId = {
  [Id in OperationId]: CoreOperations[Id] extends { readonly notOffered: string } ? Id : never;
}[OperationId];
/** Those whose 404 has a meaning. */
type FindableId = {
  [Id in OperationId]: CoreOperations[Id] extends { readonly absent: string } ? Id : never;
}[OperationId];

/** How a question can end; docs/operating.md says what each means. */
export const coreOutcomes = ['ok', 'absent', 'refused-query', ...faultKinds] as const;
export type CoreOutcome = (typeof coreOutcomes)[number];

/** One question that has ended. */
export interface CallFacts {
  readonly operation: OperationId;
  readonly outcome: CoreOutcome;
  readonly ms: number;
  /** The X-Request-ID that the core was sent, so that both logs can be read side by side. */
  readonly coreRequestId: string;
  /** The X-Request-ID of the call on whose behalf it was asked. */
  readonly requestId: string | undefined;
  readonly fault?: CoreFault;
}

export interface CallParts {
  readonly client: CoreClient;
  readonly guard: Guard;
  /** Bank time, if the core follows it: in the sandbox alone. */
  readonly sandboxTime?: (() => Promise<number>) | undefined;
  /** Stores what the core wants to be reminded of. */
  readonly keep: (consent: ConsentNote, bankData: string) => Promise<void>;
  readonly onCall: (facts: CallFacts) => void;
  /** Bytes of one answer. */
  readonly responseLimit: number;
  readonly tracer?: Tracer | undefined;
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

const parsed = ({ bytes }: RawAnswer): unknown => {
  const isMarked = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  try {
    return parseStrictJson(isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes);
  } catch (error) {
    throw new WrongAnswer('garbage', '', error instanceof JsonFault ? error.message : 'no JSON');
  }
};

/** What the contract says it is: JSON, or bytes of this type. */
const bodyOf = ({ media }: CoreOperation, answer: RawAnswer): unknown => {
  if ('json' in answer) return answer.json;
  if (media === undefined) return parsed(answer);
  const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== media) throw new WrongAnswer('garbage', 'Content-Type', `not ${media}`);
  return new Uint8Array(answer.bytes);
};

const breachFinders: ReadonlyMap<string, ReturnType<typeof breachFinder>> = new Map(
  Object.values<CoreOperation>(coreOperations).map(({ id, answer }) => [id, breachFinder(answer)]),
);

/** The header, if the core sent one. Drops what could not be sent back. */
const consentDataOf = ({ headers }: RawAnswer): string | undefined => {
  const value = headers[CONSENT_DATA.toLowerCase()];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !/^[!-~]{1,1024}$/.test(value))
    throw new WrongAnswer('garbage', CONSENT_DATA, 'more than 1024 visible characters');
  return value;
};

/** What a core answers to an operation that it does not have. */
const NOT_OFFERED: readonly number[] = [405, 501];
/** The moment of Not-After had passed; nothing was done. */
const TOO_LATE = 412;
const ABSENT: readonly number[] = [400, 404, ...NOT_OFFERED];
/** Whatever it is that a core does not like about several questions in one call. */
const REFUSED: readonly number[] = [...ABSENT, 413];

/** Throws if the status is no answer to this operation. */
const checked = (operation: CoreOperation, answer: RawAnswer, silent: readonly number[]): RawAnswer => {
  const { status, headers } = answer;
  const isAnswer = silent.includes(status) || (status === 404 && operation.ofHolder === true);
  if (status === TOO_LATE && operation.tooLate)
    throw new CoreFault('too-late', 'status 412', { status: TOO_LATE });
  if (status !== 200 && !isAnswer) throw statusFault(status, headers);
  return answer;
};

/** The answer, or a status without a body that the contract gives a meaning. */
type Reply<T> = { readonly value: T } | { readonly status: number };

const valueIn = <T>(reply: Reply<T>): T | undefined => ('value' in reply ? reply.value : undefined);

/** Readiness asks how the core is, and must neither wait for one that hangs nor for those who wait for it. */
const PING_MS = 500;

/** Safe as a path segment: dots alone would change the path. */
export const isBankId = (id: string): boolean => /^[!-~]{1,128}$/.test(id) && !/^\.{1,2}$/.test(id);

export class CoreCalls {
  readonly #parts: CallParts;
  readonly #funds: FundsBatches;

  constructor(parts: CallParts) {
    this.#parts = parts;
    const { guard, responseLimit } = parts;
    const { hasFunds } = coreOperations;
    this.#funds = new FundsBatches({
      ...{ totalMs: guard.totalMs, maxCalls: guard.maxCalls, responseLimit },
      alone: (request) => this.#guarded(hasFunds, request, []),
      inOneCall: (request) => this.#askInOneCall(request),
      checked: (answer) => {
        try {
          return checked(hasFunds, answer, []);
        } catch (error) {
          if (isOutage(error)) guard.count(hasFunds.id, error as CoreFault);
          throw error;
        }
      },
      askHealth: () => this.ask('ping', {}, () => undefined),
    });
  }

  /** The answer; `check` looks at what a schema cannot say and throws a CoreFault. */
  async ask<Id extends OperationId, T>(
    id: Id,
    question: Question,
    check: (answer: AnswerOf<Id>) => T,
  ): Promise<T> {
    const reply = await this.#call(id, question, check, []);
    if (!('value' in reply)) throw new Error(`no answer of ${id}, and no fault`);
    return reply.value;
  }

  /** As `ask`; undefined if the core answers 404, or does not know an optional operation. */
  async find<Id extends FindableId, T>(
    id: Id,
    question: Question,
    check: (answer: AnswerOf<Id>) => T,
  ): Promise<T | undefined> {
    const operation: CoreOperation = coreOperations[id];
    return valueIn(await this.#call(id, question, check, operation.isOptional ? ABSENT : [404]));
  }

  /** As `find`, of an operation whose 404 is about what is asked for: `not-offered` if the core does not have the operation. */
  async findIfOffered<Id extends OfferedId, T>(
    id: Id,
    question: Question,
    check: (answer: AnswerOf<Id>) => T,
  ): Promise<T | 'not-offered' | undefined> {
    const reply = await this.#call(id, question, check, [404, ...NOT_OFFERED]);
    if ('value' in reply) return reply.value;
    if (reply.status !== 404) return 'not-offered';
    // A core that has no such path may say 404 as well; what its health says is certain.
    const offered = await this.ask('ping', {}, ({ operations }) => operations).catch(() => undefined);
    return offered?.includes(id) === false ? 'not-offered' : undefined;
  }

  /** As `ask`; undefined if the core refused the query with 400. */
  async askRefusable<Id extends OperationId, T>(
    id: Id,
    question: Question,
    check: (answer: AnswerOf<Id>) => T,
  ): Promise<T | undefined> {
    return valueIn(await this.#call(id, question, check, [400]));
  }

  async #call<Id extends OperationId, T>(
    id: Id,
    question: Question,
    check: (answer: AnswerOf<Id>) => T,
    /** Statuses that are answers without a body. */
    silent: readonly number[],
  ): Promise<Reply<T>> {
    const { onCall, tracer } = this.#parts;
    const startedAt = monotonicMs();
    const requestId = newId();
    const span = tracer?.open('client', `core ${id}`, question.requester?.traceparent);
    const report = (outcome: CoreOutcome, fault?: CoreFault): void => {
      span?.end(fault !== undefined, { 'trapeza.outcome': outcome, 'trapeza.core_request_id': requestId });
      onCall({
        operation: id,
        outcome,
        ms: monotonicMs() - startedAt,
        coreRequestId: requestId,
        requestId: question.requester?.requestId,
        ...(fault ? { fault } : {}),
      });
    };
    try {
      const answer = await this.#send(coreOperations[id], question, { requestId, span }, silent);
      if (answer.status !== 200) {
        report(answer.status === 400 ? 'refused-query' : 'absent');
        if (answer.status === 404 && !silent.includes(404)) throw new NoSuchAccount();
        return { status: answer.status };
      }
      const body = bodyOf(coreOperations[id], answer);
      const breach = breachFinders.get(id)?.(body);
      if (breach) throw new WrongAnswer('garbage', breach.member, breach.rule);
      const value = check(body as AnswerOf<Id>);
      if (id === 'ping') this.#funds.noteHealth(body as AnswerOf<'ping'>);
      await this.#note(question, answer);
      report('ok');
      return { value };
    } catch (failed) {
      const error = failed instanceof WrongAnswer ? wrongFault(failed) : failed;
      if (!(error instanceof CoreFault)) throw error;
      report(error.kind, error);
      throw asCoreProblem(error.ofQuestion(requestId));
    }
  }

  async #note({ consent, onBankData }: Question, answer: RawAnswer): Promise<void> {
    const bankData = consent && consentDataOf(answer);
    if (!consent || bankData === undefined || bankData === consent.bankData) return;
    if (onBankData) onBankData(bankData);
    else await this.#parts.keep(consent, bankData);
  }

  async #send(
    operation: CoreOperation,
    question: Question,
    { requestId, span }: { readonly requestId: string; readonly span: OpenSpan | undefined },
    silent: readonly number[],
  ): Promise<RawAnswer> {
    const { sandboxTime } = this.#parts;
    const { body } = question;
    const traceparent = span?.traceparent ?? question.requester?.traceparent;
    const at = sandboxTime && (await sandboxTime());
    const request = requestOf(operation, question, { requestId, traceparent, sandboxTime: at });
    return operation.id === 'hasFunds' && body
      ? this.#funds.ask({ accountId: question.params?.accountId ?? '', asked: body, ...request })
      : this.#guarded(operation, request, silent);
  }

  #guarded(
    operation: CoreOperation,
    request: RawRequest,
    silent: readonly number[],
    /** Whose breaker counts. */
    id = operation.id,
  ): Promise<RawAnswer> {
    const { client, guard } = this.#parts;
    const attempt = async (ms: number): Promise<RawAnswer> =>
      checked(operation, await client.send(request, ms), silent);
    return id === 'ping' ? attempt(PING_MS) : guard.run({ ...operation, id }, attempt);
  }

  async #askInOneCall(request: Pick<RawRequest, 'headers' | 'body'>): Promise<unknown> {
    const operation: CoreOperation = coreOperations.hasFundsOfMany;
    const { method, path } = operation;
    const { hasFunds } = coreOperations;
    const answer = await this.#guarded(operation, { method, path, ...request }, REFUSED, hasFunds.id);
    return answer.status === 200 ? parsed(answer) : undefined;
  }
}
