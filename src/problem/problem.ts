/**
 * The one error type, and the catalogue of every problem this service can answer with (interface: "Errors").
 * A room throws `new Problem(slug)`; status, title and code are looked up here, and http/ renders them.
 */
import { accessProblems } from './access.js';
import { type Advice, advices } from './advice.js';
import type { ExtensionName, ThrownExtensions } from './extensions.js';
import type { FieldErrors, FieldFault } from './field.js';
import type { ProblemKind } from './kind.js';
import { messageProblems } from './message.js';
import { stateProblems } from './state.js';

export type { ProblemKind };

export const problems = { ...messageProblems, ...accessProblems, ...stateProblems } as const;

export type ProblemSlug = keyof typeof problems;

/** The problems whose bodies may have a member of `extensions`. */
export const problemsWith = (name: ExtensionName): readonly ProblemSlug[] =>
  (Object.keys(problems) as ProblemSlug[]).filter((slug) => {
    const { extensions = [] }: ProblemKind = problems[slug];
    return extensions.includes(name);
  });

/** The kind of problem that a stored name stands for. */
export const problemNamed = (slug: string | undefined): ProblemKind | undefined =>
  slug !== undefined && Object.hasOwn(problems, slug) ? problems[slug as ProblemSlug] : undefined;

export interface ProblemDetails {
  /** One helpful sentence, without user input or secrets; the catalogue's `when` if absent. */
  readonly detail?: string;
  readonly errors?: FieldErrors;
  /** A code that is more exact than that of the kind. */
  readonly code?: string;
  /** That of the kind's exception, if it applies. */
  readonly advice?: Advice;
  /** Those that the kind names. */
  readonly extensions?: ThrownExtensions;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
  /** The caller asked for it, to see what it is like: it is no security event. */
  readonly isRehearsed?: true;
}

export class Problem extends Error {
  readonly slug: ProblemSlug;
  readonly details: ProblemDetails;

  constructor(slug: ProblemSlug, details: ProblemDetails = {}) {
    super(slug, { cause: details.cause });
    this.name = 'Problem';
    this.slug = slug;
    this.details = details;
  }

  get kind(): ProblemKind {
    return problems[this.slug];
  }

  get code(): string {
    return this.details.code ?? this.kind.code;
  }

  get advice(): Advice {
    return this.details.advice ?? this.kind.advice;
  }

  /** Whether sending the very same request again can succeed. */
  get isRetryable(): boolean {
    return advices[this.advice].isRetryable;
  }
}

/** A single member of the request is wrong. */
export const fieldProblem = (field: string, fault: FieldFault): Problem =>
  new Problem('validation-failed', { errors: { [field]: [fault] } });
