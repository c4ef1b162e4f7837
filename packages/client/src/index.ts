/** A typed client of a bank that runs Trapeza, for Node and browsers, without dependencies. */
export * from './client.js';
export type { Clock, Fetch } from './clock.js';
export * from './events.js';
export * from './interface.js';
export * from './oauth.js';
export { type ProblemBody, ProblemError } from './problem.js';
export type { RetryOptions, TokenSource } from './send.js';
