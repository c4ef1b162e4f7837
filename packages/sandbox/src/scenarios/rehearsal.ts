/**
 * The header `Sandbox-Scenario` gives one call a named outcome. A refusal is answered once all checks of the gate have passed, so
 * that nothing is read or written; a fault of the core happens where real ones do, so the real code answers it; an order
 * gets its status from the demo bank; a lost answer is lost after the effect.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Call,
  type Field,
  fieldFault,
  nearest,
  type Operation,
  type Reply,
  sampleProblem,
} from 'trapeza/base';
import { isAnsweredLate } from '../bank/case-people.js';
import type { OrderWish } from '../bank/payments/reject.js';
import { type CoreFault, isLostAnswer, isRefusal, orderWishes, scenariosOf } from './catalogue.js';
import { createCoreFaults, never, type Rehearsed } from './core-faults.js';

export const SCENARIOS = '/docs/scenarios';

export interface RehearsalParts {
  readonly deadlineMs: number;
  readonly site: { readonly baseUrl: string };
  /** Absent in front of a core, whose orders go their own ways. */
  readonly hasOrders: boolean;
}

/** So much of an unknown name is compared with the known ones. */
const LONGEST = 60;

const headerOf = (names: readonly string[]): Field => ({
  name: 'Sandbox-Scenario',
  schema: { type: 'string' },
  example: 'quota-exceeded',
  description: `Sandbox only: gives this call the outcome of that name. ${SCENARIOS} lists all of them.`,
  fault: (value) => {
    if (names.includes(value)) return undefined;
    const meant = nearest(value.slice(0, LONGEST), names);
    return meant === undefined
      ? fieldFault('unknown', `is no scenario of this operation; ${SCENARIOS} lists all of them`)
      : fieldFault('unknown', `is no scenario of this operation; did you mean ${meant}?`, { nearest: meant });
  },
});

/** A person whose core is slow needs no header. */
const mannerOf = ({ caller }: Call): CoreFault | undefined =>
  isAnsweredLate(caller.psuId) ? 'core-late' : undefined;

export const createRehearsal = ({ deadlineMs, site, hasOrders }: RehearsalParts) => {
  const rehearsed = new AsyncLocalStorage<Rehearsed>();
  const { meet, wrapBank } = createCoreFaults(deadlineMs, () => rehearsed.getStore());

  /** Calls that do not ask the core, and repetitions of a write, meet its fault in the place of their answer. */
  const handle = async (operation: Operation, call: Call, scenario: string): Promise<Reply> => {
    if (isRefusal(scenario)) throw sampleProblem(scenario, site.baseUrl, operation);
    const now = { scenario, isLate: false };
    return rehearsed.run(now, async () => {
      const reply = await operation.handle(call);
      await meet();
      if (!isLostAnswer(scenario)) return reply;
      if (scenario === 'answer-timeout') return never();
      call.breakOff();
      return reply;
    });
  };

  const known: Operation[] = [];
  const rehearsable = (operation: Operation): Operation => {
    // Every refusal of a registration can be had with a certificate of the sandbox.
    if (typeof operation.area !== 'string') return operation;
    known.push(operation);
    const names = scenariosOf(operation).filter((name) => hasOrders || !orderWishes.has(name));
    return {
      ...operation,
      headers: [...operation.headers, headerOf(names)],
      handle(call) {
        const scenario = call.headers['sandbox-scenario'] ?? mannerOf(call);
        return scenario ? handle(operation, call, scenario) : operation.handle(call);
      },
    };
  };

  /** What is to become of the order that the current call submits. */
  const orderWish = (): OrderWish | undefined => orderWishes.get(rehearsed.getStore()?.scenario ?? '');

  return { rehearsable, known: () => known, wrapBank, beforeEffect: meet, orderWish };
};
