/**
 * Finds the operation or page of a request. Literal segments win over parameters; a wrong method gets another answer than a wrong
 * path.
 */
import type { IncomingMessage } from 'node:http';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import type { Mount, Route } from './exchange.js';
import type { Operation } from './operation.js';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const satisfies HTTPMethod[];
const nowhere: Route = {
  operation: undefined,
  mount: undefined,
  allowed: [],
  params: {},
  searchParams: {},
};
const noop = (): void => undefined;

/** An absolute address (`GET http://host/path`) is legal HTTP; only its path counts. */
export const pathOf = (url: string): string => {
  if (url.startsWith('/')) return url;
  const match = /^https?:\/\/[^/?#]*(?=[/?]|$)/i.exec(url);
  return match ? url.slice(match[0].length) || '/' : '';
};

export type Router = (request: Pick<IncomingMessage, 'method' | 'url'>) => Route;

export const createRouter = (operations: readonly Operation[], mounts: readonly Mount[]): Router => {
  // As long as an address may be: an id that is too long is answered like any other that is unknown.
  const router = findMyWay({ maxParamLength: 65_536, caseSensitive: true });
  const register = (route: { method: string; path: string }, store: Operation | Mount): void => {
    router.on(route.method as HTTPMethod, route.path, noop, store);
    if (route.method === 'GET') router.on('HEAD', route.path, noop, store);
  };
  for (const operation of operations) register(operation, operation);
  for (const mount of mounts) for (const route of mount.routes) register(route, mount);

  const find = (method: string | undefined, path: string) => {
    try {
      return router.find(method as HTTPMethod, path);
    } catch {
      return null;
    }
  };

  return (request) => {
    const path = pathOf(request.url ?? '');
    if (path === '') return nowhere;
    const found = find(request.method, path);
    if (!found) return { ...nowhere, allowed: methods.filter((method) => find(method, path) !== null) };
    const store = found.store as Operation | Mount;
    const isMount = 'serve' in store;
    return {
      operation: isMount ? undefined : store,
      mount: isMount ? store : undefined,
      allowed: [],
      params: found.params,
      searchParams: found.searchParams as Route['searchParams'],
    };
  };
};
