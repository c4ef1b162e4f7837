/** The areas of the interface in the words of the pages, with the operations there are. */
import { areasInOrder, areaTitles } from '../http/openapi.js';
import type { Operation } from '../http/operation.js';
import { type CallArea, roleOf, scopeOf } from '../model/caller.js';

export interface AreaView {
  readonly id: string;
  readonly title: string;
  /** Its page of the reference. */
  readonly path: string;
  /** Who calls it. */
  readonly audience: string;
  readonly purpose: string;
  /** What a call must prove, as a sentence; undefined if the area is open. */
  readonly demand: string | undefined;
  readonly operations: readonly Operation[];
}

const descriptions: Readonly<Record<CallArea, Pick<AreaView, 'audience' | 'purpose'>>> = {
  piis: {
    audience: 'For card issuers',
    purpose:
      'Ask whether an amount is available on an account that its holder has opened to you for this question. The answer is yes or no, never the balance.',
  },
  opendata: {
    audience: 'For every subscriber',
    purpose: 'Read where the bank has ATMs, what they offer and how they can be reached.',
  },
  ais: {
    audience: 'For account information services',
    purpose:
      'Read accounts, balances, transactions and statements: those that their holder has opened to you, for as long as the consent lasts.',
  },
  pis: {
    audience: 'For payment initiation services',
    purpose:
      'Stage a domestic or international transfer. The payer approves exactly that; it is carried out once, and you follow or cancel the order.',
  },
  events: {
    audience: 'For every subscriber',
    purpose: 'Learn of every change of your consents and payments: by signed webhooks, or from the feed.',
  },
};

const demandOf = (area: CallArea): string => {
  const scope = scopeOf[area];
  const role = roleOf[area];
  const token = scope ? `an access token with the scope \`${scope}\`` : 'any valid access token';
  const registration = role ? `, and the registered role \`${role}\`` : '';
  if (area === 'events') return `Any subscription key of the application, and ${token}.`;
  return `A subscription key for the product \`${area}\`, ${token}${registration}.`;
};

const viewOf = (area: Operation['area']): Omit<AreaView, 'path' | 'operations'> =>
  typeof area === 'string'
    ? { id: area, title: areaTitles[area], ...descriptions[area], demand: demandOf(area) }
    : { ...area, demand: undefined };

/** Only the areas that have an operation, in the order of the interface document. */
export const areasOf = (operations: readonly Operation[]): readonly AreaView[] =>
  areasInOrder(operations).map((area) => {
    const view = viewOf(area);
    return {
      ...view,
      path: `/docs/${view.id}`,
      operations: operations.filter((operation) => operation.area === area),
    };
  });

/** The page of an operation: `confirmFunds` is `/docs/piis/confirm-funds`. */
export const operationPath = (area: Pick<AreaView, 'path'>, { id }: Pick<Operation, 'id'>): string =>
  `${area.path}/${id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
