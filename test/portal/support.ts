/** A sandbox with the portal, in which a cookie says which third party visits. */
import { SandboxAuthority } from '../../packages/sandbox/src/pki/sandbox-authority.js';
import { portalHelp } from '../../packages/sandbox/src/portal-help.js';
import type { ExtensionBase, OpenExtension } from '../../src/app/extension.js';
import { type Answer, send } from '../support/client.js';
import { formTokenIn, posted } from '../support/form.js';
import type { Service, ServiceOptions } from '../support/service.js';

export const VISITOR = 'test_developer';

const withPortal = (base: ExtensionBase): OpenExtension => ({
  portal: {
    ...portalHelp({ ...base, authority: new SandboxAuthority(base) }),
    visitor: async ({ cookies }) => {
      const tppId = cookies[VISITOR];
      return tppId === undefined || tppId === '' ? undefined : { tppId, name: 'Dora Developer' };
    },
    loginHref: '/elsewhere/login',
    leave: async () => [{ name: VISITOR, value: '', maxAge: 0 }],
  },
});

/** Without sandboxes of developers, whose sign-up has the same path. */
export const portalOptions = {
  extend: withPortal,
  env: { TRAPEZA_DATABASE_POOLING: 'transaction' },
} satisfies ServiceOptions;

export interface Visitor {
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  readonly post: (path: string, form?: Record<string, string>, token?: string) => Promise<Answer>;
}

/** A browser of the third party: keeps the form cookie and sends the token of the page. */
export const visitorIn = async ({ url }: Service, tpp: string): Promise<Visitor> => {
  const first = await send(url, {
    path: '/portal?lang=en',
    headers: { Cookie: `${VISITOR}=${tpp}` },
    outsideContract: true,
  });
  const formCookie = [first.headers['set-cookie'] ?? []]
    .flat()
    .find((each) => each.startsWith('trapeza_form'));
  const Cookie = `${VISITOR}=${tpp}; lang=en; ${formCookie?.split(';')[0]}`;
  const formToken = formTokenIn(first.text);
  return {
    get: (path, headers) => send(url, { path, headers: { Cookie, ...headers }, outsideContract: true }),
    post: (path, form = {}, token = formToken) =>
      send(url, {
        method: 'POST',
        path: posted(path, { form_token: token }).path,
        headers: { Cookie, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
        outsideContract: true,
      }),
  };
};
