/**
 * Who may see and do what: one table of all pages and acts of the console. `service` keeps the interface running and sees no person;
 * `customers` helps account holders; `compliance` answers for what is published and reads the audit log; `admin` may everything.
 */
import { type OperatorRole, operatorRoles } from '../admin/operators.js';
import type { ProposalAct } from '../admin/proposals.js';

type Roles = readonly Exclude<OperatorRole, 'admin'>[];

const everybody = operatorRoles.filter((role) => role !== 'admin');
const technical: Roles = ['service', 'compliance'];

export const pages = {
  '': everybody,
  '/parties': everybody,
  '/parties/:id': everybody,
  '/calls': technical,
  '/consents/:id': ['customers'],
  '/people/:id': ['customers'],
  '/payments': ['customers'],
  '/proposals': ['compliance'],
  '/events': ['service'],
  '/events/:id': ['service'],
  '/atms': technical,
  '/atms/:id': technical,
  '/statistics': technical,
  '/announcements': everybody,
  '/settings': technical,
  '/audit': ['compliance'],
} as const satisfies Readonly<Record<string, Roles>>;

export type ConsolePath = keyof typeof pages;

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

const includes = (roles: Roles, role: OperatorRole): boolean =>
  role === 'admin' || roles.some((each) => each === role);

export const mayDo = (role: OperatorRole, act: ConsoleAct): boolean => includes(acts[act], role);
export const maySee = (role: OperatorRole, path: ConsolePath): boolean => includes(pages[path], role);

/** Who may propose an act may decide on it. */
export const mayDecide = (role: OperatorRole, act: ProposalAct): boolean => {
  if (act === 'payment.settle') return mayDo(role, 'payments/settle');
  return mayDo(role, act === 'statistics.publish' ? 'statistics/publish' : 'parties/suspend');
};
