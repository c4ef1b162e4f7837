/**
 * The messages of the approval journey. Glossary, English and Greek; the same word for the same thing on every page:
 * - request, αίτημα: what a third party asks for, before the decision
 * - permission, άδεια: a request that was approved and holds
 * - app, εφαρμογή: the application of the third party; its company is the provider, πάροχος
 * - approve, έγκριση; refuse, απόρριψη; withdraw, ανάκληση; block, αποκλεισμός
 * - one-time code, κωδικός μίας χρήσης; never confused with the password, κωδικός πρόσβασης
 * - account, λογαριασμός; balance, υπόλοιπο; transactions, κινήσεις; statements, αντίγραφα κινήσεων
 * - payee, δικαιούχος; charges, έξοδα; message, αιτιολογία
 */

import type { ConsentKind, Permission } from '../../../consent/record.js';
import type { Regime } from '../../../model/regime.js';
import type { PayerFault } from '../../../payment/payable.js';
import type { CodeMessages } from '../../../web/components/one-time-code.js';
import type { AppMessages } from './app.js';
import type { SendingMessages } from './codes.js';
import type { TermsMessages } from './terms.js';
import type { WayMessages } from './ways.js';

/** Why an account cannot be picked. */
export type CardFault = PayerFault | 'funds';

/** What is wrong with a form. */
export type FormFault =
  | 'account'
  | 'term'
  | 'date'
  | 'datePast'
  | 'codeMissing'
  | 'codeSpent'
  | 'appRefused'
  | 'answerMissing'
  | 'answerSpent'
  | 'redirectRefused';

/** The outcome of a request, for its account holder. */
export type Outcome = 'approved' | 'refused' | 'late' | 'withdrawn' | 'expired' | 'ended';

export interface PageMessages {
  readonly title: string;
  readonly text: string;
}

/** What a page says about a payment, and the same in one sentence for a list that shows amount and payee beside it. */
export interface OrderSentences extends PageMessages {
  readonly line: string;
}

/** Who called a payment back. */
export type CancelledBy = 'tpp' | 'psu' | 'bank';

export interface OrderMessages {
  /** One or two words for a badge. */
  readonly badges: Readonly<Record<'underWay' | 'paid' | 'notPaid' | 'cancelled', string>>;
  readonly underWay: (amount: string, payee: string) => OrderSentences;
  readonly paid: (amount: string, payee: string, moment: string) => OrderSentences;
  readonly notPaid: (amount: string, payee: string, reason: string) => OrderSentences;
  readonly cancelled: (amount: string, payee: string, by: CancelledBy, moment: string) => OrderSentences;
  /** By ISO 20022 code, to follow "because". */
  readonly reasons: Readonly<Record<string, string>>;
  readonly otherReason: string;
}

export interface RenewalMessages {
  readonly title: (app: string) => string;
  /** Under PSD2 the bank asks for it every 180 days; under the PSR only the app does, for older transactions. */
  readonly lead: Readonly<Record<Regime, string>>;
  readonly what: string;
  readonly accounts: string;
  readonly approve: string;
  readonly refuse: string;
  readonly hint: Readonly<Record<Regime, string>>;
}

/** For an account holder who has blocked the third party that asks, or all. */
export interface BlockedMessages
  extends Readonly<
    Record<
      'one' | 'all',
      {
        readonly title: (provider: string) => string;
        readonly lead: (app: string) => string;
        readonly hint: string;
      }
    >
  > {
  readonly lift: string;
  readonly refuse: string;
}

/** Of the earlier permissions of the same app that an approval ends. */
export interface ReplacedMessages
  extends Readonly<
    Record<
      'sure' | 'maybe',
      { readonly heading: string; readonly text: (app: string, count: number) => string }
    >
  > {
  readonly since: (day: string) => string;
}

export interface ApprovalMessages {
  readonly locale: string;
  readonly loginTitle: Readonly<Record<'title' | 'text', string>>;
  readonly loggedInAs: (name: string) => string;
  readonly notYou: string;
  readonly title: (kind: ConsentKind, asks: { readonly app: string; readonly amount: string }) => string;
  readonly lead: Readonly<Record<ConsentKind, string>>;
  /** If no account can be used: what stands in the place of a title that asks for approval, and of every lead. */
  readonly impossible: { readonly payment: (amount: string) => string; readonly lead: string };
  readonly who: {
    readonly heading: string;
    readonly app: string;
    readonly provider: string;
    readonly registration: string;
    readonly registered: string;
    /** Of what the third party says itself. */
    readonly purpose: string;
  };
  /** What each permission shows, to follow "it will see". */
  readonly seen: Readonly<Record<Permission, string>>;
  readonly what: {
    readonly heading: string;
    readonly permissions: Readonly<Record<Permission, string>>;
    readonly transactions: (from: string | undefined, to: string | undefined) => string;
    readonly recurring: (timesPerDay: number) => string;
    readonly once: string;
    readonly funds: readonly string[];
    readonly card: (lastFour: string) => string;
    readonly cardNote: string;
    readonly registrationNote: string;
  };
  readonly payment: {
    readonly amount: string;
    readonly payee: string;
    readonly payeeAccount: string;
    readonly payeeBank: string;
    readonly message: string;
    readonly reference: string;
    readonly product: string;
    readonly products: Readonly<Record<'domestic' | 'international', string>>;
    readonly charges: string;
    readonly bearers: Readonly<Record<'sha' | 'our' | 'ben', string>>;
    readonly noCharges: string;
    readonly total: string;
    readonly conversion: string;
    readonly converted: (pay: string, amount: string, rate: string) => string;
    readonly rateHeld: string;
    readonly totalIn: (currency: string) => string;
    readonly terms: TermsMessages;
  };
  readonly accounts: {
    readonly heading: Readonly<Record<ConsentKind, string>>;
    readonly named: Readonly<Record<ConsentKind, string>>;
    readonly pick: Readonly<Record<ConsentKind, string>>;
    readonly cut: (shown: number) => string;
    readonly balance: string;
    readonly faults: Readonly<Record<CardFault, string>>;
    readonly foreignHeading: string;
    readonly foreign: string;
    readonly noneHeading: string;
    readonly none: string;
  };
  readonly term: {
    readonly heading: string;
    readonly until: (date: string) => string;
    /** Of an access that happens once. */
    readonly onceUntil: (date: string) => string;
    readonly open: string;
    readonly withdraw: string;
    readonly payment: string;
    /** Unless the bank has named an earlier deadline. */
    readonly paymentWithin: string;
    readonly proposed: (date: string) => string;
    readonly notProposed: string;
    readonly untilDate: string;
    readonly date: string;
    readonly dateHint: string;
    readonly openEnded: string;
  };
  readonly replaced: ReplacedMessages;
  readonly not: {
    readonly heading: string;
    readonly points: Readonly<Record<ConsentKind, readonly string[]>>;
  };
  readonly code: CodeMessages & {
    readonly sentFor: string;
    readonly sending: SendingMessages;
    readonly app: AppMessages;
    readonly ways: WayMessages;
  };
  readonly approve: string;
  readonly refuse: string;
  readonly refuseOnly: string;
  readonly decideHint: string;
  readonly errorPrefix: string;
  readonly errorHeading: string;
  readonly faults: Readonly<Record<FormFault, string>>;
  readonly codeWrong: (left: number) => string;
  readonly dateLate: (latest: string) => string;
  readonly renewal: RenewalMessages;
  readonly blocked: BlockedMessages;
  readonly outcomes: Readonly<Record<ConsentKind, Readonly<Record<Outcome, PageMessages>>>>;
  /** Of a payment that the bank is carrying out. */
  readonly orders: OrderMessages;
  readonly notFound: PageMessages;
  /** The application may not ask for anything now. */
  readonly suspended: (application: string) => PageMessages;
  /** The request belongs to an authorization in another browser, or to one that is over. */
  readonly stranded: Readonly<Record<'other-browser' | 'over', PageMessages>>;
  readonly changed: PageMessages & { readonly again: string };
  readonly staleForm: PageMessages & { readonly again: string };
  readonly unavailable: PageMessages & { readonly again: string };
  readonly allPermissions: string;
  readonly back: (app: string) => string;
  readonly close: string;
  readonly otherLogin: string;
}
