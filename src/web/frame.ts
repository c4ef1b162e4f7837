/** What every page knows: where the service is reached, which version it is, and what an extension adds. */
import type { VNode } from 'preact';
import { type Brand, neutralBrand } from './brand/brand.js';
import type { Language } from './language.js';

/** A call that makes what examples need. */
export interface PreparingCall {
  readonly method: 'GET' | 'POST';
  /** What earlier calls have found stands in it, and in the headers, as `$NAME`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Without a key and a token. */
  readonly isOpen?: boolean;
  /** A member of its answer, and the name under which the examples know it. */
  readonly finds?: { readonly name: string; readonly member: string };
}

/** What an extension adds to the pages of the service. */
export interface PageAdditions {
  /** Under the head of every page: which environment this is. */
  readonly environment: Readonly<Record<Language, { readonly name: string; readonly note: string }>>;
  /** Below the login form. */
  readonly loginHelp?: (lang: Language) => VNode;
  /** Pages worth a link; the landing page also has what they are about. */
  readonly links: readonly {
    readonly path: string;
    readonly names: Readonly<Record<Language, string>>;
    readonly about: Readonly<Record<Language, string>>;
  }[];
  /** On the landing page, for those who want to try the interface. */
  readonly firstSteps?: (frame: Frame, lang: Language) => VNode;
  /** The page on which demo people confirm what would come to their bank's app. */
  readonly demoPhone?: string;
  /** How a person who is asked to wait goes on at once. */
  readonly pausesEnd?: Readonly<Record<Language, string>>;
  /** A subscription key for examples that can be pasted. */
  readonly exampleKey?: string;
  /** Commands that set what the examples of an area expect in the shell. */
  readonly preparation?: (baseUrl: string, area: string) => string;
  /** The same as calls, for the console. */
  readonly preparingCalls?: (area: string) => readonly PreparingCall[];
  /** The page with the names under which any outcome can be rehearsed, and its content for the search. */
  readonly scenarios?: {
    readonly path: string;
    readonly html: (frame: Frame, lang: Language) => string;
  };
  /** For a token by a real login: the application of the examples, and below which path people come back to an application. */
  readonly codeGrant?: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly returnPath: string;
  };
  /** The pages of developers, if they have some. */
  readonly portal?: string;
}

export interface Frame {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly version: string;
  readonly additions: PageAdditions | undefined;
  /** Where account holders log in, if not on a form of ours. */
  readonly loginStart: string | undefined;
  /** The bank's own look, on the pages for its account holders. */
  readonly brand: Brand;
  /** The address of a page on this host: the service may live below a path. */
  href(path: string): string;
}

const nobody = neutralBrand();

export const frameOf = (
  baseUrl: string,
  version: string,
  additions?: PageAdditions,
  { loginStart, brand = nobody }: { readonly loginStart?: string | undefined; readonly brand?: Brand } = {},
): Frame => {
  const base = baseUrl.replace(/\/+$/, '');
  const prefix = URL.canParse(base) ? new URL(base).pathname.replace(/\/+$/, '') : '';
  return { baseUrl: base, version, additions, loginStart, brand, href: (path) => `${prefix}${path}` };
};
