/** What the pages of the demo third party show. It is filled by the sandbox, which these pages do not know. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

export interface CallView {
  readonly kind: 'call';
  readonly number: number;
  readonly turn: number;
  readonly title: string;
  readonly words: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly NamedValue[];
    readonly body: string | undefined;
  };
  readonly curl: string;
  readonly answer: {
    /** 0: there was none, and the body says why. */
    readonly status: number;
    readonly headers: readonly NamedValue[];
    readonly body: string | undefined;
    readonly problem: string | undefined;
  };
}

export interface RedirectView {
  readonly kind: 'redirect';
  readonly number: number;
  readonly turn: number;
  readonly title: string;
  readonly words: string;
  readonly url: string;
  readonly parameters: readonly (NamedValue & { readonly words: string })[];
  readonly checks: readonly { readonly words: string; readonly isFine: boolean }[];
}

export interface WebhookView {
  readonly isVerified: boolean;
  readonly words: string;
  readonly receivedAt: number;
  readonly status: string | undefined;
  readonly headers: readonly NamedValue[];
  readonly body: string;
}

export interface FieldView {
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
  readonly hint: string | undefined;
  /** Empty: free text. */
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}

export interface ButtonView {
  readonly id: string;
  readonly label: string;
  readonly words: string | undefined;
  readonly fields: readonly FieldView[];
}

export interface GroupView {
  readonly heading: string;
  readonly words: string;
  readonly buttons: readonly ButtonView[];
  readonly link?: { readonly path: string; readonly label: string };
}

export interface StepView {
  readonly title: string;
  readonly state: 'done' | 'now' | 'next';
}

export interface NowView {
  readonly heading: string;
  readonly words: string;
  readonly next: string;
  /** Somebody has to log in. */
  readonly isAtBank?: boolean;
  /** Nothing more comes of this walk. */
  readonly isOver?: boolean;
  readonly buttons: readonly ButtonView[];
  readonly groups: readonly GroupView[];
}

export interface WalkView {
  readonly id: string;
  readonly title: string;
  readonly audience: string;
  readonly way: string;
  readonly flow: string;
  readonly wayId: string;
  readonly steps: readonly StepView[];
  readonly now: NowView;
  readonly consent: { readonly id: string; readonly status: string } | undefined;
  readonly person: { readonly name: string; readonly username: string; readonly password: string };
  readonly records: readonly (CallView | RedirectView)[];
  /** The records of this turn are shown opened. */
  readonly latestTurn: number;
  readonly webhooks: readonly WebhookView[];
  /** Whether the service sends any. */
  readonly tellsByWebhook: boolean;
}

export interface StartView {
  /** False: the service does not answer at its own address, and no walk would get far. */
  readonly isReachable: boolean;
  readonly flows: readonly {
    readonly id: string;
    readonly title: string;
    readonly audience: string;
    readonly words: string;
    readonly ways: readonly { readonly id: string; readonly name: string; readonly words: string }[];
  }[];
  readonly mine: readonly {
    readonly id: string;
    readonly title: string;
    readonly way: string;
    readonly consent: string | undefined;
  }[];
}

/** Why a return from the bank was not acted upon. */
export type Misfit = 'stranger' | 'used' | 'foreign-consent';

type Form = Readonly<Record<string, readonly string[]>>;

/** Who plays the third party. A browser is known by a secret, and sees its own walks only. */
export interface ThirdParty {
  start(browser: string | undefined): Promise<StartView>;
  begin(
    flow: string,
    way: string,
    browser: string | undefined,
  ): Promise<{ readonly id: string; readonly browser: string } | undefined>;
  view(browser: string | undefined, id: string): Promise<WalkView | undefined>;
  act(
    browser: string | undefined,
    id: string,
    action: string,
    form: Form,
    address: string,
  ): Promise<{ readonly leave: string | undefined } | undefined>;
  comeBack(
    browser: string | undefined,
    query: Readonly<Record<string, string | undefined>>,
    address: string,
  ): Promise<{ readonly walkId: string | undefined; readonly misfit: Misfit | undefined }>;
}
