/** What the dashboard says. The glossary is that of the approval journey: approve/messages/messages.ts. */
import type { ConsentKind, ConsentStatus } from '../../../consent/record.js';
import type { AccessKind } from '../../../consent/uses.js';
import type { PageMessages } from '../../approve/messages/messages.js';

/** What has become of a payment, as its list can be narrowed. */
export const paymentStates = ['waiting', 'approved', 'underWay', 'paid', 'notPaid', 'cancelled'] as const;
export type PaymentState = (typeof paymentStates)[number];

/** Why a payment that was never sent to the bank was not paid. */
export type Unsent = 'refused' | 'late' | 'withdrawn' | 'blocked' | 'ended' | 'unused' | 'endedByBank';

/** A step in the life of a permission, as its account holder sees it. */
export type Step =
  | 'asked'
  | 'approved'
  | 'renewed'
  | 'refused'
  | 'late'
  | 'closedByBank'
  | 'withdrawn'
  | 'ended'
  | 'superseded'
  | 'expired'
  | 'completed'
  | 'unused'
  | 'endedByBank'
  | 'paid'
  | 'notPaid'
  | 'cancelled'
  | 'blocked';

export type Column = (typeof columns)[number];
/** Of the files; those of a list are among them. */
export const columns = [
  'list',
  'time',
  'app',
  'provider',
  'kind',
  'status',
  'covers',
  'purpose',
  'since',
  'until',
  'lastUsed',
  'uses',
  'payee',
  'amount',
  'currency',
  'answer',
  'data',
  'present',
  'account',
  'permission',
] as const;

export interface CoversMessages {
  readonly sees: (thing: string, isPast: boolean) => string;
  readonly transactions: (from: string | undefined, to: string | undefined, isPast: boolean) => string;
  readonly recurring: (times: number, isPast: boolean) => string;
  readonly once: string;
  readonly funds: (isPast: boolean) => string;
  readonly payment: (amount: string, payee: string) => string;
}

export interface ListMessages {
  readonly title: string;
  readonly lead: string;
  readonly empty: string;
  readonly emptyFiltered: string;
  readonly caption: string;
}

/** What all lists say. Numbers are written by the locale before they come here. */
export interface BoardMessages {
  readonly search: string;
  readonly searchHints: Readonly<Record<'permissions' | 'payments', string>>;
  readonly searchFor: string;
  readonly results: string;
  readonly range: (from: string, to: string, total: string) => string;
  readonly moreThan: (count: string) => string;
  readonly nothingYet: string;
  readonly searchedBack: (day: string) => string;
  readonly searchFurther: string;
  readonly newer: string;
  readonly older: string;
  readonly previous: string;
  readonly next: string;
  readonly inverted: string;
  readonly active: (count: number, text: string, since: string | undefined) => string;
  readonly inactive: string;
  readonly used: (moment: string | undefined) => string;
  readonly permissionsOf: (count: number, text: string) => string;
  readonly paymentsOf: (count: number, text: string) => string;
  readonly moreAccounts: (count: number) => string;
  readonly since: (day: string) => string;
  readonly until: (day: string) => string;
  readonly asked: (day: string) => string;
  readonly decideBy: (moment: string) => string;
  readonly renewal: string;
  readonly payment: (amount: string, payee: string) => string;
  readonly paid: Readonly<Record<PaymentState, string>>;
  readonly approved: (moment: string) => string;
  readonly unsent: Readonly<Record<Unsent, string>>;
  readonly partyOf: (app: string) => string;
  readonly seePayments: string;
  readonly seeFunds: string;
  readonly seeAccesses: string;
}

/** A page that an authentication leads on from. */
export interface ConfirmTexts extends PageMessages {
  readonly hint: string;
  readonly waiting: string;
  readonly submit: string;
}

type OneOrAll = 'one' | 'all';

export interface BlockMessages {
  readonly title: string;
  readonly lead: string;
  readonly none: string;
  readonly someAre: string;
  readonly allAre: string;
  readonly all: string;
  readonly since: (moment: string) => string;
  readonly manage: string;
  readonly blockAll: string;
  readonly block: (provider: string) => string;
  readonly badge: string;
  readonly add: {
    readonly one: {
      readonly title: (provider: string) => string;
      readonly apps: (names: string) => string;
      readonly noMore: string;
    };
    readonly all: { readonly title: string; readonly noMore: string };
    readonly ends: (count: number, text: string) => string;
    readonly sent: string;
    readonly lift: string;
    readonly yes: string;
    readonly no: string;
  };
  readonly lift: {
    readonly go: string;
    readonly one: (provider: string) => string;
    readonly all: string;
    readonly texts: Omit<ConfirmTexts, 'title'>;
    readonly after: Readonly<Record<OneOrAll, string>>;
    readonly keep: string;
  };
  readonly added: (name: string) => string;
  readonly addedText: string;
  readonly lifted: string;
  readonly liftedText: string;
}

export interface DashboardMessages {
  readonly login: PageMessages;
  readonly logOut: string;
  readonly code: ConfirmTexts & { readonly missing: string; readonly again: string };
  readonly sections: string;
  readonly permissions: ListMessages & {
    readonly tab: string;
    readonly waiting: string;
    readonly parties: string;
    readonly none: string;
  };
  readonly payments: ListMessages & { readonly tab: string };
  readonly board: BoardMessages;
  readonly blocks: BlockMessages;
  readonly funds: ListMessages & { readonly tab: string };
  readonly accesses: ListMessages & { readonly tab: string };
  readonly kinds: Readonly<Record<ConsentKind, string>>;
  readonly statuses: Readonly<Record<ConsentStatus, string>>;
  /** In the place of the status, if a newer one took its place, or its third party was blocked. */
  readonly replaced: string;
  readonly blocked: string;
  readonly covers: CoversMessages;
  readonly facts: {
    readonly provider: string;
    readonly registration: string;
    readonly purpose: string;
    readonly covers: string;
    readonly accounts: string;
    readonly noAccounts: string;
    readonly askedAt: string;
    readonly approvedAt: string;
    readonly until: string;
    readonly openEnd: string;
    readonly decideBy: string;
    readonly endedBecause: string;
    readonly lastUsed: string;
    readonly neverUsed: string;
    readonly uses: string;
    readonly status: string;
    readonly reference: string;
  };
  readonly times: (count: number, text: string) => string;
  readonly detailsShort: string;
  readonly decide: string;
  readonly withdraw: string;
  readonly back: string;
  readonly history: string;
  readonly steps: Readonly<Record<Step, string>>;
  readonly usesHeading: string;
  readonly allUses: string;
  readonly noUses: string;
  readonly confirm: {
    readonly title: (app: string) => string;
    readonly text: Readonly<Record<ConsentKind, string>>;
    readonly note: string;
    readonly yes: string;
    readonly no: string;
  };
  readonly cancel: {
    readonly go: string;
    readonly title: (amount: string, payee: string) => string;
    readonly text: string;
    readonly note: string;
    readonly no: string;
    readonly late: PageMessages;
  };
  readonly filter: {
    readonly heading: string;
    readonly state: string;
    readonly kind: string;
    readonly app: string;
    readonly from: string;
    readonly to: string;
    readonly any: string;
    readonly apply: string;
    readonly clear: string;
    readonly ofPermission: string;
  };
  readonly when: string;
  readonly who: string;
  readonly payee: string;
  readonly noPayee: string;
  readonly amount: string;
  readonly account: string;
  readonly allAccounts: string;
  readonly answer: string;
  readonly available: string;
  readonly notAvailable: string;
  readonly what: string;
  readonly data: Readonly<Record<AccessKind, string>>;
  readonly presence: string;
  readonly present: string;
  readonly absent: string;
  readonly pages: string;
  readonly download: {
    readonly heading: string;
    readonly text: string;
    readonly list: string;
    readonly everything: string;
    readonly fileOf: (list: string, format: string) => string;
  };
  readonly columns: Readonly<Record<Column, string>>;
  readonly lists: Readonly<Record<'permission' | 'funds' | 'access', string>>;
  readonly notFound: PageMessages;
  readonly staleForm: PageMessages;
  readonly unavailable: PageMessages;
  readonly again: string;
}
