/**
 * Who may see what: one table of all pages of the console. `service` keeps the interface running and sees no person; `customers` helps
 * account holders; `compliance` answers for what is published and reads the audit log; `admin` may everything.
 */
import { isAmong, type OperatorRole, operatorRoles, type Roles } from '../acts/role.js';

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

export const maySee = (role: OperatorRole, path: ConsolePath): boolean => isAmong(pages[path], role);
