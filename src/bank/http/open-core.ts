/** A core over HTTP, opened: both ports to it on one pool of connections, behind one guard. */
import type { BankTime } from '../../lib/clock.js';
import { newId } from '../../lib/id.js';
import { instantText } from '../../lib/instant.js';
import type { Tracer } from '../../observe/trace/tracer.js';
import type { ConsentNote } from '../consent-note.js';
import { type CallFacts, CoreCalls } from './calls.js';
import { type ClientOptions, CoreClient } from './client.js';
import { SANDBOX_TIME } from './contract/headers.js';
import { asCoreProblem, statusFault } from './fault.js';
import { createHttpAccountHolders } from './http-account-holders.js';
import { createHttpBank } from './http-bank.js';
import { besides, Guard, type GuardOptions } from './resilience.js';

export interface CoreOptions extends ClientOptions, GuardOptions {
  readonly bankTime: () => Promise<BankTime>;
  /** Tells the core the bank time with each question, and shows its demo codes. */
  readonly isTest: boolean;
  readonly keep: (consent: ConsentNote, bankData: string) => Promise<void>;
  readonly onCall: (facts: CallFacts) => void;
  readonly tracer?: Tracer | undefined;
}

/** Brings a simulator back to its first state; a core that is none has no such path, and that is fine. */
const resetSimulator = async (client: CoreClient, { bankTime, totalMs }: CoreOptions): Promise<void> => {
  const headers = { 'X-Request-ID': newId(), [SANDBOX_TIME]: instantText(await bankTime()) };
  try {
    const { status } = await client.send({ method: 'POST', path: '/simulator/reset', headers }, totalMs);
    if (status >= 300 && status !== 404) throw statusFault(status);
  } catch (error) {
    throw asCoreProblem(error);
  }
};

export const openCore = (options: CoreOptions) => {
  const { bankTime, isTest, keep, onCall, tracer } = options;
  // Logins and payments have connections of their own, as they have turns of their own.
  const connections = options.connections + besides(options.maxCalls);
  const client = new CoreClient({ ...options, connections });
  const calls = new CoreCalls({
    client,
    guard: new Guard(options),
    sandboxTime: isTest ? bankTime : undefined,
    keep,
    onCall,
    responseLimit: options.responseLimit,
    tracer,
  });
  return {
    bank: createHttpBank(calls),
    accountHolders: createHttpAccountHolders(calls, isTest),
    /** Whether the core says that it is a test system. */
    isTest: () => calls.ask('ping', {}, ({ test }) => test === true),
    resetSimulator: () => resetSimulator(client, options),
    close: () => client.close(),
  };
};

export type Core = ReturnType<typeof openCore>;
