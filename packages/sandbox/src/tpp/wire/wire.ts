/**
 * The third party's HTTP client. It calls this service's own address and nothing else, waits a bounded time, reads a bounded
 * answer, and records every exchange.
 */
import { SECOND } from 'trapeza/base';
import type { CallRecord } from '../walk.js';
import { curlOf, type PlainRequest, shownBody, shownHeaders, shownUrl, tellingHeaders } from './shown.js';

const PATIENCE_MS = 10 * SECOND;
const MAX_ANSWER = 1024 * 1024;

export type Keep = (record: Omit<CallRecord, 'number' | 'turn'>) => void;

export interface About {
  readonly title: string;
  readonly words: string;
}

type FetchOptions = Parameters<typeof fetch>[1];

/** A fetch whose every exchange is kept. What is not within `baseUrl` is never asked. */
export type Fetch = (url: string, options?: FetchOptions) => Promise<Response>;

const boundedText = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > MAX_ANSWER) throw new Error('the answer is too large');
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString('utf8');
};

export const isWithin = (baseUrl: string, url: string): boolean => {
  if (!URL.canParse(url) || !URL.canParse(baseUrl)) return false;
  const [base, target] = [new URL(baseUrl), new URL(url)];
  const place = base.pathname.replace(/\/+$/, '');
  return target.origin === base.origin && target.username === '' && target.pathname.startsWith(`${place}/`);
};

const problemOf = (text: string, baseUrl: string): string | undefined => {
  try {
    const { type } = JSON.parse(text) as { type?: unknown };
    const place = `${baseUrl}/problems/`;
    const slug = typeof type === 'string' && type.startsWith(place) ? type.slice(place.length) : '';
    return /^[a-z-]{1,60}$/.test(slug) ? slug : undefined;
  } catch {
    return undefined;
  }
};

const recordOf = (about: About, request: PlainRequest, answer: CallRecord['answer']) => ({
  kind: 'call' as const,
  ...about,
  request: {
    method: request.method,
    url: shownUrl(new URL(request.url)),
    headers: shownHeaders(request.headers),
    body: shownBody(request.body, request.headers.get('content-type')),
  },
  curl: curlOf(request),
  answer,
});

const plainRequest = (url: string, options: FetchOptions = {}): PlainRequest => ({
  method: options.method ?? 'GET',
  url,
  headers: new Headers(options.headers),
  body: options.body === undefined || options.body === null ? '' : String(options.body),
});

export const recordingFetch =
  (baseUrl: string, about: About, keep: Keep): Fetch =>
  async (url, options) => {
    const request = plainRequest(url, options);
    const { method, headers, body } = request;
    const unanswered = (words: string): CallRecord['answer'] => ({
      status: 0,
      headers: [],
      body: words,
      problem: undefined,
    });
    try {
      if (!isWithin(baseUrl, url)) throw new Error('the demo third party calls this service only');
      const response = await fetch(url, {
        method,
        headers,
        ...(body === '' ? {} : { body }),
        redirect: 'manual',
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const text = await boundedText(response);
      keep(
        recordOf(about, request, {
          status: response.status,
          headers: tellingHeaders(response.headers),
          body: shownBody(text, response.headers.get('content-type')),
          problem: problemOf(text, baseUrl),
        }),
      );
      const isBare = response.status === 204 || response.status === 304;
      return new Response(isBare ? null : text, { status: response.status, headers: response.headers });
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown reason';
      keep(recordOf(about, request, unanswered(`No answer from ${baseUrl}: ${reason}.`)));
      throw error;
    }
  };
