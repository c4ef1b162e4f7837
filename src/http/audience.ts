/**
 * Who may use a page. An audience judges a request by its headers alone: a caller that it refuses is answered before one byte of the
 * body is read. Every page has one, and nothing else decides who its visitor is.
 */
import type { Eventual } from '../lib/turn.js';
import type { Page, PageAnswer, PageRequest } from './pages.js';

export type AudienceName =
  | 'everybody'
  /** Everybody who sends a form that one of our pages has shown. */
  | 'visitor'
  | 'account holder'
  | 'account holder with both factors'
  | 'operator'
  | 'developer'
  | 'application'
  /** The authorization server reads the proof from the body; only a certificate is judged before. */
  | 'application by its form'
  | 'certificate';

/** The visitor, or the answer for a caller who may not use the page. */
export type Admission<Visitor> = { readonly visitor: Visitor } | { readonly answer: PageAnswer };

export interface Audience<Visitor = unknown> {
  readonly name: AudienceName;
  /** The roles of operators that it admits; absent: all. */
  readonly roles?: readonly string[];
  /** The form of the request is empty, because it has not been read. */
  admit(request: PageRequest): Eventual<Admission<Visitor>>;
}

const noVisitor = { visitor: undefined };

export const everybody: Audience<undefined> = { name: 'everybody', admit: () => noVisitor };

/** Whether a form was sent. It needs the token of one of our pages. */
export const isForm = ({ raw }: PageRequest): boolean => raw.request.method === 'POST';

export const neverJudged = (): never => {
  throw new Error('nobody has judged who sends this request');
};

const faultPage = (page: Page, request: PageRequest, error: unknown): PageAnswer => {
  if (!page.onFault) throw error;
  return page.onFault(request, error);
};

/** Asks the audience of the page. What is thrown has the same page as a fault of the page itself. */
export const judge = async (page: Page, head: PageRequest): Promise<Admission<unknown>> => {
  try {
    return await page.audience.admit(head);
  } catch (error) {
    return { answer: faultPage(page, head, error) };
  }
};

export const render = async (page: Page, request: PageRequest, visitor: unknown): Promise<PageAnswer> => {
  try {
    return await page.render(request, visitor);
  } catch (error) {
    return faultPage(page, request, error);
  }
};
