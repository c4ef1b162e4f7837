/** What the service offers, asked as any third party asks: its OAuth metadata and its OpenAPI document. */
import type { OAuthMetadata, OperationName } from '@trapeza/client';
import { type Fetch, recordingFetch } from './wire/wire.js';

export interface Capabilities {
  readonly metadata: OAuthMetadata;
  /** Whether the consent can be asked for in the authorization request itself (RFC 9396). */
  readonly hasOneRedirect: boolean;
  has(operation: OperationName): boolean;
}

const METADATA = '/.well-known/oauth-authorization-server';

const read = async (ask: Fetch, url: string): Promise<unknown> => {
  const response = await ask(url, { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
};

interface Described {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
}

const load = async (baseUrl: string): Promise<Capabilities> => {
  const ask = recordingFetch(baseUrl, { title: '', words: '' }, () => undefined);
  const [metadata, described] = await Promise.all([
    read(ask, `${baseUrl}${METADATA}`) as Promise<OAuthMetadata>,
    read(ask, `${baseUrl}/openapi.json`) as Promise<Described>,
  ]);
  const offered = new Set(
    Object.values(described.paths ?? {}).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    ),
  );
  const types = metadata.authorization_details_types_supported;
  return {
    metadata,
    hasOneRedirect: Array.isArray(types) && types.length > 0,
    has: (operation) => offered.has(operation),
  };
};

/** Asked once for each address of the service; what failed is asked again. */
export const createCapabilities = (): ((baseUrl: string) => Promise<Capabilities>) => {
  let known: { readonly baseUrl: string; readonly loaded: Promise<Capabilities> } | undefined;
  return (baseUrl) => {
    if (known?.baseUrl !== baseUrl) {
      const loaded = load(baseUrl);
      known = { baseUrl, loaded };
      loaded.catch(() => {
        known = undefined;
      });
    }
    return known.loaded;
  };
};
