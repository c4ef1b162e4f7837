/** Who may do what: one table of all acts of the console. */
import { isAmong, type OperatorRole, type Roles } from '../acts/role.js';
import type { ProposalAct } from '../admin/proposals.js';

const technical: Roles = ['service', 'compliance'];

export const acts = {
  'parties/suspend': [],
  'parties/resume': [],
  'parties/unattended': [],
  'parties/quota': [],
  'parties/redirects': [],
  'parties/secret': [],
  'people/open': ['customers'],
  'consents/open': ['customers'],
  'consents/end': ['customers'],
  'payments/retry': ['customers'],
  'payments/settle': [],
  'proposals/confirm': ['compliance'],
  'proposals/refuse': ['compliance'],
  'atms/publish': ['compliance'],
  'events/retry': ['service'],
  'events/redeliver': ['service'],
  'statistics/publish': ['compliance'],
  'statistics/import': ['compliance'],
  'downtimes/announce': technical,
  'downtimes/cancel': technical,
  'incidents/open': technical,
  'incidents/update': technical,
  'incidents/close': technical,
} as const satisfies Readonly<Record<string, Roles>>;

export type ConsoleAct = keyof typeof acts;

export const mayDo = (role: OperatorRole, act: ConsoleAct): boolean => isAmong(acts[act], role);

/** Who may propose an act may decide on it. */
export const mayDecide = (role: OperatorRole, act: ProposalAct): boolean => {
  if (act === 'payment.settle') return mayDo(role, 'payments/settle');
  return mayDo(role, act === 'statistics.publish' ? 'statistics/publish' : 'parties/suspend');
};
