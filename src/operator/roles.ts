/** Who may do what: one table of all acts of the console. Reading is for every role. */
import { type OperatorRole, operatorRoles } from '../admin/operators.js';

export const acts = {
  'parties/suspend': 'admin',
  'parties/resume': 'admin',
  'parties/unattended': 'admin',
  'consents/end': 'care',
  'payments/retry': 'care',
  'payments/settle': 'admin',
  'atms/publish': 'admin',
  'events/retry': 'care',
  'events/redeliver': 'care',
  'statistics/publish': 'admin',
  'statistics/import': 'admin',
  'downtimes/announce': 'admin',
  'downtimes/cancel': 'admin',
  'incidents/open': 'admin',
  'incidents/update': 'admin',
  'incidents/close': 'admin',
} as const satisfies Readonly<Record<string, OperatorRole>>;

export type ConsoleAct = keyof typeof acts;

export const mayDo = (role: OperatorRole, act: ConsoleAct): boolean =>
  operatorRoles.indexOf(role) >= operatorRoles.indexOf(acts[act]);
