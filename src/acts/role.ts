/** What people of the bank may be, for the console; `admin` may everything. */
import type { Actor } from '../audit/audit-log.js';
import type { RealTime } from '../lib/clock.js';

export const operatorRoles = ['service', 'customers', 'compliance', 'admin'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

export interface Operator {
  readonly name: string;
  readonly role: OperatorRole;
}

/** With the begin of the session. */
export interface PresentOperator extends Operator {
  readonly since: RealTime;
}

/** Those that may do something, beside `admin`. */
export type Roles = readonly Exclude<OperatorRole, 'admin'>[];

export const isAmong = (roles: Roles, role: OperatorRole): boolean =>
  role === 'admin' || roles.some((each) => each === role);

/** In whose name something is done. A login of the console has a role; a shell and a program have none and decide for themselves. */
export interface By extends Actor {
  readonly role?: OperatorRole | undefined;
}

export const SYSTEM: By = { actor: 'system' };

/** `runAct` asks this, so that no caller has to remember it. */
export const mayAct = (roles: Roles, { actor, role }: By): boolean =>
  !actor.startsWith('operator:') || (role !== undefined && isAmong(roles, role));
