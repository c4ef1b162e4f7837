/** The areas of the interface in the words of the pages, with the operations there are. */
import { areaTitles } from '../http/openapi.js';
import type { Operation } from '../http/operation.js';
import { roleOf, scopeOf } from '../model/caller.js';

export interface AreaView {
  readonly id: Operation['area'];
  readonly title: string;
  /** Its page of the reference. */
  readonly path: string;
  /** Who calls it. */
  readonly audience: string;
  readonly purpose: string;
  /** What a call must prove, in words; undefined where the area is open. */
  readonly demand: string | undefined;
  readonly operations: readonly Operation[];
}

const words: Readonly<Record<Operation['area'], Pick<AreaView, 'audience' | 'purpose'>>> = {
  piis: {
    audience: 'For card issuers',
    purpose:
      'Ask whether an amount is available on an account that its holder has opened to you for this question.',
  },
  opendata: {
    audience: 'For every subscriber',
    purpose: 'Read where the bank has ATMs, what they offer and how they can be reached.',
  },
  ais: {
    audience: 'For account information services',
    purpose: 'Follow the consent by which an account holder lets you read accounts and transactions.',
  },
  pis: {
    audience: 'For payment initiation services',
    purpose: 'Follow the consent by which an account holder lets you initiate a payment.',
  },
  events: {
    audience: 'For every subscriber',
    purpose:
      'Read what has happened to your consents and payments, oldest first. The same events can be sent to you as signed notifications.',
  },
  sandbox: {
    audience: 'For trying things out',
    purpose:
      'Get credentials and tokens, move the bank’s clock, start again. Open to everybody, and absent in production.',
  },
};

const demandOf = (area: Operation['area']): string | undefined => {
  if (area === 'sandbox') return undefined;
  const scope = scopeOf[area];
  const role = roleOf[area];
  const token = scope ? `an access token with the scope \`${scope}\`` : 'any valid access token';
  const registration = role ? `, and the registered role \`${role}\`` : '';
  if (area === 'events') return `Any subscription key of the application, and ${token}.`;
  return `A subscription key for the product \`${area}\`, ${token}${registration}.`;
};

/** Only the areas that have an operation, in the order of the interface document. */
export const areasOf = (operations: readonly Operation[]): readonly AreaView[] =>
  (Object.keys(areaTitles) as Operation['area'][])
    .map((id) => ({
      id,
      title: areaTitles[id],
      path: `/docs/${id}`,
      ...words[id],
      demand: demandOf(id),
      operations: operations.filter((operation) => operation.area === id),
    }))
    .filter((area) => area.operations.length > 0);

/** Where the reference describes an operation of the area. */
export const operationPath = (area: Pick<AreaView, 'path'>, operation: Pick<Operation, 'id'>): string =>
  `${area.path}#${operation.id}`;
