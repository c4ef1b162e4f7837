/** A sandbox with the portal, in which a cookie says which third party visits. */
import { SandboxAuthority } from '../../packages/sandbox/src/pki/sandbox-authority.js';
import { portalHelp } from '../../packages/sandbox/src/portal-help.js';
import type { ExtensionBase, OpenExtension } from '../../src/app/extension.js';
import type { ServiceOptions } from '../support/service.js';

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
